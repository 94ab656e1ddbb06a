//! When frames begin, on virtual clocks.

use std::time::Duration;

use evenstep::{Rate, SimTime};
use evenstep_present::{FramePlan, Pacer, Prediction};

const MS: Duration = Duration::from_millis(1);
const US: Duration = Duration::from_micros(1);

/// The first refresh after a time, of a display at a rate that began at zero, as it is predicted.
fn next_refresh(now: Duration, display: Rate) -> Prediction {
    let period = Duration::from_nanos(display.period_nanos());
    let mut tick = (now.as_secs_f64() * display.as_hz_f64()) as u64;
    let at = |tick| SimTime::at_tick(tick, display).to_duration();
    while at(tick) <= now {
        tick += 1;
    }
    Prediction::new(at(tick), period, Duration::ZERO)
}

/// A program whose frames cost what `cost` says, at a display. Returns the plans and when their frames were ready.
fn run(
    pacer: &mut Pacer,
    display: Option<Rate>,
    frames: u64,
    cost: impl Fn(u64) -> Duration,
) -> Vec<(FramePlan, Duration)> {
    let mut now = Duration::ZERO;
    let frame = |number| {
        let plan = pacer.next_frame(now, display.map(|display| next_refresh(now, display)));
        now = plan.begin + cost(number);
        pacer.finish(plan, now);
        (plan, now)
    };
    (0..frames).map(frame).collect()
}

/// The refreshes that frames missed.
fn missed(frames: &[(FramePlan, Duration)]) -> u128 {
    let late = |(plan, ready): &(FramePlan, Duration)| {
        let late = ready.saturating_sub(plan.shown.unwrap());
        late.as_nanos().div_ceil(plan.period.as_nanos())
    };
    frames.iter().map(late).sum()
}

#[test]
fn a_frame_begins_just_in_time_for_every_refresh() {
    let mut pacer = Pacer::new().with_margin(MS);
    let frames = run(&mut pacer, Some(Rate::hz(100)), 100, |_| 3 * MS);
    for (plan, ready) in &frames[8..] {
        assert_eq!(plan.begin, plan.shown.unwrap() - 4 * MS);
        assert_eq!(*ready, plan.shown.unwrap() - MS);
    }
    let shown = frames
        .windows(2)
        .map(|pair| pair[1].0.shown.unwrap() - pair[0].0.shown.unwrap());
    assert!(shown.skip(8).all(|apart| apart == 10 * MS));
    assert_eq!(missed(&frames), 0);
}

#[test]
fn a_frame_has_a_whole_refresh_before_eight_costs_are_known() {
    let frames = run(&mut Pacer::new().with_margin(MS), Some(Rate::hz(100)), 9, |_| MS);
    for (plan, _) in &frames[1..8] {
        assert_eq!(plan.begin, plan.shown.unwrap() - 10 * MS);
    }
    assert_eq!(frames[8].0.begin, frames[8].0.shown.unwrap() - 2 * MS);
}

#[test]
fn the_percentile_decides_how_many_refreshes_are_missed() {
    let cost = |frame: u64| if frame % 50 == 9 { 6 * MS } else { 2 * MS };
    // The missed refreshes, and the mean time from the beginning of a frame until it is presented.
    let missed_and_latency = |percent: f64| {
        let mut pacer = Pacer::new().with_percentile(percent).with_margin(Duration::ZERO);
        let frames = run(&mut pacer, Some(Rate::hz(100)), 1_000, cost);
        let ages: Duration = frames.iter().map(|(plan, _)| plan.shown.unwrap() - plan.begin).sum();
        let missed = missed(&frames) as u32;
        (missed, (ages + missed * 10 * MS) / 1_000)
    };
    let ((few, long), (many, short)) = (missed_and_latency(99.0), missed_and_latency(50.0));
    assert!(few <= 2, "{few} refreshes");
    assert_eq!(many, 20);
    assert!(long < 7 * MS && short < long - 2 * MS, "{long:?} {short:?}");
}

#[test]
fn after_a_hitch_the_next_frame_is_in_time() {
    let frames = run(&mut Pacer::new(), Some(Rate::hz(100)), 200, |frame| {
        if frame == 100 { 35 * MS } else { MS }
    });
    // Begun at the refresh before, it had missed three.
    assert_eq!((missed(&frames), missed(&frames[101..])), (4, 0));
}

#[test]
fn frames_too_long_for_a_refresh_begin_at_once() {
    let frames = run(&mut Pacer::new(), Some(Rate::hz(100)), 200, |_| 14 * MS);
    let idle: Duration = frames.windows(2).map(|pair| pair[1].0.begin - pair[0].1).sum();
    let shown = frames.last().unwrap().0.shown.unwrap();
    assert!(idle < shown / 3, "idle for {idle:?} of {shown:?}");
    assert!(frames.iter().all(|(plan, _)| plan.wait() <= 10 * MS));
}

#[test]
fn a_limit_is_exact_without_a_display() {
    let video = Rate::new(60_000, 1_001).unwrap();
    let frames = run(&mut Pacer::new().with_limit(video), None, 60_001, |_| 100 * US);
    for number in [1, 59, 60_000] {
        let due = SimTime::at_tick(number as u64, video).to_duration();
        assert_eq!(frames[number].0.begin, due);
    }
    assert_eq!(frames[60_000].0.begin, Duration::from_secs(1_001));
}

#[test]
fn a_limit_makes_up_for_less_than_a_period() {
    let cost = |frame| match frame {
        50 => 15 * MS,
        100 => 200 * MS,
        _ => MS,
    };
    let frames = run(&mut Pacer::new().with_limit(Rate::hz(100)), None, 200, cost);
    assert_eq!(frames[51].0.begin, 515 * MS);
    assert_eq!(frames[52].0.begin, 520 * MS);
    assert_eq!(frames[101].0.begin, 1_200 * MS);
    assert_eq!(frames[102].0.begin, 1_210 * MS);
}

#[test]
fn a_limit_on_a_display_takes_the_nearest_refreshes() {
    let limit = Rate::hz(60);
    let frames = run(&mut Pacer::new().with_limit(limit), Some(Rate::hz(144)), 601, |_| MS);
    let shown = |frame: usize| frames[frame].0.shown.unwrap();
    assert!((shown(600) - shown(0)).abs_diff(Duration::from_secs(10)) < 4 * MS);
    for frame in 1..600 {
        let refreshes = ((shown(frame) - shown(frame - 1)).as_secs_f64() * 144.0).round();
        assert!(refreshes == 2.0 || refreshes == 3.0, "{refreshes}");
    }
}

#[test]
fn a_limit_at_the_rate_of_the_display_skips_none_of_its_refreshes() {
    for display in [Rate::hz(60), Rate::new(60_000, 1_001).unwrap()] {
        let mut pacer = Pacer::new().with_limit(Rate::hz(60));
        let frames = run(&mut pacer, Some(display), 20_000, |frame| {
            MS + (frame % 7) as u32 * 100 * US
        });
        let period = Duration::from_nanos(display.period_nanos());
        let shown = frames
            .windows(2)
            .map(|pair| pair[1].0.shown.unwrap() - pair[0].0.shown.unwrap());
        assert!(
            shown.map(|apart| apart.abs_diff(period)).max().unwrap() < US,
            "{display}"
        );
    }
}

#[test]
fn saving_shows_every_frame_for_the_same_number_of_refreshes() {
    for (display, saving, refreshes) in [(144, 60, 3), (60, 30, 2), (60, 60, 1), (60, 144, 1), (240, 30, 8)] {
        let mut pacer = Pacer::new();
        pacer.set_saving(Some(Rate::hz(saving)));
        let frames = run(&mut pacer, Some(Rate::hz(display)), 500, |_| MS);
        for pair in frames.windows(2) {
            let apart = (pair[1].0.shown.unwrap() - pair[0].0.shown.unwrap()).as_secs_f64();
            assert_eq!(
                (apart * f64::from(display)).round(),
                f64::from(refreshes),
                "{saving} on {display}"
            );
        }
    }
    let mut pacer = Pacer::new();
    pacer.set_saving(Some(Rate::hz(20)));
    let frames = run(&mut pacer, None, 10, |_| MS);
    assert_eq!(frames[9].0.begin, 450 * MS);
}

#[test]
fn with_variable_refresh_no_frame_waits_for_the_display() {
    let fastest = Rate::hz(144);
    let shortest = Duration::from_nanos(fastest.period_nanos());
    let mut pacer = Pacer::new().with_variable_refresh(Pacer::VARIABLE_MARGIN);
    let (mut now, mut last) = (Duration::ZERO, Duration::ZERO);
    let mut begins = Vec::new();
    for frame in 0..1_000_u32 {
        let next = Prediction::new(last + shortest, shortest, Duration::ZERO);
        let plan = pacer.next_frame(now, Some(next));
        now = plan.begin + 2 * MS + frame % 5 * 50 * US;
        if frame > 8 {
            assert!(now >= last + shortest, "frame {frame} waits");
        }
        last = now.max(last + shortest);
        pacer.finish(plan, now);
        begins.push(plan.begin);
    }
    let rate = 900.0 / (begins[999] - begins[99]).as_secs_f64();
    assert!((137.0..138.5).contains(&rate), "{rate} frames a second");
}

#[test]
fn a_display_that_changes_is_followed_at_once() {
    let mut pacer = Pacer::new();
    let before = run(&mut pacer, Some(Rate::hz(60)), 100, |_| MS);
    let mut now = before[99].1;
    for _ in 0..100 {
        let next = next_refresh(now, Rate::hz(144));
        let plan = pacer.next_frame(now, Some(next));
        assert!(plan.wait() < 3 * next.period, "{plan:?}");
        now = plan.begin + MS;
        pacer.finish(plan, now);
        assert!(now <= plan.shown.unwrap(), "{plan:?}");
    }
}

#[test]
fn uncertainty_is_time_to_spare() {
    let begin = |uncertainty| {
        let mut pacer = Pacer::new();
        run(&mut pacer, Some(Rate::hz(100)), 100, |_| MS);
        let now = 1_000 * MS + US;
        let next = next_refresh(now, Rate::hz(100));
        pacer
            .next_frame(now, Some(Prediction::new(next.at, next.period, uncertainty)))
            .begin
    };
    assert_eq!(begin(Duration::ZERO) - begin(2 * MS), 2 * MS);
}

//! `DisplayClock`: what holds after any deltas, and how it does on displays whose times are known.

use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::{FixedTimestep, Rate, Smoothing};
use proptest::prelude::*;

const AIM: i64 = -2_000_000;
const MAX_LEAD: i64 = 4_000_000;
const MAX_LAG: i64 = 3_000_000;

fn any_delta() -> impl Strategy<Value = Duration> {
    prop_oneof![
        8 => (0..60_000_000_u64).prop_map(Duration::from_nanos),
        8 => (16_600_000..16_700_000_u64).prop_map(Duration::from_nanos),
        2 => (0..300_000_000_u64).prop_map(Duration::from_nanos),
        1 => Just(Duration::ZERO),
        1 => any::<u64>().prop_map(Duration::from_nanos),
        1 => Just(Duration::from_nanos(u64::MAX)),
    ]
}

#[test]
fn each_bound_is_reached_and_kept_and_the_longest_delta_and_the_frames_to_a_new_period_are_exact() {
    let frame = |hertz: u64| Duration::from_nanos(1_000_000_000 / hertz);
    let mut steady = DisplayClock::new();
    (0..600).for_each(|_| _ = steady.apply(frame(60)));
    let residual_after = |delta: Duration| {
        let mut clock = steady.clone();
        let _ = clock.apply(delta);
        clock.residual()
    };
    let longest = Duration::from_millis(250);
    assert_eq!(
        (residual_after(longest), residual_after(Duration::ZERO)),
        (MAX_LAG, -MAX_LEAD)
    );
    assert_eq!(residual_after(longest + Duration::from_nanos(1)), AIM);
    let period_after = |frames: u32| {
        let mut clock = steady.clone();
        (0..frames).for_each(|_| _ = clock.apply(frame(30)));
        clock.period().unwrap()
    };
    assert!(period_after(31) < frame(50), "{:?}", period_after(31));
    assert_eq!(period_after(32), frame(30));
}

proptest! {
    #[test]
    fn time_is_conserved_and_the_output_stays_within_its_bounds_after_any_deltas(
        deltas in prop::collection::vec(any_delta(), 1..600),
    ) {
        let mut clock = DisplayClock::new();
        let (mut came_in, mut given) = (0_u128, 0_u128);
        for delta in deltas {
            came_in += delta.as_nanos();
            given += clock.apply(delta).as_nanos();
            prop_assert_eq!(i128::from(clock.residual()), came_in as i128 - given as i128);
            prop_assert!((-MAX_LEAD..=MAX_LAG).contains(&clock.residual()), "{} ns", clock.residual());
        }
        prop_assert_eq!(clock.max_lead(), Duration::from_nanos(MAX_LEAD.unsigned_abs()));
    }

    #[test]
    fn a_hitch_is_passed_on_in_its_frame_and_leaves_a_lead_of_two_milliseconds(
        deltas in prop::collection::vec((0..100_000_000_u64).prop_map(Duration::from_nanos), 1..100),
        hitch in (250_000_001..u64::MAX).prop_map(Duration::from_nanos),
    ) {
        let mut clock = DisplayClock::new();
        for delta in deltas {
            clock.apply(delta);
        }
        let period = clock.period();
        let given = clock.apply(hitch);
        prop_assert!(given.abs_diff(hitch) <= Duration::from_nanos(5_000_000));
        prop_assert_eq!((clock.residual(), clock.period()), (AIM, period));
    }

    #[test]
    fn an_even_rate_is_found_and_its_lead_is_two_milliseconds(
        before in prop::collection::vec(any_delta(), 0..100),
        nanos in 1_000_000..100_000_000_u64,
    ) {
        let mut clock = DisplayClock::new();
        for delta in before {
            clock.apply(delta);
        }
        // The period forgets by 1/512 in each frame, the phase by 1/128.
        for _ in 0..20_000 {
            clock.apply(Duration::from_nanos(nanos));
        }
        prop_assert!(clock.period().unwrap().abs_diff(Duration::from_nanos(nanos)) <= Duration::from_nanos(1));
        prop_assert!((AIM..AIM + 512).contains(&clock.residual()), "{} ns", clock.residual());
        prop_assert!(clock.apply(Duration::from_nanos(nanos)).abs_diff(Duration::from_nanos(nanos)) <= Duration::from_nanos(4));
    }
}

/// A number of nearly the normal distribution: the sum of twelve uniform ones.
pub(crate) fn normal(random: &mut fastrand::Rng) -> f64 {
    (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
}

/// Times of frames in nanoseconds: those of a display at `hertz` with normal noise of this standard deviation in milliseconds.
fn display(hertz: f64, noise_ms: f64, seed: u64) -> impl Iterator<Item = i64> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut last = i64::MIN;
    (0_i64..).map(move |frame| {
        // A clock never goes back.
        last = last.max((frame as f64 * 1e9 / hertz + noise_ms * 1e6 * normal(&mut random)) as i64 + 1_000_000_000);
        last
    })
}

/// The number of steps at 60 Hz in each frame of an hour.
fn steps(hertz: f64, noise_ms: f64, seed: u64) -> Vec<i64> {
    let mut times = display(hertz, noise_ms, seed);
    let (mut clock, mut last) = (DisplayClock::new(), times.next().unwrap());
    let (mut time, mut tick) = (0_i64, 0);
    let mut frame = |now| {
        let delta = now - std::mem::replace(&mut last, now);
        time += clock.apply(Duration::from_nanos(delta.unsigned_abs())).as_nanos() as i64;
        let reached = (i128::from(time) * 60 / 1_000_000_000) as i64;
        reached - std::mem::replace(&mut tick, reached)
    };
    times.take((hertz * 3_600.0) as usize).map(&mut frame).collect()
}

#[test]
#[ignore = "slow: fifteen hours"]
fn no_frame_of_an_hour_has_a_wrong_number_of_steps_on_a_steady_display_after_two_seconds() {
    // After how many frames steps at 60 Hz repeat. At 144 Hz a step ends within 0.7 ms of a frame in any case.
    for (hertz, repeats, most_noise_ms) in [(60.0, 1, 0.5), (120.0, 2, 0.5), (144.0, 12, 0.2), (240.0, 4, 0.5)] {
        for noise_ms in [0.0, most_noise_ms / 2.0, most_noise_ms] {
            let steps = steps(hertz, noise_ms, 1);
            let settled = &steps[(2.0 * hertz) as usize..];
            let wrong = settled
                .iter()
                .zip(&settled[repeats..])
                .filter(|(one, other)| one != other)
                .count();
            assert_eq!(wrong, 0, "{hertz} Hz, {noise_ms} ms");
        }
    }
    // A refresh is longer than a step by a thousandth of it, so in every thousandth frame there are two steps.
    let ntsc = 60_000.0 / 1_001.0;
    for noise_ms in [0.0, 0.2, 0.5] {
        let steps = steps(ntsc, noise_ms, 1);
        let settled = &steps[120..];
        assert!(settled.iter().all(|steps| [1, 2].contains(steps)), "{noise_ms} ms");
        let twice = settled.iter().filter(|steps| **steps == 2).count();
        assert!((214..=217).contains(&twice), "{noise_ms} ms: {twice}");
    }
}

/// The animation errors of motion on a display, root mean square in milliseconds: interpolated, and in whole steps at 60 Hz.
#[derive(Debug, Default)]
struct Errors {
    interpolated: f64,
    fixed: f64,
}

impl Errors {
    fn is_worse_than(&self, other: &Self) -> bool {
        self.interpolated > 1.01 * other.interpolated || self.fixed > 1.01 * other.fixed
    }
}

/// Plays frames: `begin` returns the delta, and `end` takes the number of steps and returns when the frame is displayed, in nanoseconds.
fn play<W>(
    filter: &mut dyn DeltaFilter,
    frames: usize,
    world: &mut W,
    begin: fn(&mut W) -> i64,
    end: fn(&mut W, usize) -> i64,
) -> Errors {
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    let (mut last, mut counted) = (None, 0.0_f64);
    let mut sums = Errors::default();
    let square = |value: f64| value * value;
    for _ in 0..frames {
        let delta = Duration::from_nanos(begin(world).unsigned_abs());
        let granted = timestep.advance(filter.apply(delta));
        let displayed = end(world, granted.steps().len());
        let now = (
            1e3 * granted.shown_time(Smoothing::Interpolate).as_secs_f64(),
            1e3 / 60.0 * timestep.tick() as f64,
            displayed as f64 / 1e6,
        );
        // In the first second the filter finds the period.
        if timestep.tick() < 60 {
            continue;
        }
        if let Some((drawn, whole, displayed)) = last.replace(now) {
            let passed = now.2 - displayed;
            sums.interpolated += square(now.0 - drawn - passed);
            sums.fixed += square(now.1 - whole - passed);
            counted += 1.0;
        }
    }
    Errors {
        interpolated: (sums.interpolated / counted).sqrt(),
        fixed: (sums.fixed / counted).sqrt(),
    }
}

/// The same by a clock that is read at these times and shows each frame at its refresh.
fn on_display(filter: &mut dyn DeltaFilter, mut times: &[(i64, i64)]) -> Errors {
    let begin = |times: &mut &[(i64, i64)]| times[1].0 - times[0].0;
    play(filter, times.len() - 1, &mut times, begin, |times, _| {
        *times = &times[1..];
        times[0].1
    })
}

/// Frames read with noise and shown at refreshes of `hertz`, from this time on.
fn read(hertz: f64, noise_ms: f64, seed: u64, frames: usize, from: i64) -> Vec<(i64, i64)> {
    let refresh = |frame: usize| from + (frame as f64 * 1e9 / hertz) as i64 + 1_000_000_000;
    display(hertz, noise_ms, seed)
        .take(frames)
        .enumerate()
        .map(|(frame, at)| (at + from, refresh(frame)))
        .collect()
}

fn assert_no_worse_than_none(name: &str, times: &[(i64, i64)]) {
    let (with, without) = (on_display(&mut DisplayClock::new(), times), on_display(&mut (), times));
    assert!(!with.is_worse_than(&without), "{name}: {with:?}, without {without:?}");
}

#[test]
fn an_exchanged_monitor_a_hitch_and_a_pause_are_no_worse_than_without_a_filter() {
    for noise_ms in [0.2, 0.5, 1.0] {
        for (from, to) in [(60.0, 144.0), (144.0, 60.0), (60.0, 59.94), (120.0, 60.0), (60.0, 75.0)] {
            let mut times = read(from, noise_ms, 1, 10 * from as usize, 0);
            let at = times.last().unwrap().1;
            times.extend(read(
                to,
                noise_ms,
                2,
                10 * to as usize,
                at + (1e9 / to) as i64 - 1_000_000_000,
            ));
            assert_no_worse_than_none(&format!("{from} to {to} Hz, {noise_ms} ms"), &times);
        }
        for refreshes in [2, 5, 12, 20, 600] {
            let mut times = read(60.0, noise_ms, 1, 600, 0);
            times.extend(read(60.0, noise_ms, 2, 600, (600 + refreshes) * 50_000_000 / 3));
            assert_no_worse_than_none(&format!("{refreshes} refreshes, {noise_ms} ms"), &times);
        }
    }
}

#[test]
fn a_coarse_clock_is_no_worse_than_without_a_filter() {
    for hertz in [30.0, 59.94, 60.0, 75.0, 120.0, 144.0, 165.0, 240.0] {
        for unit in [1_000_000, 15_625_000] {
            let mut times = read(hertz, 0.1, 1, 30 * hertz as usize, 0);
            times.iter_mut().for_each(|time| time.0 = time.0 / unit * unit);
            assert_no_worse_than_none(&format!("{hertz} Hz in units of {unit} ns"), &times);
        }
    }
}

/// A program that draws as fast as it can on a display with variable refresh: a frame begins when the one before it is presented.
struct FreeRunning {
    random: fastrand::Rng,
    draw_ms: f64,
    step_ms: f64,
    noise_ms: f64,
    began: i64,
    now: i64,
}

impl FreeRunning {
    fn play(&self, filter: &mut dyn DeltaFilter) -> Errors {
        let mut world = Self {
            random: fastrand::Rng::with_seed(7),
            ..*self
        };
        let begin = |world: &mut Self| world.now - std::mem::replace(&mut world.began, world.now);
        play(filter, 6_000, &mut world, begin, |world, steps| {
            let drawing = world.draw_ms + world.noise_ms * normal(&mut world.random);
            let cost = drawing.max(0.5) + steps as f64 * world.step_ms;
            world.now += (cost * 1e6) as i64;
            world.now
        })
    }
}

#[test]
fn variable_refresh_is_no_worse_than_without_a_filter_also_where_a_frame_costs_what_its_steps_cost() {
    for draw_ms in [4.0, 8.0, 14.0, 25.0] {
        for step_ms in [0.0, 1.0, 3.0, 6.0] {
            for noise_ms in [0.1, 0.5, 2.0] {
                let world = FreeRunning {
                    random: fastrand::Rng::with_seed(7),
                    draw_ms,
                    step_ms,
                    noise_ms,
                    began: 0,
                    now: 0,
                };
                let (with, without) = (world.play(&mut DisplayClock::new()), world.play(&mut ()));
                let name = format!("{draw_ms} ms to draw, {step_ms} ms a step, {noise_ms} ms of noise");
                assert!(!with.is_worse_than(&without), "{name}: {with:?}, without {without:?}");
            }
        }
    }
}

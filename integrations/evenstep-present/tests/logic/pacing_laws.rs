//! Properties of every plan, for any clock, display and frames.

use std::time::Duration;

use evenstep::{Rate, SimTime};
use evenstep_present::{Pacer, Prediction};
use proptest::prelude::*;

fn any_time() -> impl Strategy<Value = Duration> {
    prop_oneof![
        8 => (0..200_000_000_u64).prop_map(Duration::from_nanos),
        1 => Just(Duration::ZERO),
        1 => Just(Duration::MAX),
        1 => (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(secs, nanos)| Duration::new(secs, nanos)),
    ]
}

fn any_rate() -> impl Strategy<Value = Rate> {
    prop_oneof![
        4 => (1..1_000_u32).prop_map(Rate::hz),
        1 => (1..=u32::MAX, 1..=u32::MAX).prop_map(|(numer, denom)| Rate::new(numer, denom).unwrap()),
    ]
}

fn any_prediction() -> impl Strategy<Value = Option<Prediction>> {
    let prediction = (any_time(), any_time(), any_time());
    prop::option::of(prediction.prop_map(|(at, period, uncertainty)| Prediction::new(at, period, uncertainty)))
}

fn any_pacer() -> impl Strategy<Value = Pacer> {
    let settings = (
        any_time(),
        any::<f64>(),
        prop::option::of(any_rate()),
        prop::option::of(any_rate()),
        prop::option::of(any_time()),
    );
    settings.prop_map(|(margin, percent, limit, saving, variable)| {
        let mut pacer = Pacer::new().with_margin(margin).with_percentile(percent);
        pacer.set_limit(limit);
        pacer.set_saving(saving);
        match variable {
            Some(margin) => pacer.with_variable_refresh(margin),
            None => pacer,
        }
    })
}

/// Frames at a display at an even rate: how long each costs, and how long after it the next one is planned.
fn frames() -> impl Strategy<Value = Vec<(Duration, Duration)>> {
    let time = || prop_oneof![9 => 0..8_000_000_u64, 1 => 0..80_000_000_u64].prop_map(Duration::from_nanos);
    prop::collection::vec((time(), time()), 1..200)
}

proptest! {
    #[test]
    fn nothing_panics_and_no_frame_begins_before_its_request(
        mut pacer in any_pacer(),
        frames in prop::collection::vec((any_time(), any_prediction(), any_time()), 1..80),
    ) {
        for (now, next, ready) in frames {
            let plan = pacer.next_frame(now, next);
            prop_assert!(plan.begin >= now);
            prop_assert_eq!(plan.asked, now);
            pacer.finish(plan, ready);
        }
    }

    #[test]
    fn plans_are_for_refreshes_each_for_one_of_its_own_and_begin_before_it(
        frames in frames(),
        hertz in 24..360_u32,
        limit in prop::option::of(any_rate()),
        percent in 0.0..100.0,
    ) {
        let display = Rate::hz(hertz);
        let period = Duration::from_nanos(display.period_nanos());
        let refresh = |tick| SimTime::at_tick(tick, display).to_duration();
        let mut pacer = Pacer::new().with_percentile(percent);
        pacer.set_limit(limit.filter(|limit| limit.as_hz_f64() > 1.0));
        let (mut now, mut last) = (Duration::ZERO, Duration::ZERO);
        for (cost, idle) in frames {
            let tick = (now.as_nanos() * u128::from(hertz) / 1_000_000_000) as u64 + 1;
            let next = Prediction::new(refresh(tick), period, Duration::ZERO);
            let plan = pacer.next_frame(now, Some(next));
            let shown = plan.shown.unwrap();
            let nearest = refresh((shown.as_secs_f64() * f64::from(hertz)).round() as u64);
            prop_assert!(shown.abs_diff(nearest) < Duration::from_micros(2), "{:?} is no refresh", shown);
            prop_assert!(shown > last + period / 2, "{:?} after {:?}", shown, last);
            prop_assert!(plan.begin < shown);
            last = shown;
            now = plan.begin + cost;
            pacer.finish(plan, now);
            now += idle;
        }
    }

    #[test]
    fn no_span_has_more_frames_than_the_limit_allows_and_one(
        frames in frames(), limit in (10..500_u32, 1..5_u32),
    ) {
        let limit = Rate::new(limit.0, limit.1).unwrap();
        let mut pacer = Pacer::new().with_limit(limit);
        let (mut now, mut begins) = (Duration::ZERO, Vec::new());
        for (cost, idle) in frames {
            let plan = pacer.next_frame(now, None);
            begins.push(plan.begin);
            now = plan.begin + cost + idle;
            pacer.finish(plan, plan.begin + cost);
        }
        for (first, begin) in begins.iter().enumerate() {
            for (last, end) in begins.iter().enumerate().skip(first + 1) {
                // Lateness of less than a period is made up for.
                let allowed = SimTime::at_tick((last - first - 1) as u64, limit).to_duration();
                prop_assert!(*end - *begin + Duration::from_nanos(1) >= allowed, "{} frames in {:?}", last - first, *end - *begin);
            }
        }
    }

    #[test]
    fn a_frame_within_its_percentile_is_in_time(costs in prop::collection::vec(0..6_000_u64, 20..300)) {
        // Every cost was in the window that came before: then nothing is missed with all of them in time.
        let worst = Duration::from_micros(6_000);
        let period = Duration::from_millis(10);
        let mut pacer = Pacer::new().with_percentile(100.0);
        let mut now = Duration::ZERO;
        for (frame, cost) in costs.into_iter().enumerate() {
            let cost = if frame % 64 == 0 { worst } else { Duration::from_micros(cost) };
            let refreshes = (now.as_nanos() / period.as_nanos()) as u32 + 1;
            let next = Prediction::new(refreshes * period, period, Duration::ZERO);
            let plan = pacer.next_frame(now, Some(next));
            now = plan.begin + cost;
            if frame >= 8 {
                prop_assert!(now < plan.shown.unwrap());
            }
            pacer.finish(plan, now);
        }
    }
}

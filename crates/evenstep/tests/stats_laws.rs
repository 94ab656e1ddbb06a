//! Statistics of frames for any deltas.

use std::time::Duration;

use evenstep::{FixedTimestep, FrameStats, Rate, SimTime, TimeScale};
use proptest::prelude::*;

fn any_duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        8 => (0..60_000_000_u64).prop_map(Duration::from_nanos),
        1 => Just(Duration::ZERO),
        1 => (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(secs, nanos)| Duration::new(secs, nanos)),
    ]
}

#[test]
fn frames_of_seven_steps_and_more_are_in_the_last_bin() {
    let mut timestep = FixedTimestep::new(Rate::hz(100));
    let mut stats = FrameStats::<5>::new();
    for steps in [6, 7, 8, 5, 0] {
        let delta = Duration::from_millis(10 * steps);
        stats.record(delta, &timestep.advance(delta));
    }
    assert_eq!(stats.steps_per_frame(), [1, 0, 0, 0, 0, 1, 1, 2]);
}

proptest! {
    #[test]
    fn no_statistics_of_any_frames_panic(
        deltas in prop::collection::vec(any_duration(), 0..60), percent in any::<f64>(),
    ) {
        let mut timestep = FixedTimestep::new(Rate::hz(60));
        let (mut stats, mut nothing) = (FrameStats::<16>::new(), FrameStats::<0>::new());
        for delta in &deltas {
            let frame = timestep.advance(*delta);
            stats.record(*delta, &frame);
            nothing.record(*delta, &frame);
            let newest = stats.samples().next_back().unwrap();
            prop_assert_eq!(newest.is_loss(), newest.clamped > Duration::ZERO || newest.dropped > 0);
        }
        prop_assert_eq!((stats.frame_count(), nothing.frame_count()), (deltas.len() as u64, deltas.len() as u64));
        let frames = deltas.len().min(16);
        prop_assert_eq!(stats.steps_per_frame().iter().sum::<u32>() as usize, frames);
        prop_assert_eq!(stats.frame_time_percentile(percent).is_some(), frames > 0);
        prop_assert_eq!(stats.frame_time_percentile(100.0), deltas[deltas.len() - frames..].iter().max().copied());
        prop_assert_eq!(nothing.frame_time_percentile(percent), None);
        let samples: Vec<Duration> = stats.samples().map(|sample| sample.delta).collect();
        prop_assert_eq!(&samples[..], &deltas[deltas.len() - frames..]);
        prop_assert_eq!(nothing.samples().count(), 0);
    }

    #[test]
    fn slow_motion_and_pauses_are_no_animation_error(
        frames in prop::collection::vec((0..100_000_000_u64, 0..40_u32, 1..10_u32, any::<bool>()), 1..60),
        is_scaled_outside in any::<bool>(),
    ) {
        let mut timestep = FixedTimestep::new(Rate::hz(60));
        let mut stats = FrameStats::<64>::new();
        let _ = timestep.advance(Duration::from_millis(100));
        for (nanos, numer, denom, changes) in &frames {
            let delta = Duration::from_nanos(*nanos);
            if is_scaled_outside {
                // An engine that scales time itself, in floats.
                let speed = f64::from(*numer) / f64::from(*denom);
                stats.record_at_speed(delta, speed, &timestep.advance(delta.mul_f64(speed)));
                continue;
            }
            if *changes {
                timestep.set_time_scale(TimeScale::new(*numer, *denom).unwrap());
            }
            let frame = timestep.advance(delta);
            prop_assert_eq!(frame.time_scale(), timestep.time_scale());
            stats.record(delta, &frame);
        }
        for sample in stats.samples().filter(|sample| !sample.is_loss()) {
            prop_assert!(sample.animation_error.unwrap_or(0.0).abs() < 2e-9, "{sample:?}");
        }
    }
}

#[test]
fn a_percentile_is_the_value_of_its_rank_and_neither_of_its_neighbours() {
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    let mut stats = FrameStats::<1000>::new();
    for n in (1..=1000).rev() {
        stats.record(Duration::from_nanos(n), &timestep.advance(Duration::from_nanos(n)));
    }
    let ranks = [
        (0.0, 1),
        (0.1, 1),
        (0.11, 2),
        (50.0, 500),
        (50.04, 501),
        (99.0, 990),
        (99.9, 999),
        (99.91, 1000),
        (100.0, 1000),
    ];
    for (percent, rank) in ranks {
        assert_eq!(
            stats.frame_time_percentile(percent),
            Some(Duration::from_nanos(rank)),
            "{percent}"
        );
    }
}

#[test]
fn a_frame_is_a_loss_if_time_was_clamped_or_steps_were_dropped_and_not_otherwise() {
    let mut timestep = FixedTimestep::new(Rate::hz(100))
        .with_max_steps(2)
        .with_max_delta(Duration::from_millis(50));
    let mut stats = FrameStats::<8>::new();
    for millis in [10, 20, 30, 50, 51] {
        stats.record(
            Duration::from_millis(millis),
            &timestep.advance(Duration::from_millis(millis)),
        );
    }
    timestep.set_max_steps(None);
    stats.record(Duration::from_millis(51), &timestep.advance(Duration::from_millis(51)));
    let losses: Vec<bool> = stats.samples().map(|sample| sample.is_loss()).collect();
    assert_eq!(losses, [false, false, true, true, true, true]);
    let causes: Vec<(bool, u64)> = stats
        .samples()
        .map(|sample| (sample.clamped.is_zero(), sample.dropped))
        .collect();
    assert_eq!(
        causes,
        [(true, 0), (true, 0), (true, 1), (true, 3), (false, 3), (false, 0)]
    );
}

#[test]
fn statistics_of_no_frames_have_no_error() {
    let error = FrameStats::<8>::new().animation_error_rms();
    assert_eq!(error.to_bits(), 0.0_f64.to_bits(), "{error:?}");
}

#[test]
fn a_frame_has_an_animation_error_if_a_step_was_drawn_before_it_also_after_a_reset() {
    let mut timestep = FixedTimestep::new(Rate::hz(100));
    let mut stats = FrameStats::<8>::new();
    for millis in [4, 6, 0, 4, 10, 10] {
        if millis == 0 {
            timestep.reset();
            continue;
        }
        let delta = Duration::from_millis(millis);
        stats.record(delta, &timestep.advance(delta));
    }
    let errors: Vec<bool> = stats.samples().map(|sample| sample.animation_error.is_some()).collect();
    assert_eq!(errors, [false, false, false, false, true]);
}

#[test]
fn statistics_distinguish_pauses_from_slow_frames() {
    let mut timestep = FixedTimestep::new(Rate::hz(100)).with_max_steps(5);
    let mut stats = FrameStats::<8>::new();
    let mut record = |timestep: &mut FixedTimestep, millis| {
        let delta = Duration::from_millis(millis);
        stats.record(delta, &timestep.advance(delta));
    };
    record(&mut timestep, 20);
    record(&mut timestep, 20);
    timestep.pause();
    timestep.resume();
    record(&mut timestep, 9_000);
    record(&mut timestep, 300);
    assert_eq!(stats.paused(), Duration::from_secs(9));
    assert_eq!((stats.clamped(), stats.dropped()), (Duration::from_millis(50), 20));
    // Only the last frame moved on by less than the display: 5 steps instead of 30.
    assert!((stats.animation_error_rms() - 0.25 / 2.0_f64.sqrt()).abs() < 1e-9);
    assert_eq!(stats.frame_time_percentile(50.0), Some(Duration::from_millis(20)));
}

#[test]
fn a_frame_without_a_speed_and_one_before_the_first_step_have_no_animation_error() {
    let ms = Duration::from_millis;
    for (speed, has_error) in [
        (-1.0, false),
        (0.0, false),
        (1e-9, true),
        (f64::INFINITY, false),
        (f64::NAN, false),
    ] {
        let (mut timestep, mut stats) = (FixedTimestep::new(Rate::hz(100)), FrameStats::<4>::new());
        for shown in [0, 10] {
            let shown = SimTime::at(ms(shown));
            stats.record_shown(ms(10), speed, shown, &timestep.advance(ms(10)));
        }
        let newest = stats.samples().next_back().unwrap();
        assert_eq!(newest.animation_error.is_some(), has_error, "at the speed {speed}");
    }
    // At tick 1 the first state is shown, which is also what the first frame after a reset shows.
    let (mut timestep, mut stats) = (FixedTimestep::new(Rate::hz(100)), FrameStats::<4>::new());
    stats.record(ms(10), &timestep.advance(ms(10)));
    timestep.reset();
    stats.record(ms(5), &timestep.advance(ms(5)));
    assert_eq!(stats.samples().next_back().unwrap().animation_error, None);
}

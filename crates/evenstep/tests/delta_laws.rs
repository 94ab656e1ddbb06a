//! Filters conserve time for any deltas.

use std::time::Duration;

use evenstep::filter::{Clamp, DeltaFilter, DisplayClock, MovingAverage, Snap};
use evenstep::{FixedTimestep, FrameStats, Rate, SimTime, TimeScale};
use proptest::prelude::*;

fn any_duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        8 => (0..60_000_000_u64).prop_map(Duration::from_nanos),
        1 => Just(Duration::ZERO),
        1 => (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(secs, nanos)| Duration::new(secs, nanos)),
    ]
}

fn any_refresh() -> impl Strategy<Value = Rate> {
    prop_oneof![
        Just(Rate::hz(60)),
        Just(Rate::new(60_000, 1_001).unwrap()),
        (1..=u32::MAX, 1..=u32::MAX).prop_map(|(numer, denom)| Rate::new(numer, denom).unwrap()),
    ]
}

/// Feeds deltas, and checks after each that the residual is the sum of inputs less the sum of outputs.
fn assert_conserved(filter: &mut impl DeltaFilter, deltas: &[Duration], bound: impl Fn(Duration) -> i128) {
    let (mut came_in, mut given, mut longest) = (0_i128, 0_i128, Duration::ZERO);
    for delta in deltas {
        came_in += delta.as_nanos() as i128;
        given += filter.apply(*delta).as_nanos() as i128;
        longest = longest.max(*delta);
        assert_eq!(filter.residual(), came_in - given);
        assert!(filter.residual().abs() <= bound(longest), "{} ns", filter.residual());
    }
}

proptest! {
    #[test]
    fn snapping_owes_no_more_than_its_tolerance(
        refresh in any_refresh(),
        deltas in prop::collection::vec(any_duration(), 1..200),
    ) {
        let tolerance = refresh.period_nanos() / 8 + 1;
        assert_conserved(&mut Snap::to(refresh), &deltas, |_| tolerance.into());
        // An estimate is the mean of deltas that were received.
        assert_conserved(&mut Snap::estimating(), &deltas, |longest| longest.as_nanos() as i128 / 8);
    }

    #[test]
    fn averaging_owes_no_more_than_its_window_of_the_longest_delta(deltas in prop::collection::vec(any_duration(), 1..200)) {
        assert_conserved(&mut MovingAverage::<8>::new(), &deltas, |longest| 8 * longest.as_nanos() as i128);
    }

    #[test]
    fn no_filter_is_ahead_of_the_clock_by_more_than_its_lead(
        refresh in any_refresh(),
        deltas in prop::collection::vec(
            prop_oneof![
                4 => any_duration(),
                8 => (15_000_000..18_000_000_u64).prop_map(Duration::from_nanos),
                1 => (0..300_000_000_u64).prop_map(Duration::from_nanos),
            ],
            1..300,
        ),
    ) {
        let filters: [Box<dyn DeltaFilter>; 8] = [
            Box::new(()),
            Box::new(Clamp::default()),
            Box::new(Snap::to(refresh)),
            Box::new(Snap::to(Rate::hz(60))),
            Box::new(Snap::estimating()),
            Box::new(MovingAverage::<8>::new()),
            Box::new(DisplayClock::new()),
            Box::new((MovingAverage::<8>::new(), Snap::estimating())),
        ];
        for mut filter in filters {
            let lead = filter.max_lead().as_nanos() as i128;
            prop_assert!(lead <= 5_000_000);
            for delta in &deltas {
                filter.apply(*delta);
                prop_assert!(filter.residual() >= -lead, "{} ns", filter.residual());
            }
        }
    }

    #[test]
    fn a_residual_returns_to_zero_when_the_deltas_are_even(
        deltas in prop::collection::vec((0..60_000_000_u64).prop_map(Duration::from_nanos), 1..50),
    ) {
        let mut average = MovingAverage::<8>::new();
        let mut snap = Snap::to(Rate::hz(60));
        for delta in deltas {
            average.apply(delta);
            snap.apply(delta);
        }
        for _ in 0..500 {
            average.apply(Duration::from_millis(20));
        }
        prop_assert_eq!(average.residual(), 0);
        snap.apply(Duration::from_millis(25)); // midway between multiples
        prop_assert_eq!(snap.residual(), 0);
    }

    #[test]
    fn filters_in_a_row_conserve_all_time_that_is_not_clamped(
        deltas in prop::collection::vec((0..1_000_000_000_000_u64).prop_map(Duration::from_nanos), 1..100),
    ) {
        let mut filter = (Clamp::default(), (Snap::estimating(), MovingAverage::<4>::new()));
        let (mut came_in, mut given) = (0, 0);
        for delta in deltas {
            came_in += delta.as_nanos() as i128;
            given += filter.apply(delta).as_nanos() as i128;
        }
        prop_assert_eq!(filter.residual(), came_in - given - filter.0.lost().as_nanos() as i128);
    }

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
        }
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
fn noise_on_a_display_at_a_fractional_rate_is_removed_without_drift() {
    let ntsc = Rate::new(60_000, 1_001).unwrap();
    let mut snap = Snap::to(ntsc);
    let vsync = |n: u64| Duration::from_nanos(n * 1_001_000_000 / 60);
    let mut sum = Duration::ZERO;
    let mut last = Duration::ZERO;
    for n in 1..=60_000 {
        let noise = Duration::from_micros(n * 7_919 % 1_000);
        let seen = vsync(n) + noise;
        sum += snap.apply(seen - last);
        last = seen;
        assert!(sum.abs_diff(vsync(n)) <= Duration::from_nanos(1), "frame {n}");
    }
}

#[test]
fn a_simulation_at_the_displays_own_rate_runs_one_step_in_every_snapped_frame() {
    for display in [
        (60_000, 1_001),
        (60, 1),
        (75, 1),
        (144, 1),
        (165, 1),
        (240, 1),
        (1_000_003, 7),
    ] {
        let display = Rate::new(display.0, display.1).unwrap();
        let refresh = |n: u64| SimTime::at_tick(n, display).to_duration();
        let (mut snap, mut timestep, mut last) = (Snap::to(display), FixedTimestep::new(display), Duration::ZERO);
        for n in 1..=10_000 {
            let noise = refresh(1).mul_f64((n * 7_919 % 1_000) as f64 / 1e4);
            let seen = refresh(n) + noise;
            let frame = timestep.advance(snap.apply(seen - last));
            last = seen;
            assert_eq!(frame.steps().len(), 1, "frame {n} at {display}");
        }
    }
}

#[test]
fn the_refresh_rate_is_estimated_and_noise_removed() {
    let mut snap = Snap::estimating();
    let noise = |n: u64| Duration::from_micros(n * 37 % 200);
    let mut last = Duration::ZERO;
    let mut worst = Duration::ZERO;
    for n in 1..=200_u64 {
        let seen = Duration::from_nanos(n * 6_944_444) + noise(n);
        let given = snap.apply(seen - last);
        last = seen;
        if n > 40 {
            worst = worst.max(given.abs_diff(Duration::from_nanos(6_944_444)));
        }
    }
    assert!(worst < Duration::from_micros(20), "{worst:?}");
}

#[test]
fn a_clock_of_whole_milliseconds_at_3000_frames_a_second_gives_exact_totals() {
    let seen = |n: u64| Duration::from_millis(n / 3);
    for filter in [
        &mut () as &mut dyn DeltaFilter,
        &mut Snap::to(Rate::hz(3000)),
        &mut Snap::estimating(),
        &mut MovingAverage::<16>::new(),
    ] {
        let mut timestep = FixedTimestep::new(Rate::hz(60));
        let mut given = Duration::ZERO;
        for n in 1..=30_000 {
            let delta = filter.apply(seen(n) - seen(n - 1));
            given += delta;
            let _ = timestep.advance(delta);
        }
        assert_eq!(
            filter.residual(),
            Duration::from_secs(10).as_nanos() as i128 - given.as_nanos() as i128
        );
        assert!(filter.residual().abs() < 1_000_000);
        assert!((599..=600).contains(&timestep.tick()));
    }
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
    timestep.suspend();
    timestep.resume();
    record(&mut timestep, 9_000);
    record(&mut timestep, 300);
    assert_eq!(stats.suspended(), Duration::from_secs(9));
    assert_eq!((stats.clamped(), stats.dropped()), (Duration::from_millis(50), 20));
    // Only the last frame moved on by less than the display: 5 steps instead of 30.
    assert!((stats.animation_error_mean_square() - 0.25 * 0.25 / 2.0).abs() < 1e-9);
    assert_eq!(stats.frame_time_percentile(50.0), Some(Duration::from_millis(20)));
    assert_eq!(stats.alpha_range(), Some((0.0, 0.0, 0.0)));
}

#[test]
fn a_pause_menu_is_neither_lost_nor_an_animation_error() {
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    let mut stats = FrameStats::<600>::new();
    let mut record = |timestep: &mut FixedTimestep, delta| stats.record(delta, &timestep.advance(delta));
    record(&mut timestep, Duration::from_millis(50));
    timestep.set_time_scale(TimeScale::PAUSED);
    (0..300).for_each(|_| record(&mut timestep, Duration::from_millis(16)));
    record(&mut timestep, Duration::from_secs(5)); // the menu drew no frames
    timestep.set_time_scale(TimeScale::new(1, 2).unwrap());
    (0..200).for_each(|_| record(&mut timestep, Duration::from_millis(16)));
    assert_eq!((stats.clamped(), stats.dropped()), (Duration::ZERO, 0));
    assert!(stats.animation_error_mean_square() < 1e-18);
    assert_eq!(
        stats
            .samples()
            .filter(|sample| sample.animation_error.is_some())
            .count(),
        200
    );
}

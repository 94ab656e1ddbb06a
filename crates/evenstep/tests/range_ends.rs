//! What calls do at the ends of their ranges, as their documentation says: zero, the largest number, infinity and NaN.

use std::time::Duration;

use evenstep::filter::{PlaybackClock, PlaybackReport, RefreshClock};
use evenstep::follow::{Follower, Look};
use evenstep::poses::{Pose2, Poses2, Quat, Rot2};
use evenstep::{
    Angle, Blend, FixedTimestep, FrameClock, FrameStats, PositionVelocity, Rate, SimTime, Smoothed, Smoothing,
};

const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn an_alpha_beyond_its_range_counts_as_the_nearer_end_and_nan_draws_nan() {
    let mut smoothed = Smoothed::new(1.0_f64);
    let mut poses = Poses2::new();
    let body = poses.push(Pose2::new([1.0, 0.0], Rot2::IDENTITY));
    smoothed.begin_step();
    poses.begin_step();
    smoothed.set(3.0);
    poses.set(body, Pose2::new([3.0, 0.0], Rot2::IDENTITY));
    let mut drawn = [Pose2::IDENTITY];
    for (alpha, expected) in [
        (f64::NEG_INFINITY, 1.0),
        (-1.0, 1.0),
        (0.0, 1.0),
        (1.0, 3.0),
        (2.0, 3.0),
        (f64::INFINITY, 3.0),
    ] {
        poses.blend_range(0, alpha, &mut drawn);
        let all = [smoothed.at(alpha), 1.0.blend(&3.0, alpha), drawn[0].position[0].into()];
        assert_eq!(all, [expected; 3], "alpha {alpha}");
    }
    poses.blend_range(0, f64::NAN, &mut drawn);
    assert!(smoothed.at(f64::NAN).is_nan() && drawn[0].position[0].is_nan());
}

#[test]
fn no_time_extrapolates_nothing() {
    let state = |position| PositionVelocity {
        position,
        velocity: 1e3,
    };
    let mut smoothed = Smoothed::new(state(1.0));
    smoothed.begin_step();
    smoothed.set(state(2.0));
    let ahead = |dt, horizon| smoothed.drawn(Smoothing::Extrapolate { horizon }, 0.5, dt).position;
    assert_eq!(ahead(0.0, Duration::MAX), 2.0);
    assert_eq!(ahead(-1.0, Duration::MAX), 2.0);
    assert_eq!(ahead(1.0, Duration::ZERO), 2.0);
    assert_eq!(ahead(f64::INFINITY, ms(1)), 3.0);
}

#[test]
fn turns_are_at_most_half_a_turn_and_nan_has_none() {
    for radians in [0.0, -0.0, 1e300, -1e300, f64::MAX, f64::MIN_POSITIVE] {
        let turn = Angle::new(1.0).turn_to(Angle::new(radians));
        assert!(turn.abs() <= std::f64::consts::PI, "{radians}");
    }
    assert!(Angle::new(f64::NAN).turn_to(Angle::new(0.0)).is_nan());
    for radians in NOT_FINITE {
        let (in_plane, in_space) = (
            Rot2::from_radians(radians as f32),
            Quat::from_scaled_axis([0.0, 0.0, radians as f32]),
        );
        assert!(
            in_plane.cos.is_nan() && in_plane.sin.is_nan() && in_space.w.is_nan(),
            "{radians}"
        );
    }
    assert_eq!(Quat::from_scaled_axis([0.0; 3]), Quat::IDENTITY);
}

#[test]
fn a_camera_takes_no_setting_that_it_cannot_use() {
    let step = |follower: &mut Follower<1>| {
        follower.step([10.0], 0.1);
        follower.at(1.0)[0]
    };
    for number in NOT_FINITE {
        assert_eq!(step(&mut Follower::new([0.0]).with_offset([number])), 10.0, "offset");
        assert_eq!(
            step(&mut Follower::new([0.0]).with_limits([number], [number])),
            10.0,
            "limits"
        );
        assert_eq!(step(&mut Follower::new([number])), 10.0, "first target");
    }
    for (radius, expected) in [(f64::NAN, 10.0), (-1.0, 10.0), (f64::INFINITY, 0.0)] {
        assert_eq!(
            step(&mut Follower::new([0.0]).with_dead_zone(radius)),
            expected,
            "{radius}"
        );
    }
    let slow = step(&mut Follower::new([0.0]).with_lag(Duration::MAX));
    assert!((0.0..0.001).contains(&slow), "{slow}");
    assert!(step(&mut Follower::new([0.0]).with_look_ahead(Duration::MAX)).is_finite());
}

#[test]
fn a_pitch_limit_has_no_sign_and_may_be_none() {
    for (limit, expected) in [(0.0, 0.0), (-0.5, 0.5), (f64::NAN, 7.0), (f64::INFINITY, 7.0)] {
        let mut look = Look::new().with_pitch_limit(limit);
        look.turn(ms(1), 0.0, 7.0);
        assert_eq!(look.angles().pitch, expected, "limit {limit}");
    }
}

#[test]
fn percentages_beyond_their_range_count_as_the_nearer_and_nan_as_zero() {
    let mut stats = FrameStats::<4>::new();
    let mut timestep = FixedTimestep::new(Rate::hz(100));
    assert_eq!(stats.frame_time_percentile(50.0), None);
    for millis in [1, 2, 3, 4] {
        let frame = timestep.advance(ms(millis));
        for speed in NOT_FINITE.into_iter().chain([0.0, -1.0]) {
            stats.record_at_speed(ms(millis), speed, &frame);
            assert!(stats.samples().all(|sample| sample.animation_error.is_none()));
        }
    }
    for millis in [1, 2, 3, 4] {
        stats.record(ms(millis), &timestep.advance(ms(millis)));
    }
    let percentiles = [f64::NAN, -5.0, f64::NEG_INFINITY, 105.0, f64::INFINITY];
    let expected = [1, 1, 1, 4, 4].map(|millis| Some(ms(millis)));
    assert_eq!(
        percentiles.map(|percent| stats.frame_time_percentile(percent)),
        expected
    );
}

#[test]
fn measurements_of_loops_saturate() {
    let mut frames = FrameStats::<2>::new();
    let frame = FixedTimestep::new(Rate::hz(1)).advance(Duration::MAX);
    for _ in 0..3 {
        frames.record(Duration::MAX, &frame);
    }
    assert!((0.0..1e-9).contains(&frames.real_time_factor()) && (0.0..1e-9).contains(&frames.total_real_time_factor()));
}

#[test]
fn clocks_that_follow_saturate() {
    let (mut song, mut display) = (PlaybackClock::new(), RefreshClock::new(Rate::hz(u32::MAX)));
    assert_eq!(
        (song.time_at(Duration::MAX), song.position()),
        (Duration::ZERO, Duration::ZERO)
    );
    for now in [Duration::ZERO, ms(1), Duration::MAX, Duration::ZERO] {
        let mut report = |at, position| song.report(PlaybackReport { at, position });
        report(now, Duration::MAX);
        report(Duration::MAX, Duration::ZERO);
        report(Duration::ZERO, ms(5));
        let (time, of_display) = (song.begin_frame(now), display.begin_frame(now));
        assert!(song.time_at(Duration::MAX) >= time.now() && song.speed().is_finite());
        assert!(display.time_at(Duration::MAX) >= of_display.now() && display.speed().is_finite());
    }
}

#[test]
fn times_at_the_ends_are_exact_or_saturate() {
    assert_eq!(Rate::hz(u32::MAX).period_nanos(), 0);
    assert_eq!(
        SimTime::at_tick(u64::MAX, Rate::new(1, u32::MAX).unwrap()).secs(),
        u64::MAX
    );
    assert_eq!((SimTime::ZERO - SimTime::at(Duration::MAX)).secs(), 0);
    let mut clock = FrameClock::unfiltered();
    assert_eq!(clock.begin_frame(Duration::MAX).delta, Duration::ZERO);
    assert_eq!(clock.begin_frame(Duration::ZERO).delta, Duration::ZERO);
}

#[test]
fn loops_without_a_window_are_counted() {
    let mut frames = FrameStats::<0>::new();
    let mut timestep = FixedTimestep::new(Rate::hz(100));
    assert_eq!(frames.total_real_time_factor(), 1.0, "before any time");
    frames.record(ms(10), &timestep.advance(ms(10)));
    assert_eq!((frames.real_time_factor(), frames.total_real_time_factor()), (1.0, 1.0));
}

mod on_a_thread {
    use std::time::Instant;

    use evenstep::thread::{SimWorker, Simulation, StepInput, Wake};
    use evenstep::{Step, TimeScale};

    use super::*;

    #[derive(Default)]
    struct Inputs(Vec<u32>);

    impl Simulation for Inputs {
        type Input = u32;
        type Snapshot = Vec<u32>;

        fn step(&mut self, _: &Step, input: &mut StepInput<'_, u32>) {
            self.0.extend(input);
        }

        fn snapshot(&self) -> Vec<u32> {
            self.0.clone()
        }
    }

    const CENTURY: Duration = Duration::from_secs(3_000_000_000);

    #[test]
    fn a_simulation_takes_every_instant_and_every_speed() {
        let origin = Instant::now() + ms(1);
        let timestep = FixedTimestep::new(Rate::hz(100)).with_max_steps(4);
        let (mut worker, mut remote) = SimWorker::new(timestep, Inputs::default(), origin);
        for (at, input) in [(origin - ms(1), 1), (origin + CENTURY, 3), (origin, 2)] {
            assert_eq!(remote.send(at, input), Ok(()));
        }
        assert_eq!(worker.advance(|| origin + ms(10)), Wake::At(origin + ms(20)));
        assert_eq!(
            worker.advance(|| origin - ms(1)),
            Wake::At(origin + ms(20)),
            "the clock goes back"
        );
        let mut view = |at| {
            let view = remote.view(at);
            assert_eq!((view.tick, &**view.current), (1, &[1, 2][..]), "the third waits");
            view.alpha
        };
        assert_eq!(view(origin - ms(1)), 0.0);
        let far = view(origin + CENTURY);
        assert!((0.99..1.0).contains(&far), "{far}");
        assert_eq!(view(origin), far, "views do not go back");

        remote.set_time_scale(TimeScale::new(u32::MAX, 1).unwrap());
        let _ = worker.advance(|| origin + ms(11));
        let _ = worker.advance(|| origin + ms(12));
        let view = remote.view(origin + ms(12));
        assert!(view.stats.dropped > 1_000_000, "{:?}", view.stats);
        assert_eq!(view.current, &[1, 2], "the time of input is that of the real clock");
    }

    #[test]
    fn a_step_beyond_the_last_instant_waits_for_commands() {
        let slowest = FixedTimestep::new(Rate::new(1, u32::MAX).unwrap())
            .with_max_delta(Duration::MAX)
            .with_time_scale(TimeScale::new(1, u32::MAX).unwrap());
        let start = Instant::now();
        let (mut worker, remote) = SimWorker::new(slowest, Inputs::default(), start);
        assert_ne!(
            worker.advance(|| start + ms(1)),
            Wake::At(start + ms(1)),
            "it would be asked at once, for ever"
        );
        remote.stop();
        assert_eq!(worker.advance(|| start + ms(1)), Wake::Stopped);
    }

    #[test]
    fn input_without_a_simulation_is_returned_and_not_counted_and_the_last_state_stays() {
        let start = Instant::now();
        let (mut worker, mut remote) = SimWorker::new(FixedTimestep::new(Rate::hz(100)), Inputs::default(), start);
        let _ = worker.advance(|| start + ms(10));
        drop(worker);
        assert_eq!(remote.send(start, 9), Err(9));
        let view = remote.view(start);
        assert_eq!((view.tick, view.stats.input.refused), (1, 0));
    }
}

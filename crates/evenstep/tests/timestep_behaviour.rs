//! What a program sees of a `FixedTimestep`, case by case.

use std::time::Duration;

use evenstep::schedule::Schedule;
use evenstep::{FixedTimestep, Frame, FrameClock, Overrun, Rate, SimTime, Smoothing, Step, TimeScale};

mod next_step;

const MS: Duration = Duration::from_millis(1);

fn steps(frame: Frame) -> usize {
    frame.steps().len()
}

#[test]
fn slow_motion_to_a_tenth_runs_a_tenth_of_the_steps() {
    let mut timestep = FixedTimestep::new(Rate::hz(60)).with_time_scale(TimeScale::new(1, 10).unwrap());
    let total: usize = (0..1000).map(|_| steps(timestep.advance(10 * MS))).sum();
    assert_eq!(total, 60);
}

#[test]
fn steps_are_equal_if_tick_and_length_are() {
    let rate = Rate::hz(100);
    let frame = FixedTimestep::new(rate).advance(25 * MS);
    let steps: Vec<Step> = frame.steps().collect();
    assert_eq!(steps, [Step::new(0, rate), Step::new(1, rate)]);
    assert!(!steps[0].is_last() && Step::new(0, rate).is_last());
    let others = [Step::new(0, rate), Step::new(2, rate), Step::new(1, Rate::hz(99))];
    for other in others {
        assert_ne!(steps[1], other);
    }
    let rest = frame.remainder();
    assert_eq!((rest, rest.tick), (frame.remainder(), 2));
    assert_ne!(rest, Step::new(2, rate));
}

#[test]
fn a_step_starts_where_the_one_before_it_ends_and_its_f32_is_its_dt_rounded_once() {
    for rate in [
        Rate::hz(1),
        Rate::hz(60),
        Rate::hz(1_000),
        Rate::new(24_000, 1_001).unwrap(),
    ] {
        for tick in [0, 1, 2, 1_000_000_007] {
            let (step, next) = (Step::new(tick, rate), Step::new(tick + 1, rate));
            assert_eq!(step.start(), SimTime::at_tick(tick, rate));
            assert_eq!(next.start(), step.end());
            assert_eq!(step.dt_f32().to_bits(), (rate.period_secs_f64() as f32).to_bits());
        }
    }
}

#[test]
fn every_step_has_the_same_dt_at_any_scale() {
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    let mut lengths: Vec<Step> = Vec::new();
    for tenths in [10, 1, 30, 7] {
        timestep.set_time_scale(TimeScale::new(tenths, 10).unwrap());
        for _ in 0..20 {
            lengths.extend(timestep.advance(16 * MS).steps());
        }
    }
    assert!(lengths.len() > 50);
    assert!(
        lengths
            .iter()
            .all(|step| step.dt.to_bits() == (1.0_f64 / 60.0).to_bits())
    );
    assert!(
        lengths
            .iter()
            .enumerate()
            .all(|(index, step)| step.tick == index as u64)
    );
}

#[test]
fn a_delta_beyond_the_limit_is_clamped_and_reported_separately_from_dropped_steps() {
    let mut timestep = FixedTimestep::new(Rate::hz(100)).with_max_steps(5);
    let frame = timestep.advance(Duration::from_secs(10));
    assert_eq!(steps(frame), 5);
    assert_eq!(frame.lost().clamped, Duration::from_millis(9_750));
    assert_eq!(frame.lost().dropped, 20);
    assert!(!frame.is_behind());
}

#[test]
fn policies_that_keep_time_lose_nothing_of_a_frame_within_their_backlog() {
    let second = Duration::from_secs(1);
    let carry = Overrun::Carry { max_backlog: second };
    let stretch = Overrun::Stretch {
        max_speed: TimeScale::new(2, 1).unwrap(),
    };
    for overrun in [carry, stretch] {
        for hz in [30, 60, 1000] {
            let mut timestep = FixedTimestep::new(Rate::hz(hz)).with_overrun(overrun);
            assert_eq!(
                (timestep.max_delta(), timestep.max_steps()),
                (Duration::MAX, hz.div_ceil(4))
            );
            for delta in [400 * MS, second, 10 * MS, 900 * MS] {
                let frame = timestep.advance(delta);
                assert!(frame.lost().is_none(), "{:?}", frame.lost());
                assert!(steps(frame) <= timestep.max_steps() as usize, "the spiral of death");
                while timestep.advance(10 * MS).is_behind() {}
            }

            let mut schedule = Schedule::new();
            schedule.set_overrun(overrun);
            let task = schedule.add(Rate::hz(hz));
            assert!(schedule.advance(400 * MS).is_none());
            assert!(schedule.advance(Duration::ZERO).is_none());
            for _ in 0..100 {
                while schedule.next_step().is_some() {}
                assert!(schedule.advance(10 * MS).is_none());
            }
            while schedule.next_step().is_some() {}
            assert_eq!(schedule.tick(task), Some(u64::from(hz) * 1_400 / 1_000));
        }
    }
}

#[test]
fn steps_given_back_follow_the_policy() {
    for (overrun, tick, dropped, behind) in [
        (Overrun::Drop, 2, 2, false),
        (Overrun::Carry { max_backlog: 10 * MS }, 2, 1, true),
        (
            Overrun::Stretch {
                max_speed: TimeScale::NORMAL,
            },
            2,
            0,
            true,
        ),
    ] {
        let mut timestep = FixedTimestep::new(Rate::hz(100)).with_overrun(overrun);
        let frame = timestep.advance(45 * MS);
        let alpha = frame.alpha();
        let frame = timestep.give_back(frame, 2);
        assert_eq!(
            (frame.tick(), frame.lost().dropped, frame.is_behind()),
            (tick, dropped, behind)
        );
        assert_eq!(frame.alpha(), alpha);
        assert_eq!(timestep.tick(), tick);
    }
}

#[test]
fn every_smoothing_shows_the_time_of_the_pose_that_it_draws() {
    let frame = FixedTimestep::new(Rate::hz(100)).advance(Duration::from_millis(25));
    let horizon = Duration::from_secs(1);
    for (smoothing, millis) in [
        (Smoothing::None, 20),
        (Smoothing::Interpolate, 15),
        (Smoothing::Hermite, 15),
        (Smoothing::Extrapolate { horizon }, 25),
    ] {
        let expected = SimTime::at(Duration::from_millis(millis));
        assert_eq!(frame.shown_time(smoothing), expected, "{smoothing:?}");
    }
}

#[test]
fn policies_that_keep_time_are_told_from_those_that_drop_it() {
    assert!(!Overrun::Drop.keeps_time());
    assert!(Overrun::Carry { max_backlog: MS }.keeps_time());
    let max_speed = TimeScale::new(3, 2).unwrap();
    assert!(Overrun::Stretch { max_speed }.keeps_time());
}

#[test]
fn clamped_time_and_dropped_steps_are_losses_and_pauses_are_none() {
    let settings = || {
        FixedTimestep::new(Rate::hz(100))
            .with_max_delta(30 * MS)
            .with_max_steps(2)
    };
    let is_none = |delta: Duration| settings().advance(delta).lost().is_none();
    assert!(is_none(20 * MS));
    assert!(!is_none(30 * MS), "a step is dropped");
    let mut roomy = settings().with_max_steps(3);
    assert!(!roomy.advance(31 * MS).lost().is_none(), "a millisecond is clamped");
    roomy.pause();
    assert!(roomy.advance(31 * MS).lost().is_none());
}

#[test]
fn a_step_is_due_before_its_frame_by_its_lateness_and_the_remainder_is_the_rest() {
    let (mut clock, mut timestep) = (FrameClock::unfiltered(), FixedTimestep::new(Rate::hz(100)));
    clock.begin_frame(1000 * MS);
    let time = clock.begin_frame(1025 * MS);
    let frame = timestep.advance(time.delta);
    let due: Vec<_> = frame.steps().map(|step| frame.due(&time, &step)).collect();
    assert_eq!(due, [1010 * MS, 1020 * MS]);
    let remainder = frame.remainder();
    assert_eq!((remainder.tick, remainder.duration()), (2, 5 * MS));
}

#[test]
fn a_timestep_that_restarts_at_another_rate_is_a_new_one_with_its_settings() {
    let settings = |rate| {
        let timestep = FixedTimestep::new(rate)
            .with_max_steps(7)
            .with_overrun(Overrun::Carry { max_backlog: 500 * MS });
        timestep.with_time_scale(TimeScale::new(1, 3).unwrap())
    };
    for rate in [
        Rate::hz(1),
        Rate::hz(59),
        Rate::new(60_000, 1_001).unwrap(),
        Rate::hz(2_700),
    ] {
        for before in 0..40 {
            let mut restarted = settings(Rate::hz(60));
            (0..before).for_each(|n| _ = restarted.advance((7 + n * 13) * MS));
            restarted.restart_at(rate);
            let mut fresh = settings(rate);
            for n in 0..40 {
                let [restarted, fresh] =
                    [&mut restarted, &mut fresh].map(|timestep| timestep.advance((3 + n * 7) * MS));
                let figures = |frame: Frame| (frame.tick(), frame.step_count(), frame.alpha().to_bits(), frame.lost());
                assert_eq!(figures(restarted), figures(fresh), "{rate:?}, {before} frames before");
            }
        }
    }
}

//! Tests of schedules.

use alloc::vec::Vec;

use super::*;
use crate::step::Overrun;
use crate::time::TimeScale;

fn steps(schedule: &mut Schedule) -> Vec<(TaskId, Tick)> {
    core::iter::from_fn(|| schedule.next_step())
        .map(|(task, step)| (task, step.tick))
        .collect()
}

#[test]
fn phases_spread_tasks_of_one_rate_over_frames() {
    let mut schedule = Schedule::new();
    let tasks: Vec<_> = (0..4)
        .map(|n| schedule.add_with_phase(Rate::hz(10), Duration::from_millis(25 * n)))
        .collect();
    let mut most = 0;
    for _ in 0..400 {
        let _ = schedule.advance(Duration::from_millis(10));
        most = most.max(steps(&mut schedule).len());
    }
    assert_eq!(most, 1);
    assert!(
        tasks
            .iter()
            .all(|task| schedule.tick(*task).is_some_and(|tick| (39..=40).contains(&tick)))
    );
}

#[test]
fn a_refused_step_is_returned_again_and_nothing_overtakes_it() {
    let mut schedule = Schedule::new();
    let fast = schedule.add(Rate::hz(100));
    let slow = schedule.add(Rate::hz(50));
    let _ = schedule.advance(Duration::from_millis(20));
    assert_eq!(
        schedule.next_step().map(|(task, step)| (task, step.tick)),
        Some((fast, 0))
    );
    assert!(schedule.refuse());
    assert!(!schedule.refuse());
    let _ = schedule.advance(Duration::from_millis(1));
    assert_eq!(steps(&mut schedule), [(fast, 0), (fast, 1), (slow, 0)]);
}

#[test]
fn steps_that_pile_up_are_given_up_by_all_tasks_alike() {
    let mut schedule = Schedule::new();
    schedule.set_max_behind(Duration::from_millis(100));
    let fast = schedule.add(Rate::hz(100));
    let slow = schedule.add(Rate::hz(10));
    let mut dropped = 0.0;
    for _ in 0..50 {
        dropped += schedule.advance(Duration::from_millis(20)).dropped.as_secs_f64();
    }
    assert!((dropped - 0.89).abs() < 1e-12, "{dropped}"); // the first ends after 10 ms, and waits for 100
    assert_eq!(steps(&mut schedule).len(), 12);
    assert_eq!((schedule.tick(fast), schedule.tick(slow)), (Some(11), Some(1)));
}

#[test]
fn due_steps_are_limited_also_while_the_speed_changes() {
    for slews in [[1000, 1000], [1000, 1001], [900, 1100]] {
        let mut schedule = Schedule::new();
        schedule.set_max_behind(Duration::from_millis(100));
        let task = schedule.add(Rate::hz(100));
        let mut dropped = 0.0;
        for slew in slews.into_iter().cycle().take(1000) {
            schedule.set_time_scale(TimeScale::new(slew, 1000).unwrap());
            dropped += schedule.advance(Duration::from_millis(10)).dropped.as_secs_f64();
            let _ = schedule.next_step();
            schedule.refuse();
        }
        assert!(dropped > 9.8, "{dropped} s at {slews:?}");
        assert_eq!((steps(&mut schedule).len(), schedule.tick(task)), (11, Some(11)));
    }
}

#[test]
fn a_step_that_always_waits_a_little_drops_nothing() {
    let mut schedule = Schedule::new();
    schedule.set_max_behind(Duration::from_millis(100));
    schedule.add(Rate::hz(100));
    let _ = schedule.advance(Duration::from_millis(20));
    for _ in 0..100 {
        assert!(schedule.next_step().is_some());
        let lost = schedule.advance(Duration::from_millis(10));
        assert!(lost.is_none());
    }
}

#[test]
fn a_limit_that_is_lowered_does_not_set_time_back() {
    let mut schedule = Schedule::new();
    schedule.add(Rate::hz(100));
    let _ = schedule.advance(Duration::from_millis(200));
    schedule.set_max_behind(Duration::from_millis(50));
    let before = schedule.now();
    let lost = schedule.advance(Duration::from_millis(10));
    assert_eq!(lost.dropped, SimDuration::from(Duration::from_millis(10)));
    assert_eq!((schedule.now(), steps(&mut schedule).len()), (before, 20));
}

#[test]
fn a_task_whose_ticks_are_used_up_is_not_due() {
    let mut schedule = Schedule::new();
    schedule.set_max_delta(Duration::MAX);
    for _ in 0..2 {
        let _ = schedule.advance(Duration::from_secs(u64::from(u32::MAX)));
    }
    let task = schedule.add(Rate::hz(u32::MAX));
    assert_eq!((schedule.next_step(), schedule.tick(task)), (None, Some(Tick::MAX)));
}

#[test]
fn slewing_by_ten_percent_changes_the_rate_without_a_jump() {
    let mut schedule = Schedule::new();
    let task = schedule.add(Rate::hz(60));
    let mut last = 0.0;
    let mut run = |schedule: &mut Schedule, slew, frames| {
        schedule.set_time_scale(TimeScale::new(slew, 100).unwrap());
        let before = schedule.tick(task).unwrap();
        for _ in 0..frames {
            let _ = schedule.advance(Duration::from_millis(5));
            steps(schedule);
            let drawn = schedule.tick(task).unwrap() as f64 + schedule.alpha(task).unwrap();
            assert!(drawn - last < 0.34, "a jump of {} steps", drawn - last);
            last = drawn;
        }
        schedule.tick(task).unwrap() - before
    };
    assert_eq!(run(&mut schedule, 100, 200), 60);
    assert_eq!(run(&mut schedule, 110, 200), 66);
    assert_eq!(run(&mut schedule, 90, 200), 54);
}

#[test]
fn a_task_that_is_added_later_begins_with_the_step_under_way() {
    let mut schedule = Schedule::new();
    schedule.add(Rate::hz(100));
    let _ = schedule.advance(Duration::from_millis(35));
    steps(&mut schedule);
    let late = schedule.add(Rate::hz(100));
    assert_eq!((schedule.tick(late), schedule.alpha(late)), (Some(3), Some(0.5)));
}

#[test]
fn a_known_pause_brings_no_time_and_keeps_due_steps() {
    let mut schedule = Schedule::new();
    let task = schedule.add(Rate::hz(100));
    let _ = schedule.advance(Duration::from_millis(25));
    schedule.pause();
    let hour = Duration::from_secs(3600);
    for _ in 0..2 {
        assert_eq!(schedule.advance(hour).paused, hour);
        assert_eq!(schedule.until_next_step(), Some(Duration::ZERO));
        schedule.resume(Backlog::Keep);
    }
    assert_eq!((steps(&mut schedule).len(), schedule.alpha(task)), (2, Some(0.5)));
    assert_eq!(schedule.until_next_step(), Some(Duration::from_millis(5)));
}

#[test]
fn a_reset_restarts_all_tasks() {
    let mut schedule = Schedule::new();
    let _ = schedule.advance(Duration::from_millis(95));
    let task = schedule.add(Rate::hz(10));
    let _ = schedule.advance(Duration::from_millis(10));
    schedule.reset();
    assert_eq!((schedule.now(), schedule.tick(task)), (SimTime::ZERO, Some(0)));
    let _ = schedule.advance(Duration::from_millis(100));
    assert_eq!(steps(&mut schedule), [(task, 0)]);
}

#[test]
fn time_that_stands_still_has_no_steps_and_keeps_alpha() {
    let mut schedule = Schedule::new();
    let task = schedule.add(Rate::hz(60));
    let _ = schedule.advance(Duration::from_millis(10));
    schedule.set_time_scale(TimeScale::PAUSED);
    let _ = schedule.advance(Duration::from_millis(100));
    assert_eq!((schedule.next_step(), schedule.alpha(task)), (None, Some(0.6)));
}

#[test]
fn time_beyond_the_longest_advance_is_dropped_carried_or_stretched() {
    let stretch = Overrun::Stretch {
        max_speed: TimeScale::new(3, 2).unwrap(),
    };
    let max_backlog = Duration::from_millis(50);
    for (overrun, dropped, later) in [
        (Overrun::Drop, 60, [10, 10, 10]),
        (Overrun::Carry { max_backlog }, 10, [40, 30, 10]),
        (stretch, 0, [15, 15, 15]),
    ] {
        let mut schedule = Schedule::new();
        schedule.add(Rate::hz(1000));
        schedule.set_max_advance(Duration::from_millis(40));
        schedule.set_overrun(overrun);
        let lost = schedule.advance(Duration::from_millis(100));
        assert_eq!(
            lost.dropped,
            SimDuration::from(Duration::from_millis(dropped)),
            "{overrun:?}"
        );
        assert_eq!(steps(&mut schedule).len(), 40);
        assert_eq!(schedule.is_behind(), overrun != Overrun::Drop);
        let run = later.map(|_| {
            let _ = schedule.advance(Duration::from_millis(10));
            steps(&mut schedule).len()
        });
        assert_eq!(run, later, "{overrun:?}");
    }
}

#[test]
fn without_patience_for_steps_that_wait_no_time_arrives_until_they_run() {
    let mut schedule = Schedule::new();
    let task = schedule.add(Rate::hz(60));
    schedule.set_max_behind(Duration::ZERO);
    for _ in 0..100 {
        let _ = schedule.advance(Duration::from_millis(10));
    }
    assert_eq!(steps(&mut schedule), [(task, 0)]);
    let lost = schedule.advance(Duration::from_millis(10));
    assert!(lost.is_none());
}

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

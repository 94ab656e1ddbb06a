//! When a `FixedTimestep` says that its next step comes.

use std::time::Duration;

use evenstep::schedule::Schedule;
use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};

use super::steps;

const MS: Duration = Duration::from_millis(1);

#[test]
fn the_next_step_is_due_when_the_timestep_says() {
    let third = TimeScale::new(1, 3).unwrap();
    let stretch = Overrun::Stretch {
        max_speed: TimeScale::new(3, 2).unwrap(),
    };
    let constant = Overrun::Stretch {
        max_speed: TimeScale::NORMAL,
    };
    let carry = Overrun::Carry { max_backlog: 100 * MS };
    for (overrun, scale) in [
        (Overrun::Drop, TimeScale::NORMAL),
        (Overrun::Drop, third),
        (carry, TimeScale::NORMAL),
        (stretch, third),
        (stretch, TimeScale::NORMAL),
        (constant, TimeScale::NORMAL),
    ] {
        let mut timestep = FixedTimestep::new(Rate::new(60_000, 1_001).unwrap())
            .with_max_steps(2)
            .with_overrun(overrun);
        let _ = timestep.advance(113 * MS);
        timestep.set_time_scale(scale);
        for _ in 0..20 {
            let until = timestep.until_next_step().unwrap();
            let before = timestep.clone().advance(until - Duration::from_nanos(1));
            assert_eq!(steps(before), 0, "{overrun:?} {scale:?}");
            assert!(steps(timestep.advance(until)) > 0, "{overrun:?} {scale:?}");
        }
    }
}

#[test]
fn no_step_becomes_due_if_no_delta_brings_time_and_one_does_if_a_nanosecond_does() {
    for (longest, until) in [(0, None), (1, Some(10 * MS))] {
        let longest = Duration::from_nanos(longest);
        let timestep = FixedTimestep::new(Rate::hz(100)).with_max_delta(longest);
        assert_eq!(timestep.until_next_step(), until);
        let mut schedule = Schedule::new();
        schedule.add(Rate::hz(100));
        schedule.set_max_delta(longest);
        assert_eq!(schedule.until_next_step(), until);
    }
    // Not even what is kept back comes out.
    let carry = Overrun::Carry { max_backlog: 100 * MS };
    let mut timestep = FixedTimestep::new(Rate::hz(100)).with_max_steps(2).with_overrun(carry);
    let _ = timestep.advance(59 * MS);
    timestep.set_max_delta(Duration::ZERO);
    assert_eq!(timestep.until_next_step(), None);
}

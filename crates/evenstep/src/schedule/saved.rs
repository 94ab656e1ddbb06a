//! How a [`Schedule`] is read back: its fields, checked.

use alloc::vec::Vec;
use core::time::Duration;

use super::Schedule;
use super::arrived::Arrived;
use super::task::{MAX_PHASE, Task, TaskId};
use crate::step::sim_clock::SimClock;
use crate::time::Rate;

#[derive(serde::Deserialize)]
#[serde(rename = "Schedule", deny_unknown_fields)]
pub(super) struct Saved {
    tasks: Vec<Task>,
    clock: SimClock,
    now: u64,
    max_behind: Duration,
    max_advance: Duration,
    last: Option<TaskId>,
    arrived: Arrived,
}

impl TryFrom<Saved> for Schedule {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        let clock = saved.clock.restored()?;
        if clock.rate() != Rate::hz(1) {
            return Err("the clock of a schedule does not count nanoseconds");
        }
        if saved.tasks.iter().any(|task| task.phase > MAX_PHASE) {
            return Err("the phase of a task is longer than 2^32 - 1 s");
        }
        if saved.arrived.from > saved.arrived.to {
            return Err("the time that arrived last is impossible");
        }
        let schedule = Self {
            tasks: saved.tasks,
            clock,
            now: saved.now,
            max_behind: saved.max_behind,
            max_advance: saved.max_advance,
            last: saved.last,
            arrived: saved.arrived,
            #[cfg(feature = "tracing")]
            span: crate::step::step_span::StepSpan::none(),
        };
        let is_known = |last| schedule.task(last).is_some_and(|task| task.next > 0);
        if !schedule.last.is_none_or(is_known) {
            return Err("the last step is of no task");
        }
        Ok(schedule)
    }
}

//! Tasks at different rates, stepped in one order.

use alloc::vec::Vec;
use core::time::Duration;

use evenstep::Overrun;
use evenstep::schedule::{Schedule, TaskId};

use crate::clock::FrameClock;
use crate::error::Error;
use crate::exact::{Exact, duration, nanos};
use crate::filter::FilterSettings;
use crate::settings::{rate, scale};

/// The most tasks of a schedule.
const MAX_TASKS: usize = 1024;

/// A step of a task.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TaskStep {
    /// Its tick.
    pub tick: u64,
    /// Its length in seconds.
    pub dt: f64,
    /// The task.
    pub task: u32,
}

/// Time that a frame of a schedule lost.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScheduleLost {
    /// Real time that was cut off because the delta was too long, in nanoseconds.
    pub clamped: i64,
    /// Real time of a known pause, in nanoseconds.
    pub paused: i64,
    /// Simulated time that no task will step.
    pub dropped: Exact,
}

/// Tasks at different rates, stepped from one clock.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    core: Schedule,
    tasks: Vec<TaskId>,
    clock: FrameClock,
}

impl Tasks {
    /// A schedule without tasks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a filter.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] after the first frame, [`Error::Full`] for a second filter, [`Error::Range`] for another kind.
    pub fn add_filter(&mut self, settings: &FilterSettings) -> Result<(), Error> {
        self.clock.add_filter(settings)
    }

    /// Adds a task whose steps end `phase` nanoseconds later than without a phase. Returns its number.
    ///
    /// # Errors
    ///
    /// [`Error::Ratio`], [`Error::Negative`], and [`Error::Full`] beyond 1024 tasks.
    pub fn add(&mut self, numer: u32, denom: u32, phase: i64) -> Result<u32, Error> {
        let (rate, phase) = (rate(numer, denom)?, duration(phase)?);
        if self.tasks.len() >= MAX_TASKS {
            return Err(Error::Full);
        }
        self.tasks.push(self.core.add_with_phase(rate, phase));
        Ok(self.tasks.len() as u32 - 1)
    }

    /// Begins a frame at a time of any clock, in nanoseconds. The first frame sets time zero.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`] and [`Error::TimeWentBack`].
    pub fn begin_frame(&mut self, now: i64) -> Result<ScheduleLost, Error> {
        let delta = self.clock.begin(now)?;
        Ok(flat(&self.core.advance(Duration::from_nanos(delta))))
    }

    /// Begins a frame this number of nanoseconds after the last one.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`], and [`Error::Range`] if the sum of all deltas exceeds 2^63 ns.
    pub fn advance(&mut self, delta: i64) -> Result<ScheduleLost, Error> {
        let delta = self.clock.advance(delta)?;
        Ok(flat(&self.core.advance(Duration::from_nanos(delta))))
    }

    /// The next step that is due; none when all have run.
    pub fn next_step(&mut self) -> Option<TaskStep> {
        let (task, step) = self.core.next_step()?;
        let number = self.tasks.iter().position(|other| *other == task)?;
        Some(TaskStep {
            tick: step.tick,
            dt: step.dt,
            task: number as u32,
        })
    }

    /// Takes back the step that [`next_step`](Self::next_step) returned last: it stays due.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] if none was returned in this frame.
    pub fn refuse(&mut self) -> Result<(), Error> {
        if self.core.refuse() { Ok(()) } else { Err(Error::Order) }
    }

    /// Where to draw a task between its previous state and its current one.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`].
    pub fn alpha(&self, task: u32) -> Result<f64, Error> {
        self.core.alpha(self.find(task)?).ok_or(Error::Missing)
    }

    /// The tick of a task's next step.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`].
    pub fn tick(&self, task: u32) -> Result<u64, Error> {
        self.core.tick(self.find(task)?).ok_or(Error::Missing)
    }

    /// The simulated time that has arrived.
    #[must_use]
    pub fn now(&self) -> Exact {
        self.core.now().into()
    }

    /// Whether time is kept back for later frames.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.core.is_behind()
    }

    /// The nanoseconds of real time until the next step is due; zero if the next frame ends a pause, none if no step will become due.
    #[must_use]
    pub fn until_next_step(&self) -> Option<i64> {
        self.core.until_next_step().map(nanos)
    }

    /// Sets the longest delta that is accepted, in nanoseconds. Unless set, it is 250 ms where time that does not fit is dropped, and has no
    /// limit where it is kept.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn set_max_delta(&mut self, max_delta: i64) -> Result<(), Error> {
        self.core.set_max_delta(duration(max_delta)?);
        Ok(())
    }

    /// Sets how long the oldest due step may wait, in nanoseconds of simulated time; 250 ms unless set.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn set_max_behind(&mut self, max_behind: i64) -> Result<(), Error> {
        self.core.set_max_behind(duration(max_behind)?);
        Ok(())
    }

    /// Sets the most simulated time that arrives in a frame, in nanoseconds.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn set_max_advance(&mut self, max_advance: i64) -> Result<(), Error> {
        self.core.set_max_advance(duration(max_advance)?);
        Ok(())
    }

    /// Sets the policy for time that does not fit.
    pub fn set_overrun(&mut self, overrun: Overrun) {
        self.core.set_overrun(overrun);
    }

    /// Sets how fast simulated time runs.
    ///
    /// # Errors
    ///
    /// [`Error::Ratio`].
    pub fn set_time_scale(&mut self, numer: u32, denom: u32) -> Result<(), Error> {
        self.core.set_time_scale(scale(numer, denom)?);
        Ok(())
    }

    /// Begins a known pause.
    pub fn pause(&mut self) {
        self.core.pause();
    }

    /// Ends a known pause. The next delta is its last.
    pub fn resume(&mut self) {
        self.core.resume(evenstep::Backlog::Keep);
    }

    /// Starts over at time zero with the same tasks, settings and clock.
    pub fn reset(&mut self) {
        self.core.reset();
    }

    pub(crate) fn find(&self, task: u32) -> Result<TaskId, Error> {
        self.tasks.get(task as usize).copied().ok_or(Error::Missing)
    }

    pub(crate) fn core(&self) -> &Schedule {
        &self.core
    }

    pub(crate) fn clock(&self) -> &FrameClock {
        &self.clock
    }
}

fn flat(lost: &evenstep::Lost<evenstep::SimDuration>) -> ScheduleLost {
    ScheduleLost {
        clamped: nanos(lost.clamped),
        paused: nanos(lost.paused),
        dropped: lost.dropped.into(),
    }
}

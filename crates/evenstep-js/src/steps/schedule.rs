//! Several rates in one order.

use evenstep_flat::filter::Given;
use evenstep_flat::schedule::{ScheduleLost, Tasks};
use evenstep_flat::timestep::{carry, stretch};
use evenstep_flat::{Error, Overrun};
use wasm_bindgen::prelude::wasm_bindgen;

use super::timestep::given;
use crate::slots::{NONE, Slots, status, take};
use crate::time::nanoseconds;

/// A schedule. Its slots: numbers for task, tick and dt of a step; integers for clamped, suspended; exact times for what was
/// dropped and rounded, and one more.
#[wasm_bindgen]
pub struct RawSchedule {
    pub(super) core: Tasks<Given>,
    slots: Slots<20>,
}

#[wasm_bindgen]
impl RawSchedule {
    /// Without tasks.
    pub fn create() -> Self {
        Self {
            core: Tasks::given(),
            slots: Slots::new(),
        }
    }

    /// Where its slots are.
    pub fn slots(&self) -> usize {
        self.slots.address()
    }

    /// Adds a task, and writes its number.
    pub fn add(&mut self, numer: u32, denom: u32, phase: i64) -> u32 {
        take(self.core.add(numer, denom, phase), |task| {
            self.slots.number(0, f64::from(task));
        })
    }

    /// A frame at a time.
    pub fn begin_frame(&mut self, millis: f64, nanos: f64) -> u32 {
        let lost = nanoseconds(millis, nanos).and_then(|now| self.core.begin_frame(now));
        self.write(lost)
    }

    /// A frame so long after the last one.
    pub fn advance(&mut self, millis: f64, nanos: f64) -> u32 {
        let lost = nanoseconds(millis, nanos).and_then(|delta| self.core.advance(delta));
        self.write(lost)
    }

    /// A frame so long after the last one, and what a filter made of that.
    pub fn advance_given(&mut self, millis: f64, nanos: f64, delta: f64, residual: f64, max_lead: f64) -> u32 {
        let lost = nanoseconds(millis, nanos).and_then(|passed| {
            self.core
                .advance_given(passed, given(passed, delta, residual, max_lead))
        });
        self.write(lost)
    }

    fn write(&mut self, lost: Result<ScheduleLost, Error>) -> u32 {
        take(lost, |lost| {
            self.slots.integer(3, lost.clamped);
            self.slots.integer(4, lost.suspended);
            self.slots.exact(5, &lost.dropped);
            self.slots.exact(10, &lost.rounded);
        })
    }

    /// Writes the next step that is due.
    pub fn next_step(&mut self) -> u32 {
        let Some(step) = self.core.next_step() else {
            return NONE;
        };
        let numbers = [f64::from(step.task), step.tick as f64, step.dt];
        for (at, number) in numbers.into_iter().enumerate() {
            self.slots.number(at, number);
        }
        0
    }

    /// Takes back the step that was written last.
    pub fn refuse(&mut self) -> u32 {
        status(self.core.refuse())
    }

    /// Writes where to draw a task.
    pub fn alpha(&mut self, task: u32) -> u32 {
        take(self.core.alpha(task), |alpha| self.slots.number(0, alpha))
    }

    /// Writes the tick of a task's next step.
    pub fn tick(&mut self, task: u32) -> u32 {
        take(self.core.tick(task), |tick| self.slots.number(0, tick as f64))
    }

    /// Writes the simulated time that has arrived.
    pub fn now(&mut self) {
        let now = self.core.now();
        self.slots.exact(15, &now);
    }

    /// Whether time is kept back for later frames.
    pub fn is_behind(&self) -> bool {
        self.core.is_behind()
    }

    /// Nanoseconds until the next step is due; none if no time brings one.
    pub fn until_next_step(&self) -> Option<f64> {
        self.core.until_next_step().map(|nanos| nanos as f64)
    }

    /// The longest delta that is believed.
    pub fn set_max_delta(&mut self, nanos: i64) -> u32 {
        status(self.core.set_max_delta(nanos))
    }

    /// How long the oldest step may wait.
    pub fn set_max_behind(&mut self, nanos: i64) -> u32 {
        status(self.core.set_max_behind(nanos))
    }

    /// The most simulated time that arrives in a frame.
    pub fn set_max_advance(&mut self, nanos: i64) -> u32 {
        status(self.core.set_max_advance(nanos))
    }

    /// Time that does not fit is dropped.
    pub fn overrun_drop(&mut self) {
        self.core.set_overrun(Overrun::Drop);
    }

    /// Time that does not fit is kept.
    pub fn overrun_carry(&mut self, max_backlog: i64) -> u32 {
        take(carry(max_backlog), |policy| self.core.set_overrun(policy))
    }

    /// Time that does not fit is made up for at a limited speed.
    pub fn overrun_stretch(&mut self, numer: u32, denom: u32) -> u32 {
        take(stretch(numer, denom), |policy| self.core.set_overrun(policy))
    }

    /// How fast simulated time runs.
    pub fn set_time_scale(&mut self, numer: u32, denom: u32) -> u32 {
        status(self.core.set_time_scale(numer, denom))
    }

    /// Lets simulated time run faster by so many thousandths.
    pub fn set_slew(&mut self, thousandths: i32) -> u32 {
        status(self.core.set_slew(thousandths))
    }

    /// Begins a known pause.
    pub fn suspend(&mut self) {
        self.core.suspend();
    }

    /// Ends it.
    pub fn resume(&mut self) {
        self.core.resume();
    }

    /// Starts over at time zero.
    pub fn reset(&mut self) {
        self.core.reset();
    }
}

//! Input with its times.

use evenstep_flat::input::Input;
use wasm_bindgen::prelude::wasm_bindgen;

use super::schedule::RawSchedule;
use super::timestep::RawTimestep;
use crate::slots::{NONE, Slots, status};
use crate::time::nanoseconds;

/// An input buffer. Its slots: numbers for kind, key, x, y and milliseconds of an event, or four counts; an integer for its time.
#[wasm_bindgen]
pub struct RawInput {
    core: Input,
    slots: Slots<6>,
}

#[wasm_bindgen]
impl RawInput {
    /// With room for so many events; none if that is not from 1 to 2^20.
    pub fn create(capacity: u32) -> Option<Self> {
        let core = Input::new(capacity).ok()?;
        Some(Self {
            core,
            slots: Slots::new(),
        })
    }

    /// Where its slots are.
    pub fn slots(&self) -> usize {
        self.slots.address()
    }

    /// A key went down, or up.
    pub fn key(&mut self, key: u32, is_down: bool, millis: f64, nanos: f64) -> u32 {
        status(nanoseconds(millis, nanos).and_then(|time| {
            if is_down {
                self.core.press(key, time)
            } else {
                self.core.release(key, time)
            }
        }))
    }

    /// Everything that was held went up.
    pub fn release_all(&mut self, millis: f64, nanos: f64) -> u32 {
        status(nanoseconds(millis, nanos).and_then(|time| self.core.release_all(time)))
    }

    /// A pointer moved.
    pub fn motion(&mut self, x: f64, y: f64, millis: f64, nanos: f64) -> u32 {
        status(nanoseconds(millis, nanos).and_then(|time| self.core.motion(x, y, time)))
    }

    /// A wheel turned.
    pub fn wheel(&mut self, x: f64, y: f64, millis: f64, nanos: f64) -> u32 {
        status(nanoseconds(millis, nanos).and_then(|time| self.core.wheel(x, y, time)))
    }

    /// Gives each event its step.
    pub fn begin_frame(&mut self, timestep: &RawTimestep) -> u32 {
        status(self.core.begin_frame(&timestep.core))
    }

    /// The same for a task of a schedule.
    pub fn begin_task(&mut self, schedule: &RawSchedule, task: u32) -> u32 {
        status(self.core.begin_task(&schedule.core, task))
    }

    /// Takes the events of a step.
    pub fn begin_step(&mut self, tick: f64) -> u32 {
        status(self.core.begin_step(tick as u64))
    }

    /// Writes an event of the step.
    pub fn event(&mut self, index: usize) -> u32 {
        let Some(event) = self.core.event(index) else {
            return NONE;
        };
        let millis = (event.time / 1_000_000) as f64 + (event.time % 1_000_000) as f64 / 1e6;
        let numbers = [f64::from(event.kind), f64::from(event.key), event.x, event.y, millis];
        self.write(&numbers);
        self.slots.integer(5, event.time);
        0
    }

    /// Whether a key is down at the end of the step.
    pub fn is_held(&self, key: u32) -> bool {
        self.core.is_held(key)
    }

    /// How often it went down in the step.
    pub fn presses(&self, key: u32) -> u32 {
        self.core.presses(key)
    }

    /// Whether it went up in the step.
    pub fn was_released(&self, key: u32) -> bool {
        self.core.was_released(key)
    }

    /// By how much the pointer moved in the step: to the right, or down.
    pub fn moved(&self, down: bool) -> f64 {
        self.core.moved()[usize::from(down)]
    }

    /// By how much the wheel turned.
    pub fn turned(&self, down: bool) -> f64 {
        self.core.turned()[usize::from(down)]
    }

    /// Writes how many events wait, were late, reordered, refused.
    pub fn counts(&mut self) {
        let counts = self.core.counts();
        let numbers = [counts.waiting, counts.late, counts.reordered, counts.refused];
        self.write(&numbers.map(|count| count as f64));
    }

    fn write(&mut self, numbers: &[f64]) {
        for (at, number) in numbers.iter().enumerate() {
            self.slots.number(at, *number);
        }
    }
}

//! Input with timestamps: each event reaches exactly one step.

use alloc::vec::Vec;
use core::time::Duration;

use evenstep::input::{Controls, InputBuffer, InputEvent};
use evenstep::{Rate, Step};

use crate::error::Error;
use crate::exact::{duration, nanos};
use crate::schedule::Tasks;
use crate::timestep::Timestep;

/// A key or button went down.
pub const INPUT_PRESS: u32 = 1;
/// A key or button went up.
pub const INPUT_RELEASE: u32 = 2;
/// A pointer moved.
pub const INPUT_MOTION: u32 = 3;
/// A wheel turned.
pub const INPUT_WHEEL: u32 = 4;
/// Everything that was held went up.
pub const INPUT_RELEASE_ALL: u32 = 5;
/// A key or button is down that was pressed in a pause, or while the buffer was full: it is held and does not count as a press.
pub const INPUT_HOLD: u32 = 6;

/// The most events for which a buffer or queue can have room.
pub(crate) const MOST: u32 = 1 << 20;

/// An event that reached its step.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Event {
    /// When it happened, in nanoseconds on the clock of the frames.
    pub time: i64,
    /// By how much a pointer or wheel moved to the right, in the device's units or in lines.
    pub x: f64,
    /// By how much it moved down.
    pub y: f64,
    /// What happened: an `INPUT_` constant.
    pub kind: u32,
    /// Which key or button.
    pub key: u32,
}

/// Counts of events that were late, out of order or refused.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputCounts {
    /// Events that wait for their step.
    pub waiting: u64,
    /// Events that arrived after the frame of their time. They went to the next step.
    pub late: u64,
    /// Events that arrived after a later event. They were put before it.
    pub reordered: u64,
    /// Events that arrived while the buffer was full. Their state was kept, unless the call failed or 1024 other keys had changed meanwhile.
    pub refused: u64,
    /// Events of pauses, of which only the state was kept.
    pub paused: u64,
}

/// Events that wait for their step, and the states of keys in the present step.
#[derive(Clone, Debug)]
pub struct Input {
    buffer: InputBuffer<u32>,
    /// How many events a buffer accepts that keeps them.
    room: Option<usize>,
    /// The controls of the present step, and its events.
    controls: Controls<u32>,
    seen: Vec<(Duration, InputEvent<u32>)>,
    /// The number of the last frame for which events were assigned to steps.
    frame: Option<u64>,
}

impl Input {
    /// A buffer with room for `capacity` events between two steps, at most 2^20. Of events in a pause, and of events that arrive while
    /// the buffer is full, only the state is kept: which keys are held.
    ///
    /// # Errors
    ///
    /// [`Error::Range`].
    pub fn new(capacity: u32) -> Result<Self, Error> {
        Self::of(capacity, false)
    }

    /// A buffer in which events of a pause wait for the first step after it, and which accepts no event while it is full.
    ///
    /// # Errors
    ///
    /// [`Error::Range`].
    pub fn lossless(capacity: u32) -> Result<Self, Error> {
        Self::of(capacity, true)
    }

    fn of(capacity: u32, is_lossless: bool) -> Result<Self, Error> {
        if capacity == 0 || capacity > MOST {
            return Err(Error::Range);
        }
        let make = if is_lossless {
            InputBuffer::lossless
        } else {
            InputBuffer::new
        };
        Ok(Self {
            buffer: make(capacity as usize),
            room: is_lossless.then_some(capacity as usize),
            controls: Controls::new(),
            seen: Vec::new(),
            frame: None,
        })
    }

    /// Records that a key or button went down.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`]; [`Error::Full`] if a [`lossless`](Self::lossless) buffer is full.
    pub fn press(&mut self, key: u32, time: i64) -> Result<(), Error> {
        self.push(InputEvent::Press(key), time)
    }

    /// Records that a key or button went up.
    ///
    /// # Errors
    ///
    /// As [`press`](Self::press).
    pub fn release(&mut self, key: u32, time: i64) -> Result<(), Error> {
        self.push(InputEvent::Release(key), time)
    }

    /// Records that all held keys and buttons went up.
    ///
    /// # Errors
    ///
    /// As [`press`](Self::press).
    pub fn release_all(&mut self, time: i64) -> Result<(), Error> {
        self.push(InputEvent::ReleaseAll, time)
    }

    /// Records that a pointer moved.
    ///
    /// # Errors
    ///
    /// As [`press`](Self::press), and [`Error::NotFinite`].
    pub fn motion(&mut self, x: f64, y: f64, time: i64) -> Result<(), Error> {
        self.push(InputEvent::Motion(finite(x, y)?), time)
    }

    /// Records that a wheel turned.
    ///
    /// # Errors
    ///
    /// As [`press`](Self::press), and [`Error::NotFinite`].
    pub fn wheel(&mut self, x: f64, y: f64, time: i64) -> Result<(), Error> {
        self.push(InputEvent::Wheel(finite(x, y)?), time)
    }

    fn push(&mut self, event: InputEvent<u32>, time: i64) -> Result<(), Error> {
        let is_full = self.room.is_some_and(|room| self.buffer.len() >= room);
        self.buffer.push(duration(time)?, event);
        if is_full { Err(Error::Full) } else { Ok(()) }
    }

    /// Assigns each event to its step. Call it once a frame, after the timestep's frame has begun and before its steps.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] before a frame of the timestep has begun, and if this was called for the frame already.
    pub fn begin_frame(&mut self, timestep: &Timestep) -> Result<(), Error> {
        let (frame, clock) = (timestep.last()?, timestep.clock());
        self.record_frame(clock.frames())?;
        self.buffer.begin_frame(&clock.last(), &frame);
        Ok(())
    }

    /// Assigns each event to a step of a task of a schedule.
    ///
    /// # Errors
    ///
    /// As [`begin_frame`](Self::begin_frame), and [`Error::Missing`].
    pub fn begin_task(&mut self, schedule: &Tasks, task: u32) -> Result<(), Error> {
        let (core, task, clock) = (schedule.core(), schedule.find(task)?, schedule.clock());
        if clock.frames() == 0 {
            return Err(Error::Order);
        }
        self.record_frame(clock.frames())?;
        self.buffer.begin_task(&clock.last(), core, task);
        Ok(())
    }

    fn record_frame(&mut self, frame: u64) -> Result<(), Error> {
        if self.frame.replace(frame) == Some(frame) {
            return Err(Error::Order);
        }
        Ok(())
    }

    /// Takes the events of a step. The methods below then describe this step.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] before the first call of [`begin_frame`](Self::begin_frame) or [`begin_task`](Self::begin_task).
    pub fn begin_step(&mut self, tick: u64) -> Result<(), Error> {
        self.frame.ok_or(Error::Order)?;
        let step = Step::new(tick, Rate::hz(1)); // only the tick is used
        self.controls.clone_from(self.buffer.controls(&step));
        self.seen.clear();
        self.seen.extend_from_slice(self.buffer.events(&step));
        Ok(())
    }

    /// An event of the present step, oldest first; none beyond the last.
    #[must_use]
    pub fn event(&self, index: usize) -> Option<Event> {
        let (at, event) = *self.seen.get(index)?;
        let (kind, key, [x, y]) = match event {
            InputEvent::Press(key) => (INPUT_PRESS, key, [0.0; 2]),
            InputEvent::Release(key) => (INPUT_RELEASE, key, [0.0; 2]),
            InputEvent::Motion(by) => (INPUT_MOTION, 0, by),
            InputEvent::Wheel(by) => (INPUT_WHEEL, 0, by),
            InputEvent::ReleaseAll => (INPUT_RELEASE_ALL, 0, [0.0; 2]),
            InputEvent::Hold(key) => (INPUT_HOLD, key, [0.0; 2]),
            _ => return None, // no other kind is pushed
        };
        let time = nanos(at);
        Some(Event { time, x, y, kind, key })
    }

    /// Whether a key is down at the end of the step.
    #[must_use]
    pub fn is_held(&self, key: u32) -> bool {
        self.controls.is_held(&key)
    }

    /// Whether a key is down at the end of the step or went down in it.
    #[must_use]
    pub fn is_down(&self, key: u32) -> bool {
        self.controls.is_down(&key)
    }

    /// How often a key went down in the step; a tap shorter than the step counts.
    #[must_use]
    pub fn presses(&self, key: u32) -> u32 {
        self.controls.presses(&key)
    }

    /// Whether a key went up in the step.
    #[must_use]
    pub fn was_released(&self, key: u32) -> bool {
        self.controls.was_released(&key)
    }

    /// By how much the pointer moved in the step.
    #[must_use]
    pub fn moved(&self) -> [f64; 2] {
        self.controls.motion()
    }

    /// By how much the wheel turned in the step.
    #[must_use]
    pub fn turned(&self) -> [f64; 2] {
        self.controls.wheel()
    }

    /// Counts of events that were late, out of order or refused.
    #[must_use]
    pub fn counts(&self) -> InputCounts {
        let counts = self.buffer.counts();
        InputCounts {
            waiting: self.buffer.len() as u64,
            late: counts.late,
            reordered: counts.reordered,
            refused: counts.refused,
            paused: counts.paused,
        }
    }
}

fn finite(x: f64, y: f64) -> Result<[f64; 2], Error> {
    let both = x.is_finite() && y.is_finite();
    both.then_some([x, y]).ok_or(Error::NotFinite)
}

//! Input with timestamps: each event reaches exactly one step.

use evenstep::input::InputEvent as Event;
use pyo3::prelude::*;

use crate::arguments::{Key, Time, Whole};
use crate::errors::{Code, refused};
use crate::frame::Step;
use crate::schedule::Schedule;
use crate::timestep::FixedTimestep;

/// The most events for which a buffer or queue can have room.
pub(crate) const MAX_CAPACITY: usize = 1 << 20;

/// Keys, pointer and wheel with timestamps: each event reaches exactly one step. Keys are ints of your choice, such as pygame.K_SPACE.
/// press(key) acts in the next step that runs, as pygame and most libraries need it, which do not say when a key went down; press_at(at, key)
/// in the step of its time, by the clock of the frames, time.perf_counter_ns(). GameLoop has a buffer, and begins its frames:
///
///     game.input.press(pygame.K_SPACE)
///     for step in game.begin_frame():
///         jumps = game.input.controls(step).presses(pygame.K_SPACE)
///
/// For a FixedTimestep call begin_frame(timestep) before its steps. Presses, motion and turns of the wheel before the first frame and during
/// a pause, while simulated time stands still, reach no step. The states of keys are tracked during the pause: keys that were released in it are up afterwards. Without
/// room for a press or release the key's state is kept, so no release is lost. Motion has room of its own, of the same
/// size; beyond it, it is added to motion shortly before. With keep_pauses, the events of a pause reach the first step after it, and a full
/// buffer raises an error for a press or release.
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct InputBuffer {
    core: evenstep::input::InputBuffer<u32>,
    /// Whether it raises an error for what it refuses.
    keep_pauses: bool,
}

/// What is held in a step, and what was pressed, released and moved in it.
#[pyclass(module = "evenstep", frozen)]
#[derive(Debug)]
pub(crate) struct Controls(evenstep::input::Controls<u32>);

/// An event of a step.
#[pyclass(module = "evenstep", frozen, get_all)]
#[derive(Clone, Debug)]
pub(crate) struct InputEvent {
    /// "press", "release", "motion", "wheel", "release-all", or "hold", which replaces a press in a pause: the key is held.
    kind: &'static str,
    /// The key or button.
    key: u32,
    /// By how much a pointer or wheel moved to the right.
    x: f64,
    /// By how much a pointer or wheel moved down.
    y: f64,
    /// When it happened, in nanoseconds on the clock of the frames.
    time: u128,
}

/// Counts of input: what waits, and what was not delivered in the ordinary way.
#[pyclass(module = "evenstep", frozen, get_all)]
#[derive(Clone, Debug)]
pub(crate) struct InputCounts {
    /// Events that wait for their step.
    waiting: usize,
    /// Events that arrived after the frame of their time, and went to the next step.
    late: u64,
    /// Events that arrived after a later event, and were put before it.
    reordered: u64,
    /// Events that left only a state, because the buffer was full.
    refused: u64,
    /// Events that left only a state, because they happened in a pause or before the first frame.
    paused: u64,
    /// Events whose time is over a second before the last frame or after the next: it is of another clock. The earlier ones act in the next
    /// step, the later ones wait for their time.
    foreign: u64,
}

#[pymethods]
impl InputBuffer {
    #[new]
    #[pyo3(
        signature = (*, capacity=Whole(1024), keep_pauses=false),
        text_signature = "(*, capacity=1024, keep_pauses=False)"
    )]
    pub(crate) fn new(capacity: Whole<usize>, keep_pauses: bool) -> PyResult<Self> {
        let capacity = in_capacity(capacity.0, "InputBuffer: capacity")?;
        Ok(Self {
            core: match keep_pauses {
                true => evenstep::input::InputBuffer::new(capacity).keep_pauses(),
                false => evenstep::input::InputBuffer::new(capacity),
            },
            keep_pauses,
        })
    }

    /// Records that a key or button went down, for the next step that runs.
    fn press(&mut self, key: Key) -> PyResult<()> {
        self.push(None, Event::Press(key.0))
    }

    /// Records that a key or button went down at a time of the frames' clock, for the step of that time.
    fn press_at(&mut self, at: Time, key: Key) -> PyResult<()> {
        self.push(Some(at), Event::Press(key.0))
    }

    /// Records that a key or button went up.
    fn release(&mut self, key: Key) -> PyResult<()> {
        self.push(None, Event::Release(key.0))
    }

    /// Records that a key or button went up at a time.
    fn release_at(&mut self, at: Time, key: Key) -> PyResult<()> {
        self.push(Some(at), Event::Release(key.0))
    }

    /// Records that all held keys and buttons went up, as when the window loses the focus.
    fn release_all(&mut self) -> PyResult<()> {
        self.push(None, Event::ReleaseAll)
    }

    /// Records that all held keys and buttons went up at a time.
    fn release_all_at(&mut self, at: Time) -> PyResult<()> {
        self.push(Some(at), Event::ReleaseAll)
    }

    /// Records that a pointer moved. The steps of the next frame get equal parts of it.
    fn motion(&mut self, x: f64, y: f64) -> PyResult<()> {
        self.push(None, Event::Motion([x, y]))
    }

    /// Records that a pointer moved at a time.
    fn motion_at(&mut self, at: Time, x: f64, y: f64) -> PyResult<()> {
        self.push(Some(at), Event::Motion([x, y]))
    }

    /// Records that a wheel turned.
    fn wheel(&mut self, x: f64, y: f64) -> PyResult<()> {
        self.push(None, Event::Wheel([x, y]))
    }

    /// Records that a wheel turned at a time.
    fn wheel_at(&mut self, at: Time, x: f64, y: f64) -> PyResult<()> {
        self.push(Some(at), Event::Wheel([x, y]))
    }

    /// Assigns each event to its step. Call it once a frame, after the timestep's begin_frame and before the steps.
    pub(crate) fn begin_frame(&mut self, timestep: &FixedTimestep) -> PyResult<()> {
        let frame = timestep.last("InputBuffer.begin_frame")?;
        self.core.begin_frame(&timestep.time, &frame);
        Ok(())
    }

    /// Assigns each event to a step of a task of a schedule.
    fn begin_task(&mut self, schedule: &Schedule, task: Whole<u32>) -> PyResult<()> {
        let task = schedule.find(task, "InputBuffer.begin_task")?;
        self.core.begin_task(&schedule.time, &schedule.core, task);
        Ok(())
    }

    /// The controls of a step: what is held, and what was pressed, released and moved in it.
    fn controls(&mut self, step: &Step) -> Controls {
        Controls(self.core.controls(&step.0).clone())
    }

    /// The events of a step, oldest first.
    fn events(&mut self, step: &Step) -> Vec<InputEvent> {
        let events = self.core.events(&step.0).iter().filter_map(|(time, event)| {
            let (kind, key, [x, y]) = match *event {
                Event::Press(key) => ("press", key, [0.0; 2]),
                Event::Release(key) => ("release", key, [0.0; 2]),
                Event::Hold(key) => ("hold", key, [0.0; 2]),
                Event::Motion(by) => ("motion", 0, by),
                Event::Wheel(by) => ("wheel", 0, by),
                Event::ReleaseAll => ("release-all", 0, [0.0; 2]),
                _ => return None, // no other kind is pushed
            };
            let time = time.as_nanos();
            Some(InputEvent { kind, key, x, y, time })
        });
        events.collect()
    }

    /// Counts of input that was not delivered in the ordinary way.
    #[getter]
    fn counts(&self) -> InputCounts {
        let counts = self.core.counts();
        InputCounts {
            waiting: self.core.len(),
            late: counts.late,
            reordered: counts.reordered,
            refused: counts.refused,
            paused: counts.paused,
            foreign: counts.foreign,
        }
    }
}

impl InputBuffer {
    fn push(&mut self, at: Option<Time>, event: Event<u32>) -> PyResult<()> {
        const CALL: &str = "InputBuffer";
        if let Event::Motion([x, y]) | Event::Wheel([x, y]) = event
            && !(x.is_finite() && y.is_finite())
        {
            return Err(refused(Code::NotFinite, CALL, "a motion is NaN or infinite"));
        }
        let refused_before = self.core.counts().refused;
        match at {
            Some(Time(at)) => self.core.push_at(at, event),
            None => self.core.push(event),
        }
        match self.keep_pauses && self.core.counts().refused > refused_before {
            true => Err(refused(Code::Full, CALL, "the buffer is full; the event was not added")),
            false => Ok(()),
        }
    }
}

/// A capacity that a buffer or queue can have.
pub(crate) fn in_capacity(capacity: usize, name: &str) -> PyResult<usize> {
    let why = || format!("{capacity} is not from 1 to 2^20");
    let is_valid = (1..=MAX_CAPACITY).contains(&capacity);
    is_valid
        .then_some(capacity)
        .ok_or_else(|| refused(Code::Range, name, why()))
}

#[pymethods]
impl Controls {
    /// Whether a key is down at the end of the step.
    fn is_held_at_end(&self, key: Key) -> bool {
        self.0.is_held_at_end(&key.0)
    }

    /// Whether a key is down at the end of the step or went down in it, so that a tap shorter than a step acts in one.
    fn is_down(&self, key: Key) -> bool {
        self.0.is_down(&key.0)
    }

    /// How often a key went down in the step; a tap shorter than the step counts.
    fn presses(&self, key: Key) -> u32 {
        self.0.presses(&key.0)
    }

    /// Whether a key went up in the step.
    fn was_released(&self, key: Key) -> bool {
        self.0.was_released(&key.0)
    }

    /// By how much the pointer moved in the step, to the right and down.
    #[getter]
    fn motion(&self) -> (f64, f64) {
        self.0.motion().into()
    }

    /// By how much the wheel turned in the step.
    #[getter]
    fn wheel(&self) -> (f64, f64) {
        self.0.wheel().into()
    }
}

//! Input with timestamps: each event reaches exactly one step.

use evenstep_flat::input::{INPUT_HOLD, INPUT_MOTION, INPUT_PRESS, INPUT_RELEASE, INPUT_WHEEL, Input};
use pyo3::prelude::*;

use crate::arguments::{Tick, Time, Whole};
use crate::errors::Named as _;
use crate::schedule::Schedule;
use crate::timestep::FixedTimestep;

/// Keys, pointer and wheel with timestamps: each event reaches exactly one step. Keys are ints of your choice, such as pygame.K_SPACE.
///
///     input.press(pygame.K_SPACE, time.perf_counter_ns())
///     frame = timestep.begin_frame(time.perf_counter_ns())
///     input.begin_frame(timestep)
///     for step in frame:
///         input.begin_step(step)
///         jumps = input.presses(pygame.K_SPACE)
///
/// Presses, motion and turns of the wheel during a pause, while simulated time stands still, reach no step. The states of keys are
/// tracked during the pause: keys that were released in it are up afterwards. Of events for which there is no room the states of keys
/// are kept too, and motion is added up, so no release is lost. With keeps_pauses, the events of a pause reach the first step after it,
/// and a full buffer raises an error.
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct InputBuffer {
    flat: Input,
}

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
    time: i64,
}

#[pymethods]
impl InputBuffer {
    #[new]
    #[pyo3(
        signature = (*, capacity=Whole(1024), keeps_pauses=false),
        text_signature = "(*, capacity=1024, keeps_pauses=False)"
    )]
    fn new(capacity: Whole<u32>, keeps_pauses: bool) -> PyResult<Self> {
        let make = if keeps_pauses { Input::lossless } else { Input::new };
        let flat = make(capacity.0).named("InputBuffer: capacity from 1 to 2^20")?;
        Ok(Self { flat })
    }

    /// Records that a key or button went down.
    fn press(&mut self, key: Whole<u32>, time: Time) -> PyResult<()> {
        self.flat.press(key.0, time.0).named("InputBuffer.press")
    }

    /// Records that a key or button went up.
    fn release(&mut self, key: Whole<u32>, time: Time) -> PyResult<()> {
        self.flat.release(key.0, time.0).named("InputBuffer.release")
    }

    /// Records that all held keys and buttons went up, as when the window loses the focus.
    fn release_all(&mut self, time: Time) -> PyResult<()> {
        self.flat.release_all(time.0).named("InputBuffer.release_all")
    }

    /// Records that a pointer moved.
    fn motion(&mut self, x: f64, y: f64, time: Time) -> PyResult<()> {
        self.flat.motion(x, y, time.0).named("InputBuffer.motion")
    }

    /// Records that a wheel turned.
    fn wheel(&mut self, x: f64, y: f64, time: Time) -> PyResult<()> {
        self.flat.wheel(x, y, time.0).named("InputBuffer.wheel")
    }

    /// Assigns each event to its step. Call it once a frame, after the timestep's begin_frame and before the steps.
    fn begin_frame(&mut self, timestep: &FixedTimestep) -> PyResult<()> {
        self.flat.begin_frame(&timestep.flat).named("InputBuffer.begin_frame")
    }

    /// Assigns each event to a step of a task of a schedule.
    fn begin_task(&mut self, schedule: &Schedule, task: Whole<u32>) -> PyResult<()> {
        self.flat
            .begin_task(&schedule.flat, task.0)
            .named("InputBuffer.begin_task")
    }

    /// Begins a step and takes its events. The methods below then describe this step.
    fn begin_step(&mut self, step: Tick) -> PyResult<()> {
        self.flat.begin_step(step.0).named("InputBuffer.begin_step")
    }

    /// The events of this step, oldest first.
    fn events(&self) -> Vec<InputEvent> {
        let events = (0..).map_while(|index| self.flat.event(index));
        let named = events.map(|event| InputEvent {
            kind: match event.kind {
                INPUT_PRESS => "press",
                INPUT_RELEASE => "release",
                INPUT_MOTION => "motion",
                INPUT_WHEEL => "wheel",
                INPUT_HOLD => "hold",
                _ => "release-all",
            },
            key: event.key,
            x: event.x,
            y: event.y,
            time: event.time,
        });
        named.collect()
    }

    /// Whether a key is down at the end of the step.
    fn is_held(&self, key: Whole<u32>) -> bool {
        self.flat.is_held(key.0)
    }

    /// Whether a key is down at the end of the step or went down in it, so that a tap shorter than a step acts in one.
    fn is_down(&self, key: Whole<u32>) -> bool {
        self.flat.is_down(key.0)
    }

    /// How often a key went down in the step; a tap shorter than the step counts.
    fn presses(&self, key: Whole<u32>) -> u32 {
        self.flat.presses(key.0)
    }

    /// Whether a key went up in the step.
    fn was_released(&self, key: Whole<u32>) -> bool {
        self.flat.was_released(key.0)
    }

    /// By how much the pointer moved in the step.
    #[getter]
    fn moved(&self) -> (f64, f64) {
        self.flat.moved().into()
    }

    /// By how much the wheel turned in the step.
    #[getter]
    fn turned(&self) -> (f64, f64) {
        self.flat.turned().into()
    }

    /// The number of events that arrived after the frame of their time, and went to the next step.
    #[getter]
    fn late(&self) -> u64 {
        self.flat.counts().late
    }

    /// The number of events that arrived after a later event, and were put before it.
    #[getter]
    fn reordered(&self) -> u64 {
        self.flat.counts().reordered
    }

    /// The number of events of which only the state was kept because the buffer was full.
    #[getter]
    fn refused(&self) -> u64 {
        self.flat.counts().refused
    }

    /// The number of events of which only the state was kept because they happened in a pause.
    #[getter]
    fn paused(&self) -> u64 {
        self.flat.counts().paused
    }

    /// The number of events that wait for their step.
    fn __len__(&self) -> usize {
        self.flat.counts().waiting as usize
    }

    /// A buffer is true even if no event waits.
    fn __bool__(&self) -> bool {
        true
    }
}

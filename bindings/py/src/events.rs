//! Sounds, flashes and other effects, which steps emit and which are delivered when their moment is presented.

use evenstep::input::{EventQueue as Queue, QueueOverflow};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::arguments::{self, Whole};
use crate::frame::{Frame, Step};
use crate::input::in_capacity;

/// A queue of events of steps. An interpolated frame shows an earlier moment than the simulation has reached; the queue delivers each event
/// in the first frame that shows it.
///
///     for step in frame:
///         queue.emit(step, "jump")
///     for tick, sound in queue.due(frame):
///         play(sound)
#[pyclass(module = "evenstep", generic)]
pub(crate) struct EventQueue(Queue<Py<PyAny>>);

#[pymethods]
impl EventQueue {
    #[new]
    #[pyo3(
        signature = (*, capacity=Whole(256), overflow="drop-oldest"),
        text_signature = "(*, capacity=256, overflow=\"drop-oldest\")"
    )]
    fn new(capacity: Whole<usize>, overflow: &str) -> PyResult<Self> {
        let overflows = [
            ("drop-oldest", QueueOverflow::DropOldest),
            ("drop-newest", QueueOverflow::DropNewest),
        ];
        let overflow = arguments::meaning(overflow, "EventQueue: overflow", &overflows)?;
        let capacity = in_capacity(capacity.0, "EventQueue: capacity")?;
        Ok(Self(Queue::new(capacity, overflow)))
    }

    /// Emits any object in a step. Emit events in the order of their steps.
    fn emit(&mut self, step: &Step, event: Py<PyAny>) {
        self.0.emit(&step.0, event);
    }

    /// The events that a frame shows if it is drawn by smoothing, each with its tick: "interpolate", "extrapolate", or "none" for events
    /// that are not drawn.
    #[pyo3(signature = (frame, smoothing="interpolate"))]
    fn due(&mut self, frame: &Frame, smoothing: &str) -> PyResult<Vec<(u64, Py<PyAny>)>> {
        let shown = frame.0.shown_time(arguments::smoothing(smoothing)?);
        Ok(std::iter::from_fn(|| self.0.next_due(shown)).collect())
    }

    /// Retracts the events of a tick and of later ones, which will be simulated again.
    fn retract_from(&mut self, tick: Whole<u64>) {
        self.0.retract_from(tick.0);
    }

    /// The number of events that were dropped so far.
    #[getter]
    fn dropped(&self) -> u64 {
        self.0.dropped()
    }

    /// The number of events that wait.
    #[getter]
    fn waiting(&self) -> usize {
        self.0.len()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.iter().try_for_each(|(_, event)| visit.call(event))
    }

    fn __clear__(&mut self) {
        self.0.retract_from(0);
    }
}

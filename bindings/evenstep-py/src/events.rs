//! Sounds, flashes and other effects, which steps emit and which are delivered when their moment is presented.

use std::collections::VecDeque;

use evenstep::Step;
use evenstep_flat::events::{SEEN_AT_ONCE, SEEN_BLENDED, SEEN_EXTRAPOLATED, shown};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::arguments::{Tick, Whole};
use crate::errors::{Code, Named as _, refused};
use crate::timestep::FixedTimestep;

/// The largest capacity.
const MAX_CAPACITY: usize = 1 << 20;

/// A queue of events of steps. An interpolated frame shows an earlier moment than the simulation has reached; the queue delivers each event
/// in the first frame that shows it.
///
///     for step in frame:
///         queue.emit(step, "jump")
///     for tick, sound in queue.seen(timestep):
///         play(sound)
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct EventQueue {
    capacity: usize,
    drops_oldest: bool,
    /// The ticks and objects that wait, oldest first.
    waiting: VecDeque<(u64, Py<PyAny>)>,
    dropped: u64,
    last_tick: u64,
}

#[pymethods]
impl EventQueue {
    #[new]
    #[pyo3(
        signature = (*, capacity=Whole(256), overflow="drop-oldest"),
        text_signature = "(*, capacity=256, overflow=\"drop-oldest\")"
    )]
    fn new(capacity: Whole<usize>, overflow: &str) -> PyResult<Self> {
        let drops_oldest = match overflow {
            "drop-oldest" => true,
            "drop-newest" => false,
            _ => {
                let why = format!("{overflow:?}; give \"drop-oldest\" or \"drop-newest\"");
                return Err(refused(Code::Range, "EventQueue: overflow", why));
            }
        };
        if !(1..=MAX_CAPACITY).contains(&capacity.0) {
            let why = format!("{} is not from 1 to 2^20", capacity.0);
            return Err(refused(Code::Range, "EventQueue: capacity", why));
        }
        Ok(Self {
            capacity: capacity.0,
            drops_oldest,
            waiting: VecDeque::new(),
            dropped: 0,
            last_tick: 0,
        })
    }

    /// EventQueue[str] in annotations.
    #[classmethod]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let alias = class.py().import("types")?.getattr("GenericAlias")?;
        alias.call1((class, item))
    }

    /// Emits any object in a step. Returns whether no event was dropped for it. Emit events in the order of their steps.
    fn emit(&mut self, step: Tick, event: Py<PyAny>) -> PyResult<bool> {
        let (Tick(tick), last) = (step, self.last_tick);
        if tick < last {
            let why =
                format!("tick {tick} is before tick {last}; when steps are simulated again, call retract_from first");
            return Err(refused(Code::Order, "EventQueue.emit", why));
        }
        self.last_tick = tick;
        let had_room = self.waiting.len() < self.capacity;
        self.dropped += u64::from(!had_room);
        if !had_room && self.drops_oldest {
            self.waiting.pop_front();
        }
        if had_room || self.drops_oldest {
            self.waiting.push_back((tick, event));
        }
        Ok(had_room)
    }

    /// The events that the timestep's last frame shows, each with its tick. seen is "blended", "extrapolated" or "at-once".
    #[pyo3(signature = (timestep, seen="blended"))]
    fn seen(&mut self, timestep: &FixedTimestep, seen: &str) -> PyResult<Vec<(u64, Py<PyAny>)>> {
        let kind = match seen {
            "blended" => SEEN_BLENDED,
            "extrapolated" => SEEN_EXTRAPOLATED,
            "at-once" => SEEN_AT_ONCE,
            _ => {
                let why = format!("{seen:?}; give \"blended\", \"extrapolated\" or \"at-once\"");
                return Err(refused(Code::Range, "EventQueue.seen", why));
            }
        };
        let (shown, rate) = (
            shown(&timestep.flat, kind).named("EventQueue.seen")?,
            timestep.flat.rate(),
        );
        let due = self
            .waiting
            .partition_point(|(tick, _)| Step::new(*tick, rate).end() <= shown);
        Ok(self.waiting.drain(..due).collect())
    }

    /// Retracts the events of a step and of later ones, which will be simulated again.
    fn retract_from(&mut self, step: Tick) {
        let Tick(tick) = step;
        let left = self.waiting.partition_point(|(of, _)| *of < tick);
        self.waiting.truncate(left);
        self.last_tick = self.last_tick.min(tick);
    }

    /// The number of events that were dropped so far.
    #[getter]
    fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The number of events that wait.
    fn __len__(&self) -> usize {
        self.waiting.len()
    }

    /// A queue is true even if no event waits.
    fn __bool__(&self) -> bool {
        true
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.waiting.iter().try_for_each(|(_, event)| visit.call(event))
    }

    fn __clear__(&mut self) {
        self.waiting.clear();
    }
}

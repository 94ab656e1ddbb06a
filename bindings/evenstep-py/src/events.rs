//! Sounds, flashes and other effects, which steps emit and which are delivered when their moment is presented.

use std::collections::VecDeque;

use evenstep_flat::events::{Events, SEEN_AT_ONCE, SEEN_BLENDED, SEEN_EXTRAPOLATED};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::arguments::Tick;
use crate::errors::{Named as _, refused};
use crate::timestep::FixedTimestep;

/// A queue of events of steps. An interpolated frame shows an earlier moment than the simulation has reached; the queue delivers each event
/// in the first frame that shows it.
///
///     queue.emit(step, "jump")
///     for tick, sound in queue.seen(timestep):
///         play(sound)
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct EventQueue {
    flat: Events,
    drops_oldest: bool,
    /// The objects that wait, oldest first. The flat queue holds their consecutive numbers.
    waiting: VecDeque<Py<PyAny>>,
    next: u64,
    last_tick: u64,
}

#[pymethods]
impl EventQueue {
    #[new]
    #[pyo3(signature = (*, capacity=256, overflow="drop-oldest"))]
    fn new(capacity: u32, overflow: &str) -> PyResult<Self> {
        let drops_oldest = match overflow {
            "drop-oldest" => true,
            "drop-newest" => false,
            _ => {
                let why = format!("{overflow:?}; give \"drop-oldest\" or \"drop-newest\"");
                return Err(refused("EventQueue: overflow", why));
            }
        };
        Ok(Self {
            flat: Events::new(capacity, !drops_oldest).named("EventQueue: capacity from 1 to 2^20")?,
            drops_oldest,
            waiting: VecDeque::new(),
            next: 0,
            last_tick: 0,
        })
    }

    /// Emits any object in a step of a timestep. Returns whether no event was dropped for it. Emit events in the order of their steps.
    fn emit(&mut self, timestep: &FixedTimestep, step: Tick, event: Py<PyAny>) -> PyResult<bool> {
        let (tick, last) = (step.number(), self.last_tick);
        if tick < last {
            let why =
                format!("tick {tick} is before tick {last}; when steps are simulated again, call retract_from first");
            return Err(refused("EventQueue.emit", why));
        }
        let had_room = self.flat.emit(&timestep.flat, tick, self.next);
        self.last_tick = tick;
        if had_room || self.drops_oldest {
            self.waiting.push_back(event);
            self.next += 1;
        }
        while self.waiting.len() as u64 > self.flat.waiting() {
            self.waiting.pop_front();
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
                return Err(refused("EventQueue.seen", why));
            }
        };
        let mut events = Vec::new();
        while let Some((_, tick)) = self.flat.next(&timestep.flat, kind).named("EventQueue.seen")? {
            events.extend(self.waiting.pop_front().map(|event| (tick, event)));
        }
        Ok(events)
    }

    /// Retracts the events of a step and of later ones, which will be simulated again.
    fn retract_from(&mut self, step: Tick) {
        let tick = step.number();
        self.flat.retract_from(tick);
        let left = self.flat.waiting();
        while self.waiting.len() as u64 > left {
            self.waiting.pop_back();
            self.next -= 1;
        }
        self.last_tick = self.last_tick.min(tick);
    }

    /// The number of events that were dropped so far.
    #[getter]
    fn dropped(&self) -> u64 {
        self.flat.dropped()
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
        self.waiting.iter().try_for_each(|event| visit.call(event))
    }

    fn __clear__(&mut self) {
        self.retract_from(Tick::Number(0));
    }
}

//! The plan for a frame: steps to run, and where to draw.

use evenstep_flat::Exact;
use evenstep_flat::timestep::Frame as Flat;
use pyo3::prelude::*;

/// The plan for a frame: run its steps, which it iterates over, then draw at alpha.
#[pyclass(module = "evenstep", frozen, get_all)]
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The tick of its first step. Ticks count steps from 0.
    first_tick: u64,
    /// The number of steps that the simulation has completed after this frame's steps.
    tick: u64,
    /// Where to draw between the previous state (0) and the current one; below 1.
    alpha: f64,
    /// The length of every step, in seconds.
    dt: f64,
    /// Real time that was cut off because the delta was too long, in nanoseconds.
    clamped: i64,
    /// Real time of a known pause, in nanoseconds.
    suspended: i64,
    /// The number of due steps that were dropped.
    dropped: u64,
    /// The number of steps that step_once requested, which use up no time.
    single_steps: u32,
    /// Whether time is kept back for later frames.
    is_behind: bool,
}

/// A step of the simulation.
#[pyclass(module = "evenstep", frozen, get_all)]
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Its tick.
    pub(crate) tick: u64,
    /// Its length in seconds.
    pub(crate) dt: f64,
}

/// The steps of a frame, one after the other.
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct Steps {
    next: u64,
    end: u64,
    dt: f64,
}

impl From<Flat> for Frame {
    fn from(frame: Flat) -> Self {
        Self {
            first_tick: frame.first_tick,
            tick: frame.tick,
            alpha: frame.alpha,
            dt: frame.dt,
            clamped: frame.clamped,
            suspended: frame.paused,
            dropped: frame.dropped,
            single_steps: frame.single_steps,
            is_behind: frame.is_behind,
        }
    }
}

#[pymethods]
impl Frame {
    fn __iter__(&self) -> Steps {
        Steps {
            next: self.first_tick,
            end: self.tick,
            dt: self.dt,
        }
    }

    fn __len__(&self) -> usize {
        (self.tick - self.first_tick) as usize
    }

    /// A frame is true even if it has no step.
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let (first, tick, alpha) = (self.first_tick, self.tick, self.alpha);
        format!("<evenstep.Frame of ticks {first} to {tick}, alpha {alpha}>")
    }
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        format!("<evenstep.Step {} of {} s>", self.tick, self.dt)
    }
}

#[pymethods]
impl Steps {
    fn __iter__(steps: PyRef<'_, Self>) -> PyRef<'_, Self> {
        steps
    }

    fn __next__(&mut self) -> Option<Step> {
        let tick = self.next;
        (tick < self.end).then(|| {
            self.next += 1;
            Step { tick, dt: self.dt }
        })
    }
}

/// An exact time in seconds, as a `Fraction`.
pub(crate) fn fraction<'py>(py: Python<'py>, time: &Exact) -> PyResult<Bound<'py, PyAny>> {
    let whole = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
    let numer = whole(time.numer_high, time.numer_low);
    let denom = whole(time.denom_high, time.denom_low);
    let fraction = py.import("fractions")?.getattr("Fraction")?;
    fraction.call1((numer, denom))?.add(time.seconds)
}

//! The plan for a frame: steps to run, and where to draw.

use pyo3::prelude::*;

use crate::arguments;

/// The plan for a frame: run its steps, which it iterates over, then draw at alpha. A second for simulates them again; len() is their number.
#[pyclass(module = "evenstep", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct Frame(pub(crate) evenstep::Frame);

/// The steps of a frame, one at a time.
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct Steps(evenstep::Steps);

/// A step of the simulation.
#[pyclass(module = "evenstep", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct Step(pub(crate) evenstep::Step);

/// The time and steps that a frame lost.
#[pyclass(module = "evenstep", frozen, get_all)]
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    /// Real time that was cut off because the delta was too long, in nanoseconds.
    clamped: u128,
    /// Real time of a known pause, in nanoseconds.
    paused: u128,
    /// The number of due steps that were dropped.
    dropped: u64,
}

#[pymethods]
impl Frame {
    /// The number of steps that the simulation has completed after this frame's steps; the tick of the next step.
    #[getter]
    fn tick(&self) -> u64 {
        self.0.tick()
    }

    /// Where to draw between the previous state (0) and the current one; below 1.
    #[getter]
    fn alpha(&self) -> f64 {
        self.0.alpha()
    }

    /// The time and steps that it lost.
    #[getter]
    fn lost(&self) -> Lost {
        let lost = self.0.lost();
        Lost {
            clamped: lost.clamped.as_nanos(),
            paused: lost.paused.as_nanos(),
            dropped: lost.dropped,
        }
    }

    /// The number of steps that step_once requested, which use up no time.
    #[getter]
    fn single_steps(&self) -> u32 {
        self.0.single_steps()
    }

    /// Whether time is kept back for later frames.
    #[getter]
    fn is_behind(&self) -> bool {
        self.0.is_behind()
    }

    /// Simulated time that has arrived and has not been stepped yet: exact seconds as a Fraction.
    #[getter]
    fn overstep<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let overstep = self.0.overstep();
        fraction(py, overstep.secs(), overstep.subsec())
    }

    /// The simulated time that the frame shows, exact seconds as a Fraction, if it is drawn by smoothing: "interpolate", between the
    /// last two states; "extrapolate"; or "none", the newest state.
    #[pyo3(signature = (smoothing="interpolate"))]
    fn shown_time<'py>(&self, py: Python<'py>, smoothing: &str) -> PyResult<Bound<'py, PyAny>> {
        let shown = self.0.shown_time(arguments::smoothing(smoothing)?);
        fraction(py, shown.secs(), shown.subsec())
    }

    fn __iter__(&self) -> Steps {
        Steps(self.0.steps())
    }

    fn __len__(&self) -> usize {
        self.0.step_count() as usize
    }

    /// A frame is true even if it has no step.
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let (steps, tick, alpha) = (self.__len__(), self.tick(), self.alpha());
        format!("<evenstep.Frame of {steps} steps to tick {tick}, alpha {alpha}>")
    }
}

#[pymethods]
impl Steps {
    fn __iter__(steps: Py<Self>) -> Py<Self> {
        steps
    }

    fn __next__(&mut self) -> Option<Step> {
        self.0.next().map(Step)
    }
}

#[pymethods]
impl Step {
    /// Its tick. Ticks count steps from 0.
    #[getter]
    fn tick(&self) -> u64 {
        self.0.tick
    }

    /// Its length in seconds, the same for every step.
    #[getter]
    fn dt(&self) -> f64 {
        self.0.dt
    }

    fn __repr__(&self) -> String {
        format!("<evenstep.Step {} of {} s>", self.0.tick, self.0.dt)
    }
}

/// An exact time in seconds, as a `Fraction`.
pub(crate) fn fraction(py: Python<'_>, secs: u64, subsec: (u128, u128)) -> PyResult<Bound<'_, PyAny>> {
    let fraction = py.import("fractions")?.getattr("Fraction")?;
    fraction.call1(subsec)?.add(secs)
}

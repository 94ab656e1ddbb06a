//! A number that is drawn between its last two states.

use pyo3::prelude::*;

use crate::errors::Named as _;

/// A number of the simulation, now and before the last step, which is drawn between both.
///
///     height = Smoothed(2.0)
///     heading = Smoothed(350.0, wrap=360.0)    # blended the shorter way
///     height.begin_step()                      # before each step, then
///     height.current += speed * step.dt
///     height.at(frame.alpha)                   # in each frame
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct Smoothed {
    flat: evenstep_flat::smoothed::Smoothed,
}

#[pymethods]
impl Smoothed {
    #[new]
    #[pyo3(signature = (state, *, wrap=None))]
    fn new(state: f64, wrap: Option<f64>) -> PyResult<Self> {
        let flat = evenstep_flat::smoothed::Smoothed::new(state, wrap.unwrap_or(0.0)).named("Smoothed: wrap")?;
        Ok(Self { flat })
    }

    /// The number now.
    #[getter]
    fn current(&self) -> f64 {
        self.flat.current
    }

    #[setter]
    fn set_current(&mut self, state: f64) {
        self.flat.current = state;
    }

    /// The number before the last step.
    #[getter]
    fn previous(&self) -> f64 {
        self.flat.previous
    }

    /// Whether the number teleported in this step.
    #[getter]
    fn is_teleport(&self) -> bool {
        self.flat.is_teleport()
    }

    /// Begins a step: the current number becomes the previous one.
    fn begin_step(&mut self) {
        self.flat.begin_step();
    }

    /// Marks the number as teleported in this step: it is drawn at its new value, not between.
    fn teleport(&mut self) {
        self.flat.teleport();
    }

    /// Moves both numbers, when the origin of the world moves. This is not motion.
    fn shift(&mut self, by: f64) {
        self.flat.shift(by);
    }

    /// The number to draw at a frame's alpha. A number that wraps may lie outside of one period.
    fn at(&self, alpha: f64) -> f64 {
        self.flat.at(alpha)
    }

    fn __repr__(&self) -> String {
        let (previous, current) = (self.flat.previous, self.flat.current);
        format!("<evenstep.Smoothed from {previous} to {current}>")
    }
}

//! Statistics of the last frames.

use evenstep_flat::stats::Stats;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::Named as _;
use crate::timestep::FixedTimestep;

/// Statistics of the last 240 frames.
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct FrameStats {
    flat: Stats,
}

#[pymethods]
impl FrameStats {
    #[new]
    fn new() -> Self {
        let flat = Stats::new();
        Self { flat }
    }

    /// Records the timestep's last frame. Call it once a frame, after steps were given back.
    fn record(&mut self, timestep: &FixedTimestep) -> PyResult<()> {
        self.flat.record(&timestep.flat).named("FrameStats.record")
    }

    /// A percentile of the frame times, in nanoseconds; None before the first frame.
    fn frame_time(&self, percent: f64) -> PyResult<Option<i64>> {
        self.flat.frame_time(percent).named("FrameStats.frame_time")
    }

    /// All statistics. Times are nanoseconds; animation_error is the root mean square in seconds.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (report, dict) = (self.flat.report(), PyDict::new(py));
        dict.set_item("frames", report.frames)?;
        dict.set_item("steps_per_frame", report.steps_per_frame)?;
        dict.set_item("alpha_least", report.alpha_least)?;
        dict.set_item("alpha_mean", report.alpha_mean)?;
        dict.set_item("alpha_largest", report.alpha_largest)?;
        dict.set_item("frame_time_median", report.frame_time_median)?;
        dict.set_item("frame_time_p99", report.frame_time_p99)?;
        dict.set_item("frame_time_longest", report.frame_time_longest)?;
        dict.set_item("clamped", report.clamped)?;
        dict.set_item("suspended", report.paused)?;
        dict.set_item("dropped", report.dropped)?;
        dict.set_item("animation_error", report.animation_error)?;
        Ok(dict)
    }
}

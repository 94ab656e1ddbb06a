//! Statistics of the last frames.

use pyo3::prelude::*;

use crate::errors::{Code, refused};
use crate::timestep::FixedTimestep;

/// The number of frames.
const WINDOW: usize = 240;

/// Statistics of the last 240 frames.
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct FrameStats(Box<evenstep::FrameStats<WINDOW>>);

#[pymethods]
impl FrameStats {
    #[new]
    fn new() -> Self {
        Self(Box::default())
    }

    /// Records the timestep's last frame. Call it once a frame, after steps were given back.
    fn record(&mut self, timestep: &FixedTimestep) -> PyResult<()> {
        let frame = timestep.last("FrameStats.record")?;
        self.0.record(timestep.time.unfiltered_delta, &frame);
        Ok(())
    }

    /// A percentile of the frame times, in nanoseconds; None before the first frame.
    fn frame_time(&self, percentile: f64) -> PyResult<Option<u128>> {
        if !(0.0..=100.0).contains(&percentile) {
            let why = format!("a percentile is from 0 to 100, not {percentile}");
            return Err(refused(Code::Range, "FrameStats.frame_time", why));
        }
        let time = self.0.frame_time_percentile(percentile);
        Ok(time.map(|time| time.as_nanos()))
    }

    /// The real-time factor of the last frames: simulated time divided by the real time that it took, at the requested speed. 1 if the
    /// loop keeps up. Pauses do not count.
    #[getter]
    fn real_time_factor(&self) -> f64 {
        self.0.real_time_factor()
    }

    /// The real-time factor of all frames.
    #[getter]
    fn total_real_time_factor(&self) -> f64 {
        self.0.total_real_time_factor()
    }

    /// The number of the last frames with 0, 1, 2, … steps; the last one counts frames with seven or more.
    #[getter]
    fn steps_per_frame(&self) -> [u32; 8] {
        self.0.steps_per_frame()
    }

    /// The number of steps that the last frames dropped.
    #[getter]
    fn dropped(&self) -> u64 {
        self.0.dropped()
    }

    /// The animation error in seconds: the root mean square of the difference between the advance of drawn simulated time and the frame
    /// time.
    #[getter]
    fn animation_error(&self) -> f64 {
        self.0.animation_error_rms()
    }
}

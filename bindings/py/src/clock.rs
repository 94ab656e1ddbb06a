//! The clock of frames, with the default filter.

use std::time::Duration;

use evenstep::FrameTime;
use evenstep::filter::{DeltaFilter, DisplayClock};
use pyo3::prelude::*;

use crate::arguments::Time;

/// Smooths the times of frames, which are rounded and slightly late: within 4 ms ahead of the clock and 3 ms behind it. GameLoop has
/// one. Give each timestep or schedule one of its own, FixedTimestep(60, clock=FrameClock()), or ask one for the deltas of a loop of your
/// own:
///
///     clock = FrameClock()
///     delta = clock.begin_frame(time.perf_counter_ns())
#[pyclass(module = "evenstep")]
pub(crate) struct FrameClock(evenstep::FrameClock<Box<dyn DeltaFilter + Send + Sync>>);

#[pymethods]
impl FrameClock {
    #[new]
    pub(crate) fn new() -> Self {
        Self::filtered(Box::new(DisplayClock::new()))
    }

    /// Begins a frame at a time of any clock. Returns the smoothed seconds since the last frame, 0 in the first one.
    fn begin_frame(&mut self, now: Time) -> f64 {
        self.begin(now.0).delta.as_secs_f64()
    }

    /// The number of frames whose time was before an earlier frame's; time stands still until the clock has caught up. If it grows in each
    /// frame, the clock was set back, or times are from two clocks.
    #[getter]
    pub(crate) const fn backward_frames(&self) -> u64 {
        self.0.backward_frames()
    }
}

impl FrameClock {
    /// A clock whose times count as they are.
    pub(crate) fn unfiltered() -> Self {
        Self::filtered(Box::new(()))
    }

    fn filtered(filter: Box<dyn DeltaFilter + Send + Sync>) -> Self {
        Self(evenstep::FrameClock::with_filter(filter))
    }

    pub(crate) fn begin(&mut self, now: Duration) -> FrameTime {
        self.0.begin_frame(now)
    }

    /// Begins a frame this long after the last one.
    pub(crate) fn advance(&mut self, delta: Duration) -> FrameTime {
        if self.0.origin().is_none() {
            self.0.begin_frame(Duration::ZERO);
        }
        self.0.begin_frame(self.0.now().saturating_add(delta))
    }
}

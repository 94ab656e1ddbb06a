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
pub(crate) struct FrameClock {
    core: evenstep::FrameClock<Box<dyn DeltaFilter + Send + Sync>>,
    /// The last frame.
    pub(crate) time: FrameTime,
}

#[pymethods]
impl FrameClock {
    #[new]
    pub(crate) fn new() -> Self {
        Self::of(Box::new(DisplayClock::new()))
    }

    /// Begins a frame at a time of any clock. Returns the smoothed seconds since the last frame, 0 in the first one.
    fn begin_frame(&mut self, now: Time) -> f64 {
        self.begin(now.0).delta.as_secs_f64()
    }

    /// The number of frames whose time was before an earlier frame's; time stands still until the clock has caught up. If it grows in each
    /// frame, the clock was set back, or times are from two clocks.
    #[getter]
    pub(crate) const fn backward_frames(&self) -> u64 {
        self.core.backward_frames()
    }
}

impl FrameClock {
    /// A clock whose times count as they are.
    pub(crate) fn unfiltered() -> Self {
        Self::of(Box::new(()))
    }

    fn of(filter: Box<dyn DeltaFilter + Send + Sync>) -> Self {
        Self {
            core: evenstep::FrameClock::with_filter(filter),
            time: FrameTime::default(),
        }
    }

    pub(crate) fn begin(&mut self, now: Duration) -> FrameTime {
        self.time = self.core.begin_frame(now);
        self.time
    }

    /// Begins a frame this long after the last one.
    pub(crate) fn advance(&mut self, delta: Duration) -> FrameTime {
        if self.core.origin().is_none() {
            self.core.begin_frame(Duration::ZERO);
        }
        self.time = self.core.begin_frame(self.core.now().saturating_add(delta));
        self.time
    }
}

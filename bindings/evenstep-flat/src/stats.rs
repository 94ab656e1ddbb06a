//! Statistics of the last frames.

use alloc::boxed::Box;

use evenstep::FrameStats;

use crate::error::Error;
use crate::exact::nanos;
use crate::timestep::Timestep;

/// The number of frames in the statistics.
const WINDOW: usize = 240;

/// A report of the last 240 frames, the window.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// The number of frames recorded in all, including frames before the window.
    pub frames: u64,
    /// The number of frames of the window with 0, 1, 2, … steps; the last element counts frames with seven or more.
    pub steps_per_frame: [u32; 8],
    /// The smallest alpha of the window. It and all fields below are zero before the first frame.
    pub alpha_least: f64,
    /// The mean alpha of the window.
    pub alpha_mean: f64,
    /// The largest alpha of the window.
    pub alpha_largest: f64,
    /// The median frame time, in nanoseconds.
    pub frame_time_median: i64,
    /// The frame time that 99 % of the frames do not exceed, in nanoseconds.
    pub frame_time_p99: i64,
    /// The longest frame time, in nanoseconds.
    pub frame_time_longest: i64,
    /// Real time that was clamped, in nanoseconds.
    pub clamped: i64,
    /// Real time of known pauses, in nanoseconds.
    pub paused: i64,
    /// Steps that were dropped.
    pub dropped: u64,
    /// The animation error, in seconds: the root mean square of the difference between the advance of drawn simulated time and the
    /// frame time.
    pub animation_error: f64,
}

/// Statistics of the last 240 frames.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    frames: Box<FrameStats<WINDOW>>,
    /// The number of the last frame that was recorded.
    last: Option<u64>,
}

impl Stats {
    /// Statistics without frames.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records the timestep's last frame. Call it once a frame, after steps were given back.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] before the first frame, and if the last frame was recorded already.
    pub fn record(&mut self, timestep: &Timestep) -> Result<(), Error> {
        let (frame, clock) = (timestep.last()?, timestep.clock());
        if self.last.replace(clock.frames()) == Some(clock.frames()) {
            return Err(Error::Order);
        }
        self.frames.record(clock.last().unfiltered_delta, &frame);
        Ok(())
    }

    /// The time that `percent` of the window's frames do not exceed, in nanoseconds; none before the first frame.
    ///
    /// # Errors
    ///
    /// [`Error::NotFinite`], and [`Error::Range`] beyond 0 to 100.
    pub fn frame_time(&self, percent: f64) -> Result<Option<i64>, Error> {
        match percent {
            _ if !percent.is_finite() => Err(Error::NotFinite),
            0.0..=100.0 => Ok(self.frames.frame_time_percentile(percent).map(nanos)),
            _ => Err(Error::Range),
        }
    }

    /// All statistics.
    #[must_use]
    pub fn report(&self) -> Report {
        let (alpha_least, alpha_mean, alpha_largest) = self.frames.alpha_range().unwrap_or_default();
        let time = |percent| self.frames.frame_time_percentile(percent).map_or(0, nanos);
        Report {
            frames: self.frames.frame_count(),
            steps_per_frame: self.frames.steps_per_frame(),
            alpha_least,
            alpha_mean,
            alpha_largest,
            frame_time_median: time(50.0),
            frame_time_p99: time(99.0),
            frame_time_longest: time(100.0),
            clamped: nanos(self.frames.clamped()),
            paused: nanos(self.frames.paused()),
            dropped: self.frames.dropped(),
            animation_error: self.frames.animation_error_rms(),
        }
    }
}

//! When to begin a frame.

use alloc::boxed::Box;

use evenstep::pace::{self, FramePlan};

use crate::error::Error;
use crate::exact::{duration, nanos};
use crate::present::Refresh;
use crate::settings::rate;

/// When to begin a frame, and the refresh for which it is planned. Times are nanoseconds of the program's clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// When to begin reading input, simulating and drawing. Never before `asked`.
    pub begin: i64,
    /// The refresh for which the frame should be ready; -1 if no display is known.
    pub shown: i64,
    /// When the plan was requested: the earliest time at which the frame could have begun.
    pub asked: i64,
    /// The time between refreshes; 0 if no display is known.
    pub period: i64,
}

/// The latency that pacing saved and the refreshes that frames missed, over all frames for a display with a fixed rate, compared with
/// a program that begins each frame at the refresh before its own.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacerReport {
    /// The number of finished frames.
    pub frames: u64,
    /// The sum of their waits, in nanoseconds.
    pub waited: i64,
    /// The number of refreshes that frames missed.
    pub missed: u64,
    /// The missed refreshes that frames would have met if they had begun at the refresh before.
    pub missed_by_waiting: u64,
    /// By how much the age of frames at their refresh is smaller, summed over all frames, in nanoseconds; negative if it is larger.
    pub latency_saved: i64,
}

/// Decides when to begin the next frame: as late as possible for it to be ready for its refresh.
#[derive(Clone, Debug, Default)]
pub struct Pacer {
    core: Box<pace::Pacer>,
}

impl Pacer {
    /// A pacer that plans for the largest cost of the last 128 frames, with a margin of a millisecond and no limit.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the percentage of frames planned to be in time; 100 unless set.
    ///
    /// # Errors
    ///
    /// [`Error::NotFinite`], and [`Error::Range`] beyond 0 to 100.
    pub fn set_percentile(&mut self, percent: f64) -> Result<(), Error> {
        match percent {
            _ if !percent.is_finite() => Err(Error::NotFinite),
            0.0..=100.0 => {
                self.set(|pacer| pacer.with_percentile(percent));
                Ok(())
            }
            _ => Err(Error::Range),
        }
    }

    /// Sets how many nanoseconds before its refresh a frame is planned to be ready; a millisecond unless set.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn set_margin(&mut self, margin: i64) -> Result<(), Error> {
        let margin = duration(margin)?;
        self.set(|pacer| pacer.with_margin(margin));
        Ok(())
    }

    /// Plans for a display that waits for the frame (variable refresh). The interval between frames is at least its shortest interval
    /// between refreshes plus `margin` nanoseconds. 300 000 is usual.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn set_variable_refresh(&mut self, margin: i64) -> Result<(), Error> {
        let margin = duration(margin)?;
        self.set(|pacer| pacer.with_variable_refresh(margin));
        Ok(())
    }

    /// Limits the rate to `numer / denom` frames a second.
    ///
    /// # Errors
    ///
    /// [`Error::Ratio`].
    pub fn set_limit(&mut self, numer: u32, denom: u32) -> Result<(), Error> {
        self.core.set_limit(Some(rate(numer, denom)?));
        Ok(())
    }

    /// Removes the limit, which is the default.
    pub fn unset_limit(&mut self) {
        self.core.set_limit(None);
    }

    /// Saves power: limits the rate to `numer / denom` frames a second, and shows each frame for the same number of refreshes.
    ///
    /// # Errors
    ///
    /// [`Error::Ratio`].
    pub fn set_saving(&mut self, numer: u32, denom: u32) -> Result<(), Error> {
        self.core.set_saving(Some(rate(numer, denom)?));
        Ok(())
    }

    /// Turns off power saving, which is the default.
    pub fn unset_saving(&mut self) {
        self.core.set_saving(None);
    }

    fn set(&mut self, with: impl FnOnce(pace::Pacer) -> pace::Pacer) {
        *self.core = with(core::mem::take(&mut *self.core));
    }

    /// Decides when to begin the next frame. `next` is the next refresh of the display; none if no display is known.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`]; then no frame is planned.
    pub fn next_frame(&mut self, now: i64, next: Option<&Refresh>) -> Result<Plan, Error> {
        let (now, next) = (duration(now)?, next.map(Refresh::prediction).transpose()?);
        let plan = self.core.next_frame(now, next);
        Ok(Plan {
            begin: nanos(plan.begin),
            shown: plan.shown.map_or(-1, nanos),
            asked: nanos(plan.asked),
            period: nanos(plan.period),
        })
    }

    /// Records that a frame is ready: drawn and submitted.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`], and [`Error::Range`] for a plan that begins before it was requested.
    pub fn finish(&mut self, plan: &Plan, ready: i64) -> Result<(), Error> {
        let shown = (plan.shown != -1).then(|| duration(plan.shown)).transpose()?;
        let mut core = FramePlan::new(duration(plan.asked)?, duration(plan.begin)?);
        (core.shown, core.period) = (shown, duration(plan.period)?);
        let ready = duration(ready)?;
        if plan.begin < plan.asked {
            return Err(Error::Range);
        }
        self.core.finish(core, ready);
        Ok(())
    }

    /// The cost of a frame for which the pacer plans, in nanoseconds; none before eight frames are finished.
    #[must_use]
    pub fn cost(&self) -> Option<i64> {
        self.core.cost().map(nanos)
    }

    /// The latency that pacing saved and the refreshes that frames missed.
    #[must_use]
    pub fn report(&self) -> PacerReport {
        let stats = self.core.stats();
        let least = i128::from(i64::MIN);
        PacerReport {
            frames: stats.frames,
            waited: nanos(stats.waited),
            missed: stats.missed,
            missed_by_waiting: stats.missed_by_waiting,
            latency_saved: stats.latency_saved.clamp(least, i128::from(i64::MAX)) as i64,
        }
    }
}

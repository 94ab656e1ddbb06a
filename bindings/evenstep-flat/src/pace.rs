//! When to begin a frame.

use alloc::boxed::Box;

use evenstep::pace::{self, FramePlan};

use crate::error::Error;
use crate::exact::{duration, nanos};
use crate::present::Refresh;
use crate::settings::rate;

/// When to begin a frame, and what for. Times are nanoseconds of the program's clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// When to begin: read input, simulate and draw. Never before `asked`.
    pub begin: i64,
    /// The refresh that the frame is to be ready for; -1 where no display is known.
    pub shown: i64,
    /// When the plan was made: the frame could have begun then.
    pub asked: i64,
    /// The time between refreshes; 0 where no display is known.
    pub period: i64,
}

/// What pacing won and what it cost, over all frames for a display with a fixed rate, beside a program that begins each frame at
/// the refresh before its own.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacerReport {
    /// Frames that were finished.
    pub frames: u64,
    /// The sum of their waits, in nanoseconds.
    pub waited: i64,
    /// Refreshes that frames came too late for.
    pub missed: u64,
    /// Those of them that the frames would have met if they had begun at the refresh before.
    pub missed_by_waiting: u64,
    /// By how much younger frames were when they were shown, all together, in nanoseconds; below zero if older.
    pub latency_saved: i64,
}

/// Decides when to begin the next frame: as late as it can be and still be ready for its refresh.
#[derive(Clone, Debug, Default)]
pub struct Pacer {
    core: Box<pace::Pacer>,
}

impl Pacer {
    /// Plans for the costs of all of the last 128 frames, with a margin of a millisecond and no limit.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the percentage of frames planned to be in time; all unless set.
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

    /// For a display that waits for the frame: the number of nanoseconds by which frames are farther apart than its shortest time between
    /// refreshes. 300 000 is usual.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn set_variable_refresh(&mut self, margin: i64) -> Result<(), Error> {
        let margin = duration(margin)?;
        self.set(|pacer| pacer.with_variable_refresh(margin));
        Ok(())
    }

    /// At most `numer / denom` frames a second.
    ///
    /// # Errors
    ///
    /// [`Error::Ratio`].
    pub fn set_limit(&mut self, numer: u32, denom: u32) -> Result<(), Error> {
        self.core.set_limit(Some(rate(numer, denom)?));
        Ok(())
    }

    /// As many frames a second as there can be, as in the beginning.
    pub fn unset_limit(&mut self) {
        self.core.set_limit(None);
    }

    /// Saves power: at most `numer / denom` frames a second, each shown for the same number of refreshes.
    ///
    /// # Errors
    ///
    /// [`Error::Ratio`].
    pub fn set_saving(&mut self, numer: u32, denom: u32) -> Result<(), Error> {
        self.core.set_saving(Some(rate(numer, denom)?));
        Ok(())
    }

    /// Saves no power any more.
    pub fn unset_saving(&mut self) {
        self.core.set_saving(None);
    }

    fn set(&mut self, with: impl FnOnce(pace::Pacer) -> pace::Pacer) {
        *self.core = with(core::mem::take(&mut *self.core));
    }

    /// Decides when to begin the next frame. `next` is the next refresh of the display; none where no display is known.
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

    /// A frame is ready: it is drawn and submitted.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`], and [`Error::Range`] for a plan that begins before it was asked for.
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

    /// The cost of a frame that it plans for, in nanoseconds; none before eight are finished.
    #[must_use]
    pub fn cost(&self) -> Option<i64> {
        self.core.cost().map(nanos)
    }

    /// The latency that it saved and the refreshes that it missed.
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

//! Absolute times of frames, and the deltas between them.

use alloc::boxed::Box;
use core::time::Duration;

use evenstep::filter::DeltaFilter as _;

use crate::error::Error;
use crate::exact::{duration, nanos};
use crate::filter::{FilterSettings, Filters};
use crate::present::Feedback;

/// The clock of frames as a program reads it, and the filters behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameClock {
    /// Nanoseconds of the last frame.
    now: Option<i64>,
    /// When the first delta began.
    since: i64,
    /// What passed until the last frame, not filtered.
    delta: Duration,
    filters: Option<Box<Filters>>,
    /// Frames so far.
    frames: u64,
}

impl FrameClock {
    /// Adds a filter behind those that there are; before the first frame only.
    pub(crate) fn add_filter(&mut self, settings: &FilterSettings) -> Result<(), Error> {
        if self.frames > 0 {
            return Err(Error::Order);
        }
        self.filters.get_or_insert_default().add(settings)
    }

    /// A frame at an absolute time. Answers with the filtered delta; none passes before the first frame.
    #[inline]
    pub(crate) fn begin(&mut self, now: i64) -> Result<Duration, Error> {
        if now < 0 {
            return Err(Error::Negative);
        }
        let Some(last) = self.now.replace(now) else {
            (self.frames, self.since) = (1, now);
            return Ok(Duration::ZERO);
        };
        if now < last {
            self.now = Some(last);
            return Err(Error::TimeWentBack);
        }
        Ok(self.pass(Duration::from_nanos((now - last) as u64)))
    }

    /// A frame so long after the last one; before the first frame, after zero of the clock.
    #[inline]
    pub(crate) fn advance(&mut self, delta: i64) -> Result<Duration, Error> {
        let passed = duration(delta)?;
        let now = self.now.unwrap_or(0).checked_add(delta).ok_or(Error::Range)?;
        self.now = Some(now);
        Ok(self.pass(passed))
    }

    #[inline]
    fn pass(&mut self, delta: Duration) -> Duration {
        self.frames = self.frames.saturating_add(1);
        self.delta = delta;
        match &mut self.filters {
            None => delta,
            Some(filters) => filters.apply(delta),
        }
    }

    /// Takes what is reported of a frame, for a filter that follows it.
    pub(crate) fn observe(&mut self, feedback: &Feedback, arrived: i64) -> Result<(), Error> {
        let (mut feedback, arrived) = (feedback.core()?, duration(arrived)?);
        let filters = self.filters.as_deref_mut().ok_or(Error::Order)?;
        let since = Duration::from_nanos(self.since.unsigned_abs());
        let after = |time: Duration| time.checked_sub(since).ok_or(Error::Range);
        feedback.presented = feedback.presented.map(after).transpose()?;
        filters.observe(feedback, after(arrived)?)
    }

    /// The time of the last frame.
    pub(crate) fn now(&self) -> Duration {
        Duration::from_nanos(self.now.unwrap_or(0).unsigned_abs())
    }

    /// What passed until the last frame, not filtered.
    pub(crate) fn delta(&self) -> Duration {
        self.delta
    }

    /// What passed until the last frame, not filtered, in nanoseconds.
    pub(crate) fn delta_nanos(&self) -> i64 {
        nanos(self.delta)
    }

    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// Calls with the filters.
    pub(crate) fn with_filters<R>(&self, run: impl FnOnce(&dyn evenstep::filter::DeltaFilter) -> R) -> R {
        match &self.filters {
            None => run(&()),
            Some(filters) => run(filters.as_ref()),
        }
    }

    pub(crate) fn filters(&self) -> Option<&Filters> {
        self.filters.as_deref()
    }
}

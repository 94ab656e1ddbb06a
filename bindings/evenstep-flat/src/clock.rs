//! Absolute times of frames, and the deltas between them.

use alloc::boxed::Box;
use core::time::Duration;

use evenstep::filter::DeltaFilter;

use crate::error::Error;
use crate::exact::duration;
use crate::filter::{FilterSettings, Filters, Given};
use crate::present::Feedback;

/// By how many nanoseconds a time may be earlier than that of the last frame, and counts as that: browsers round and
/// scatter the times of frames. More is another clock.
const MOST_BACK: i64 = 1_000_000_000;

/// The clock of frames as a program reads it, and the filter behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameClock<F> {
    /// Nanoseconds of the last frame; zero before the first.
    now: i64,
    /// When the first delta began.
    since: i64,
    /// Nanoseconds that passed until the last frame, not filtered.
    delta: i64,
    filter: Option<Box<F>>,
    /// Frames so far.
    frames: u64,
}

impl<F: DeltaFilter> FrameClock<F> {
    /// A frame at an absolute time. Answers with the filtered delta; none passes before the first frame.
    pub(crate) fn begin(&mut self, now: i64) -> Result<Duration, Error> {
        if now < 0 {
            return Err(Error::Negative);
        }
        if self.frames == 0 {
            (self.now, self.since, self.frames) = (now, now, 1);
            return Ok(Duration::ZERO);
        }
        if self.now - now > MOST_BACK {
            return Err(Error::TimeWentBack);
        }
        let now = now.max(self.now);
        Ok(self.pass(now, now - self.now))
    }

    /// A frame so long after the last one; before the first frame, after zero of the clock.
    pub(crate) fn advance(&mut self, delta: i64) -> Result<Duration, Error> {
        if delta < 0 {
            return Err(Error::Negative);
        }
        let now = self.now.checked_add(delta).ok_or(Error::Range)?;
        Ok(self.pass(now, delta))
    }

    fn pass(&mut self, now: i64, delta: i64) -> Duration {
        self.count(now, delta);
        let delta = Duration::from_nanos(delta.unsigned_abs());
        match &mut self.filter {
            None => delta,
            Some(filter) => filter.apply(delta),
        }
    }

    /// What passes until a time, where no filter changes it and it is not the first frame. Nothing is kept of it before
    /// [`count`](Self::count).
    #[inline]
    pub(crate) fn plain_delta(&self, now: i64) -> Option<i64> {
        let is_plain = self.frames > 0 && self.filter.is_none() && now >= self.now;
        is_plain.then(|| now - self.now)
    }

    /// When a frame is that comes so long after the last one, likewise.
    #[inline]
    pub(crate) fn plain_time(&self, delta: i64) -> Option<i64> {
        if delta < 0 || self.filter.is_some() {
            return None;
        }
        self.now.checked_add(delta)
    }

    /// Counts a frame.
    #[inline]
    pub(crate) fn count(&mut self, now: i64, delta: i64) {
        self.frames = self.frames.saturating_add(1);
        (self.now, self.delta) = (now, delta);
    }

    /// The time of the last frame.
    pub(crate) fn now(&self) -> Duration {
        Duration::from_nanos(self.now.unsigned_abs())
    }

    /// Nanoseconds that passed until the last frame, not filtered.
    pub(crate) fn delta(&self) -> i64 {
        self.delta
    }

    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// Calls with the filter.
    pub(crate) fn with_filter<R>(&self, run: impl FnOnce(&dyn DeltaFilter) -> R) -> R {
        match &self.filter {
            None => run(&()),
            Some(filter) => run(filter.as_ref()),
        }
    }
}

/// With filters of its own.
impl FrameClock<Filters> {
    /// Adds a filter behind those that there are; before the first frame only.
    pub(crate) fn add_filter(&mut self, settings: &FilterSettings) -> Result<(), Error> {
        if self.frames > 0 {
            return Err(Error::Order);
        }
        self.filter.get_or_insert_default().add(settings)
    }

    /// Takes what is reported of a frame, for a filter that follows it.
    pub(crate) fn observe(&mut self, feedback: &Feedback, arrived: i64) -> Result<(), Error> {
        let (mut feedback, arrived) = (feedback.core()?, duration(arrived)?);
        let filters = self.filter.as_deref_mut().ok_or(Error::Order)?;
        let since = Duration::from_nanos(self.since.unsigned_abs());
        let after = |time: Duration| time.checked_sub(since).ok_or(Error::Range);
        feedback.presented = feedback.presented.map(after).transpose()?;
        filters.observe(feedback, after(arrived)?)
    }

    pub(crate) fn filters(&self) -> Option<&Filters> {
        self.filter.as_deref()
    }
}

/// With a filter of the program's own.
impl FrameClock<Given> {
    /// As [`advance`](Self::advance), with what the program's filter made of the delta.
    pub(crate) fn advance_given(&mut self, delta: i64, given: Given) -> Result<Duration, Error> {
        if delta < 0 || given.delta < 0 || given.max_lead < 0 {
            return Err(Error::Negative);
        }
        let now = self.now.checked_add(delta).ok_or(Error::Range)?;
        **self.filter.get_or_insert_default() = given;
        Ok(self.pass(now, delta))
    }
}

//! The core's clock of frames, by nanoseconds.

use alloc::boxed::Box;
use core::time::Duration;

use evenstep::filter::{DeltaFilter, FrameTime};

use crate::error::Error;
use crate::exact::duration;
use crate::filter::{FilterSettings, Filters, Given};
use crate::present::Feedback;

/// By how many nanoseconds a time may be earlier than that of the last frame, and counts as that: browsers round and
/// scatter the times of frames. More is another clock.
const MOST_BACK: i64 = 1_000_000_000;

/// A [`FrameClock`](evenstep::FrameClock) that is told nanoseconds, absolute or since the last frame, and refuses what cannot be.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameClock<F> {
    core: evenstep::FrameClock<Option<Box<F>>>,
    /// Nanoseconds of the last frame; zero before the first.
    now: i64,
    last: FrameTime,
    /// Frames so far.
    frames: u64,
}

impl<F: DeltaFilter> FrameClock<F> {
    /// A frame at an absolute time. Answers with the filtered delta; none passes before the first frame.
    #[inline]
    pub(crate) fn begin(&mut self, now: i64) -> Result<Duration, Error> {
        if now < 0 {
            return Err(Error::Negative);
        }
        if self.now - now > MOST_BACK {
            return Err(Error::TimeWentBack);
        }
        Ok(self.begin_at(now.max(self.now)))
    }

    /// A frame this long after the last one; before the first frame, after zero of the clock.
    #[inline]
    pub(crate) fn advance(&mut self, delta: i64) -> Result<Duration, Error> {
        if delta < 0 {
            return Err(Error::Negative);
        }
        let now = self.now.checked_add(delta).ok_or(Error::Range)?;
        if self.frames == 0 {
            self.core.begin_frame(Duration::ZERO);
        }
        Ok(self.begin_at(now))
    }

    #[inline]
    fn begin_at(&mut self, now: i64) -> Duration {
        self.now = now;
        self.frames = self.frames.saturating_add(1);
        self.last = self.core.begin_frame(Duration::from_nanos(now.unsigned_abs()));
        self.last.delta
    }

    /// The last frame.
    pub(crate) fn last(&self) -> &FrameTime {
        &self.last
    }

    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }
}

/// With filters of its own.
impl FrameClock<Filters> {
    /// Adds a filter behind those that there are; before the first frame only.
    pub(crate) fn add_filter(&mut self, settings: &FilterSettings) -> Result<(), Error> {
        if self.frames > 0 {
            return Err(Error::Order);
        }
        self.core.filter_mut().get_or_insert_default().add(settings)
    }

    /// Takes what is reported of a frame, for a filter that follows it.
    pub(crate) fn observe(&mut self, feedback: &Feedback, arrived: i64) -> Result<(), Error> {
        let (mut feedback, arrived) = (feedback.core()?, duration(arrived)?);
        let origin = self.core.origin().unwrap_or_default();
        let filters = self.core.filter_mut().as_deref_mut().ok_or(Error::Order)?;
        let after = |time: Duration| time.checked_sub(origin).ok_or(Error::Range);
        feedback.presented = feedback.presented.map(after).transpose()?;
        filters.observe(feedback, after(arrived)?)
    }

    pub(crate) fn filters(&self) -> Option<&Filters> {
        self.core.filter().as_deref()
    }
}

/// With a filter of the program's own.
impl FrameClock<Given> {
    /// As [`advance`](Self::advance), with what the program's filter made of the delta.
    pub(crate) fn advance_given(&mut self, delta: i64, given: Given) -> Result<Duration, Error> {
        if delta < 0 || given.delta < 0 || given.max_lead < 0 {
            return Err(Error::Negative);
        }
        if self.now.checked_add(delta).is_none() {
            return Err(Error::Range);
        }
        **self.core.filter_mut().get_or_insert_default() = given;
        self.advance(delta)
    }
}

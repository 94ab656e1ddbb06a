//! When frames are presented: what the system reports of it, and what follows for those to come.

use alloc::boxed::Box;

use evenstep::present::{self, Prediction, PresentFeedback};

use crate::error::Error;
use crate::exact::{duration, nanos};

/// A refresh of the display that is to come. Times are nanoseconds of the program's clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refresh {
    /// When it is.
    pub at: i64,
    /// The time between refreshes; 0 where it is not known.
    pub period: i64,
    /// By how much `at` may be wrong. That of a next refresh includes the lead: how long before a refresh the system takes
    /// frames, as learnt from reports. So a pacer that plans for it is in time.
    pub uncertainty: i64,
}

impl Refresh {
    pub(crate) fn prediction(&self) -> Result<Prediction, Error> {
        Ok(Prediction::new(
            duration(self.at)?,
            duration(self.period)?,
            duration(self.uncertainty)?,
        ))
    }
}

impl From<Prediction> for Refresh {
    fn from(next: Prediction) -> Self {
        Self {
            at: nanos(next.at),
            period: nanos(next.period),
            uncertainty: nanos(next.uncertainty),
        }
    }
}

/// The system's report of one frame: whether and when it was presented.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// The number under which the program knows the frame, from 1. Later frames have larger ones.
    pub id: u64,
    /// When it was first presented, in nanoseconds, on the program's clock if possible; -1 if it never was.
    pub presented: i64,
    /// The time between refreshes, as the system announces it; 0 if it does not.
    pub refresh: i64,
    /// Whether `presented` was measured when the frame was on the screen, and not predicted.
    pub reliable: bool,
}

impl Feedback {
    pub(crate) fn core(&self) -> Result<PresentFeedback, Error> {
        let presented = (self.presented != -1).then(|| duration(self.presented)).transpose()?;
        Ok(PresentFeedback::new(self.id, presented)
            .with_refresh(duration(self.refresh)?)
            .with_reliable(self.reliable))
    }
}

/// The refreshes of a display, from reports of presented frames.
#[derive(Clone, Debug, Default)]
pub struct RefreshGrid {
    core: Box<present::RefreshGrid>,
}

impl RefreshGrid {
    /// A grid of no display yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A frame is submitted, at a time before it is presented.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn submit(&mut self, id: u64, at: i64) -> Result<(), Error> {
        self.core.submit(id, duration(at)?);
        Ok(())
    }

    /// Takes the report of a frame, and the time at which it arrived.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn observe(&mut self, feedback: &Feedback, arrived: i64) -> Result<(), Error> {
        let (feedback, arrived) = (feedback.core()?, duration(arrived)?);
        self.core.observe(feedback, arrived);
        Ok(())
    }

    /// The first refresh after a time that no frame in flight takes: what a pacer needs. None where it is not known. Its
    /// uncertainty includes how long before a refresh the system latches frames.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn next_refresh(&self, now: i64) -> Result<Option<Refresh>, Error> {
        Ok(self.core.next_refresh(duration(now)?).map(Refresh::from))
    }

    /// When a frame that begins now, and is submitted after those in flight, will be presented. None where it is not known.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn predict(&self, now: i64) -> Result<Option<Refresh>, Error> {
        let next = self.core.predict(self.core.frames_in_flight(), duration(now)?);
        Ok(next.map(Refresh::from))
    }

    /// Frames that were submitted after the newest presented one.
    #[must_use]
    pub fn frames_in_flight(&self) -> u32 {
        self.core.frames_in_flight()
    }
}

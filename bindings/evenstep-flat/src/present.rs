//! When frames are presented: the system's reports, and predictions of the next refreshes.

use alloc::boxed::Box;

use evenstep::present::{self, Prediction, PresentFeedback};

use crate::error::Error;
use crate::exact::{duration, nanos};

/// A predicted refresh of the display. Times are nanoseconds of the program's clock.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refresh {
    /// The predicted time.
    pub at: i64,
    /// The time between refreshes; 0 if it is not known.
    pub period: i64,
    /// The uncertainty of `at`. That of a next refresh includes the lead, estimated from reports: how long before a refresh the
    /// system latches frames. So a pacer that plans for it is in time.
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
    /// The program's number of the frame, from 1. Later frames have larger numbers.
    pub id: u64,
    /// When the frame was first presented, in nanoseconds, on the program's clock if possible; -1 if it was never presented.
    pub presented: i64,
    /// The time between refreshes that the system reports; 0 if it reports none.
    pub refresh: i64,
    /// Whether `presented` was measured when the frame appeared on the screen, and not predicted.
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

/// The refreshes of a display, estimated from reports of presented frames.
#[derive(Clone, Debug, Default)]
pub struct RefreshGrid {
    core: Box<present::RefreshGrid>,
}

impl RefreshGrid {
    /// A grid without reports.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records that a frame is submitted, at a time before it is presented.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn submit(&mut self, id: u64, at: i64) -> Result<(), Error> {
        self.core.submit(id, duration(at)?);
        Ok(())
    }

    /// Takes the report of a frame, and the time at which the report arrived.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn observe(&mut self, feedback: &Feedback, arrived: i64) -> Result<(), Error> {
        let (feedback, arrived) = (feedback.core()?, duration(arrived)?);
        self.core.observe(feedback, arrived);
        Ok(())
    }

    /// The first refresh after a time that no frame in flight will use: the argument of a pacer. None if it is not known. Its
    /// uncertainty includes how long before a refresh the system latches frames.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn next_refresh(&self, now: i64) -> Result<Option<Refresh>, Error> {
        Ok(self.core.next_refresh(duration(now)?).map(Refresh::from))
    }

    /// When a frame that begins now, and is submitted after the frames in flight, will be presented. None if it is not known.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn predict(&self, now: i64) -> Result<Option<Refresh>, Error> {
        let next = self.core.predict(self.core.frames_in_flight(), duration(now)?);
        Ok(next.map(Refresh::from))
    }

    /// The number of frames that were submitted after the newest presented one.
    #[must_use]
    pub fn frames_in_flight(&self) -> u32 {
        self.core.frames_in_flight()
    }
}

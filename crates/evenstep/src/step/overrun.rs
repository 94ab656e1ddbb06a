//! The policies for steps that do not fit into a frame.

use core::time::Duration;

use crate::time::TimeScale;

/// The policy for steps that are due but do not fit into the frame, because they exceed
/// [`max_steps`](crate::FixedTimestep::max_steps) or the caller gave them back.
///
/// ```
/// use evenstep::{FixedTimestep, Overrun, Rate};
/// use std::time::Duration;
///
/// let catch_up = Overrun::Carry { max_backlog: Duration::from_millis(500) };
/// let mut timestep = FixedTimestep::new(Rate::hz(100)).with_max_steps(2).with_overrun(catch_up);
///
/// let slow = timestep.advance(Duration::from_millis(50));
/// assert_eq!((slow.step_count(), slow.is_behind()), (2, true));
/// let next = timestep.advance(Duration::from_millis(10));
/// assert_eq!((next.step_count(), next.is_behind()), (2, true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Overrun {
    /// Steps are dropped: the game slows down while the machine cannot keep up. The time is reported as
    /// [lost](crate::Frame::lost), and alpha is what it would be without the cap, unless that would set the drawn time back.
    #[default]
    Drop,
    /// Steps are kept, up to `max_backlog` of simulated time, and granted in later frames as soon as the cap allows: the game catches up
    /// quickly. Steps beyond the backlog are dropped.
    Carry {
        /// The most simulated time to keep, in whole steps.
        max_backlog: Duration,
    },
    /// Steps are kept, and simulated time then runs at no more than `max_speed` until it has caught up: motion is faster for a while, but
    /// even. Below 1, `max_speed` is treated as 1 and the delay stays.
    Stretch {
        /// Simulated seconds per second of arriving time, above 1.
        max_speed: TimeScale,
    },
}

/// The longest delta that is accepted, unless set, if time that does not fit is dropped; also the time that the cap of steps follows from.
pub(super) const DEFAULT_MAX_DELTA: Duration = Duration::from_millis(250);

// Nothing but these methods tells one policy from another.
impl Overrun {
    /// Whether time that does not fit into a frame is kept, as far as the policy's limits allow, and caught up with later.
    ///
    /// ```
    /// use evenstep::{Overrun, TimeScale};
    ///
    /// assert!(Overrun::Stretch { max_speed: TimeScale::new(3, 2)? }.keeps_time());
    /// assert!(!Overrun::Drop.keeps_time());
    /// # Ok::<(), evenstep::RatioError>(())
    /// ```
    #[must_use]
    pub const fn keeps_time(self) -> bool {
        !matches!(self, Self::Drop)
    }

    /// The most simulated time that is kept back.
    pub(super) const fn max_backlog(self) -> Duration {
        match self {
            Self::Drop => Duration::ZERO,
            Self::Carry { max_backlog } => max_backlog,
            Self::Stretch { .. } => Duration::MAX,
        }
    }

    /// How fast simulated time runs while there is a backlog, in simulated seconds per second of arriving time, at least 1. None: the
    /// backlog is released at once.
    pub(super) fn max_speed(self) -> Option<TimeScale> {
        match self {
            Self::Stretch { max_speed } => Some(max_speed.max(TimeScale::NORMAL)),
            Self::Drop | Self::Carry { .. } => None,
        }
    }
}

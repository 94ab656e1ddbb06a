//! The real time until the next step is due.

use core::time::Duration;

use super::fixed::{Activity, FixedTimestep};
use crate::step::Overrun;
use crate::time::duration_from_nanos;
use crate::time::{Tick, TimeScale};

impl FixedTimestep {
    /// The real time until the next step is due: the least delta for which [`advance`](Self::advance) grants one, to the
    /// nanosecond. It knows the time that is kept back and how the [overrun policy](Self::overrun) releases it, so a loop can sleep
    /// for so long. None if no time brings a step: while time stands still or is suspended, and where no steps are allowed.
    ///
    /// Zero after [`resume`](Self::resume) and [`resync`](Self::resync): the next frame ends the pause, and is the sooner followed
    /// by a step the sooner it comes.
    ///
    /// It can be longer than [`max_delta`](Self::max_delta); frames must then come more often.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(100));
    /// let _ = timestep.advance(Duration::from_millis(14));
    /// assert_eq!(timestep.until_next_step(), Some(Duration::from_millis(6)));
    /// timestep.suspend();
    /// assert_eq!(timestep.until_next_step(), None);
    /// timestep.resume();
    /// assert_eq!(timestep.until_next_step(), Some(Duration::ZERO));
    /// let _ = timestep.advance(Duration::from_secs(60)); // the pause
    /// assert_eq!(timestep.until_next_step(), Some(Duration::from_millis(6)));
    /// ```
    #[must_use]
    pub fn until_next_step(&self) -> Option<Duration> {
        if self.tick == Tick::MAX || self.activity == Activity::Suspended {
            return None;
        }
        if self.single_steps > 0 {
            return Some(Duration::ZERO);
        }
        if self.max_steps() == 0 || self.stands_still() {
            return None;
        }
        if self.activity == Activity::Resuming {
            return Some(Duration::ZERO);
        }
        if self.units.scale == self.scale {
            return Some(self.until_released(self.units.per_step - self.fraction));
        }
        let mut rescaled = self.clone();
        let _ = rescaled.rescale();
        Some(rescaled.until_released(rescaled.units.per_step - rescaled.fraction))
    }

    /// Whether no delta brings any time, not even when a pause that is about to end has ended.
    pub(super) fn stands_still(&self) -> bool {
        let is_suspended = self.activity == Activity::Suspended;
        is_suspended || self.scale.is_paused() || self.limits.longest_delta.is_zero()
    }

    /// The real time until the overrun policy has released this many units, where time passes.
    pub(super) fn until_released(&self, needed: u128) -> Duration {
        let speed = self.units.per_nano_of_delta;
        let to_arrive = needed.saturating_sub(self.debt).div_ceil(speed).max(1);
        let nanos = match self.overrun {
            Overrun::Stretch { max_speed } if self.debt > 0 => {
                let released = max_speed.max(TimeScale::NORMAL);
                let (numer, denom) = (u128::from(released.numer()), u128::from(released.denom()));
                // Less than 2^95 x 2^32, and less than 2^96 x 2^32.
                to_arrive.max((needed * denom).div_ceil(speed * numer))
            }
            _ => to_arrive,
        };
        duration_from_nanos(nanos)
    }
}

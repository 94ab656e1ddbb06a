//! The real time until the next step is due.

use core::time::Duration;

use super::fixed::FixedTimestep;
use crate::time::Tick;

impl FixedTimestep {
    /// The real time until the next step is due: the least delta for which [`advance`](Self::advance) grants one, to the nanosecond. It
    /// includes the time that is kept back and the rate at which the [overrun policy](Self::overrun) releases it, so a loop can sleep for
    /// this long. None if no step will become due: while time stands still or is paused, and if no steps are allowed.
    ///
    /// Zero after [`resume`](Self::resume): the next frame ends the pause, and should begin at once.
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
    /// timestep.pause();
    /// assert_eq!(timestep.until_next_step(), None);
    /// timestep.resume();
    /// assert_eq!(timestep.until_next_step(), Some(Duration::ZERO));
    /// let _ = timestep.advance(Duration::from_secs(60)); // the pause
    /// assert_eq!(timestep.until_next_step(), Some(Duration::from_millis(6)));
    /// ```
    #[must_use]
    pub fn until_next_step(&self) -> Option<Duration> {
        if self.tick == Tick::MAX {
            return None;
        }
        if self.single_steps > 0 {
            return Some(Duration::ZERO);
        }
        if self.step_limit == 0 {
            return None;
        }
        self.clock.until_released(self.rate().units_per_step() - self.fraction)
    }
}

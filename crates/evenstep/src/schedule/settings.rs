//! Settings of a schedule.

use core::time::Duration;

use super::Schedule;
use crate::step::Overrun;
use crate::time::TimeScale;

/// What a program can set, and read back. Everything set applies to deltas to come.
impl Schedule {
    /// The longest real delta that is believed; what exceeds it is [clamped](crate::Lost::clamped). 250 ms unless set. A delta
    /// worth more than 2^32 s is cut off there in any case.
    #[must_use]
    pub const fn max_delta(&self) -> Duration {
        self.clock.max_delta()
    }

    /// Sets [`max_delta`](Self::max_delta).
    pub fn set_max_delta(&mut self, max_delta: Duration) {
        self.clock.set_max_delta(max_delta);
    }

    /// How long the oldest step that is due may wait, in simulated time; time beyond that does not arrive, and follows the
    /// [overrun policy](Self::overrun). 250 ms unless set. The end of that step counts rounded up to a nanosecond.
    #[must_use]
    pub const fn max_behind(&self) -> Duration {
        self.max_behind
    }

    /// Sets [`max_behind`](Self::max_behind). Time that has arrived stays.
    pub const fn set_max_behind(&mut self, max_behind: Duration) {
        self.max_behind = max_behind;
    }

    /// The most simulated time that arrives in a frame; what exceeds it follows the [overrun policy](Self::overrun). Unlimited
    /// unless set. It bounds the steps of a frame as [`max_steps`](crate::FixedTimestep::max_steps) does.
    #[must_use]
    pub const fn max_advance(&self) -> Duration {
        self.max_advance
    }

    /// Sets [`max_advance`](Self::max_advance).
    pub const fn set_max_advance(&mut self, max_advance: Duration) {
        self.max_advance = max_advance;
    }

    /// What happens to time that does not fit, because it exceeds [`max_advance`](Self::max_advance) or a step has waited for
    /// [`max_behind`](Self::max_behind). Dropped unless set.
    #[must_use]
    pub const fn overrun(&self) -> Overrun {
        self.clock.overrun()
    }

    /// Sets the [`overrun`](Self::overrun) policy. Time that the former policy kept back follows the new one.
    pub fn set_overrun(&mut self, overrun: Overrun) {
        self.clock.set_overrun(overrun);
    }

    /// How fast simulated time runs, [slewing](Self::set_slew) aside.
    #[must_use]
    pub const fn time_scale(&self) -> TimeScale {
        self.scale
    }

    /// Sets the [`time_scale`](Self::time_scale).
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        self.scale = scale;
        self.clock.set_time_scale(self.speed());
    }

    /// Lets simulated time run faster by `thousandths`, or slower if negative, by at most 100 (10 %) either way: to fall in
    /// step with another machine without a jump. It comes on top of the time scale.
    pub fn set_slew(&mut self, thousandths: i32) {
        self.slew = thousandths.clamp(-100, 100);
        self.clock.set_time_scale(self.speed());
    }

    /// The time scale and the slew together: the speed at which deltas count. Where the exact product has terms beyond 32
    /// bits it is the nearest speed that has not, or almost.
    #[must_use]
    pub fn speed(&self) -> TimeScale {
        self.scale.slewed(self.slew)
    }
}

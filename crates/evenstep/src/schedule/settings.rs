//! Settings of a schedule.

use core::time::Duration;

use super::Schedule;
use crate::step::Overrun;
use crate::time::TimeScale;

/// Settings and their getters. Everything set applies to deltas to come.
impl Schedule {
    /// The same with [`max_delta`](Self::max_delta) set.
    #[must_use]
    pub fn with_max_delta(mut self, max_delta: impl Into<Option<Duration>>) -> Self {
        self.set_max_delta(max_delta);
        self
    }

    /// The same with [`max_behind`](Self::max_behind) set.
    #[must_use]
    pub fn with_max_behind(mut self, max_behind: Duration) -> Self {
        self.set_max_behind(max_behind);
        self
    }

    /// The same with [`max_advance`](Self::max_advance) set.
    #[must_use]
    pub fn with_max_advance(mut self, max_advance: Duration) -> Self {
        self.set_max_advance(max_advance);
        self
    }

    /// The same with the [`overrun`](Self::overrun) policy set.
    #[must_use]
    pub fn with_overrun(mut self, overrun: Overrun) -> Self {
        self.set_overrun(overrun);
        self
    }

    /// The same with the [`time_scale`](Self::time_scale) set.
    #[must_use]
    pub fn with_time_scale(mut self, scale: TimeScale) -> Self {
        self.set_time_scale(scale);
        self
    }

    /// The longest real delta that is accepted; time beyond it is [clamped](crate::Lost::clamped). Unless set, it is 250 ms under
    /// [`Overrun::Drop`], and no limit, [`Duration::MAX`], under [policies that keep time](Overrun::keeps_time). A
    /// delta of more than 2^32 - 1 s of simulated time is always cut to that.
    #[must_use]
    pub const fn max_delta(&self) -> Duration {
        self.clock.max_delta()
    }

    /// Sets [`max_delta`](Self::max_delta); with `None` it follows from the overrun policy again.
    pub fn set_max_delta(&mut self, max_delta: impl Into<Option<Duration>>) {
        self.clock.set_max_delta(max_delta.into());
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

    /// The most simulated time that arrives in a frame; time beyond it follows the [overrun policy](Self::overrun). Unlimited
    /// unless set. It bounds the steps of a frame like [`max_steps`](crate::FixedTimestep::max_steps).
    #[must_use]
    pub const fn max_advance(&self) -> Duration {
        self.max_advance
    }

    /// Sets [`max_advance`](Self::max_advance).
    pub const fn set_max_advance(&mut self, max_advance: Duration) {
        self.max_advance = max_advance;
    }

    /// The policy for time that does not fit, because it exceeds [`max_advance`](Self::max_advance) or a step has waited for
    /// [`max_behind`](Self::max_behind). Dropped unless set.
    #[must_use]
    pub const fn overrun(&self) -> Overrun {
        self.clock.overrun()
    }

    /// Sets the [`overrun`](Self::overrun) policy. Time that the former policy kept back follows the new one.
    pub fn set_overrun(&mut self, overrun: Overrun) {
        self.clock.set_overrun(overrun);
    }

    /// How fast simulated time runs.
    #[must_use]
    pub const fn time_scale(&self) -> TimeScale {
        self.clock.time_scale()
    }

    /// Sets the [`time_scale`](Self::time_scale). To fall in step with another machine without a jump, multiply it with the
    /// slew by [`TimeScale::checked_mul`].
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        self.clock.set_time_scale(scale);
    }
}

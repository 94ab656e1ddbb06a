//! Settings of a [`FixedTimestep`].

use core::time::Duration;

use super::fixed::FixedTimestep;
use crate::step::overrun::{DEFAULT_MAX_DELTA, Overrun};
use crate::time::TimeScale;

/// Settings and their getters.
impl FixedTimestep {
    /// The longest delta that is accepted under [`Overrun::Drop`] unless set otherwise: 250 ms.
    pub const DEFAULT_MAX_DELTA: Duration = DEFAULT_MAX_DELTA;

    /// The same with [`max_delta`](Self::max_delta) set.
    #[must_use]
    pub fn with_max_delta(mut self, max_delta: impl Into<Option<Duration>>) -> Self {
        self.set_max_delta(max_delta);
        self
    }

    /// The same with [`max_steps`](Self::max_steps) set.
    #[must_use]
    pub fn with_max_steps(mut self, max_steps: impl Into<Option<u32>>) -> Self {
        self.set_max_steps(max_steps);
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

    /// The longest delta that is accepted; time beyond it is cut off and reported as [clamped](crate::Lost::clamped). So a
    /// breakpoint or a stalled machine does not cause a large number of steps.
    ///
    /// Unless set, it follows from the [overrun policy](Self::overrun): 250 ms under [`Overrun::Drop`]; no limit, [`Duration::MAX`], under
    /// [policies that keep time](Overrun::keeps_time), which bound what they keep. A delta is always cut to what can be
    /// counted in 64 bits: 2^32 - 1 steps, 2^62/n ns of simulated time and (2^64 - b)/a ns of real time, for a rate of n/d Hz and a scale of
    /// a/b. That is two years at 60 Hz, 21 hours at 60000/1001 Hz, and 4 seconds at a scale whose numerator needs all of its 32 bits.
    #[must_use]
    pub const fn max_delta(&self) -> Duration {
        self.clock.max_delta()
    }

    /// Whether it is set.
    #[cfg(feature = "alloc")]
    pub(crate) const fn has_max_delta(&self) -> bool {
        self.clock.has_max_delta()
    }

    /// Sets [`max_delta`](Self::max_delta), from the next frame on; with `None` it follows from the overrun policy again.
    pub fn set_max_delta(&mut self, max_delta: impl Into<Option<Duration>>) {
        self.clock.set_max_delta(max_delta.into());
        self.set_step_limit();
    }

    /// The most steps in one frame, without single steps. It prevents the *spiral of death*, in which steps that cost more time than
    /// they simulate accumulate.
    ///
    /// Unless set, it is the number of steps in [`max_delta`](Self::max_delta) if that is set, and otherwise in 250 ms, at the time scale,
    /// or at normal speed if that is more: 15 steps at 60 Hz. So no frame of an accepted length loses a step. A lower cap slows the
    /// simulation down in longer frames; 0 grants no steps at all.
    #[must_use]
    pub const fn max_steps(&self) -> u32 {
        self.step_limit
    }

    /// Sets [`max_steps`](Self::max_steps), from the next frame on; with `None` it follows from `max_delta` again.
    pub fn set_max_steps(&mut self, max_steps: impl Into<Option<u32>>) {
        self.max_steps = max_steps.into();
        self.set_step_limit();
    }

    /// The policy for steps beyond [`max_steps`](Self::max_steps).
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

    /// Sets the [`time_scale`](Self::time_scale) for later deltas. Alpha does not jump: the new scale does not apply to time that
    /// has arrived.
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        if scale != self.clock.time_scale() {
            self.clock.set_time_scale(scale);
            self.set_step_limit();
        }
    }

    /// Worked out when a setting changes, so that frames need not.
    pub(super) fn set_step_limit(&mut self) {
        self.step_limit = self.max_steps.unwrap_or_else(|| self.clock.most_steps());
    }
}

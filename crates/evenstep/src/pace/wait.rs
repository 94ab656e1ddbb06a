//! Sleeps until an instant.

use spin_sleep::SpinSleeper;

use crate::pace::pacer::Pacer;
use crate::pace::plan::FramePlan;
use crate::time::MonotonicClock;

impl Pacer {
    /// Sleeps until a frame is to begin, on the clock whose times the plan is made of. The last stretch of the sleep spins, which is
    /// exact and costs power; a pacer that [saves power](Self::set_saving) does not spin.
    ///
    /// ```
    /// use evenstep::pace::Pacer;
    /// use evenstep::{MonotonicClock, Rate};
    ///
    /// let (clock, mut pacer) = (MonotonicClock::new(), Pacer::new().with_limit(Rate::hz(500)));
    /// for _ in 0..5 {
    ///     let plan = pacer.next_frame(clock.now(), None);
    ///     pacer.wait(&clock, plan);
    ///     assert!(clock.now() >= plan.begin);
    ///     pacer.finish(plan, clock.now());
    /// }
    /// ```
    pub fn wait(&self, clock: &MonotonicClock, plan: FramePlan) {
        let left = plan.begin.saturating_sub(clock.now());
        if self.is_saving() {
            std::thread::sleep(left);
        } else {
            SpinSleeper::default().sleep(left);
        }
    }
}

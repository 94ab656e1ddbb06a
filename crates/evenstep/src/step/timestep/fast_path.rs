//! The fast path of [`FixedTimestep::advance`]: a frame in which nothing but time passes, without making a [`Frame`].

use super::fixed::{Activity, FixedTimestep};
use crate::step::frame::LARGEST_ALPHA;
use crate::step::{Frame, Lost};

impl FixedTimestep {
    /// [`advance`](Self::advance) for a frame in which no time is lost, kept back or suspended, no setting takes effect, and all
    /// numbers fit into 64 bits, as in nearly every frame: takes nanoseconds, and answers with the number of steps and the
    /// alpha. For any other frame it answers with none, and nothing has changed.
    ///
    /// For the packages for other languages, which pass on a few numbers. A [`Frame`] is more than they need.
    #[doc(hidden)]
    #[inline(always)]
    pub fn advance_plainly(&mut self, nanos: u64) -> Option<(u32, f64)> {
        let units = &self.units;
        let amounts = self.fraction | self.drawn | units.per_step | units.per_nano_of_delta;
        let is_plain =
            (amounts >> 64) as u64 | self.debt as u64 | (self.debt >> 64) as u64 | u64::from(self.single_steps) == 0;
        let is_running = self.activity == Activity::Running && !self.resync && units.scale == self.scale;
        if !is_plain || !is_running || u128::from(nanos) > self.limits.longest_delta.as_nanos() {
            return None;
        }
        let (before, per_step) = (self.fraction as u64, units.per_step as u64);
        let arrived = nanos.checked_mul(units.per_nano_of_delta as u64)?.checked_add(before)?;
        let (due, fraction) = match arrived.checked_sub(per_step) {
            None => (0, arrived),
            Some(rest) if rest < per_step => (1, rest),
            Some(_) => (arrived / per_step, arrived % per_step),
        };
        if due > u64::from(self.limits.max_steps) {
            return None;
        }
        self.tick = self.tick.checked_add(due)?;
        let count = due as u32;
        let drawn = if count == 0 {
            fraction.max(self.drawn as u64)
        } else {
            fraction
        };
        (self.last.count, self.last.before, self.last.drawn) = (count, self.fraction, self.drawn);
        (self.fraction, self.drawn) = (u128::from(fraction), u128::from(drawn));
        Some((count, (drawn as f64 / per_step as f64).min(LARGEST_ALPHA)))
    }

    /// The frame of the last [`advance_plainly`](Self::advance_plainly) that answered with one, if neither
    /// [`advance`](Self::advance) nor [`reset`](Self::reset) was called since. Settings do not change it.
    #[doc(hidden)]
    pub fn plain_frame(&self) -> Frame {
        Frame {
            rate: self.rate,
            scale: self.units.scale,
            first: self.tick - u64::from(self.last.count),
            count: self.last.count,
            single_steps: 0,
            leftover: self.leftover(),
            lost: Lost::default(),
        }
    }
}

//! A timestep whose step is a second, as the clock of a schedule: what has arrived in simulated time.

use core::time::Duration;

use super::fixed::{Activity, FixedTimestep, LastFrame};
use crate::time::duration_from_nanos;
use crate::{Lost, Rate, SimTime};

impl FixedTimestep {
    /// The simulated time that has arrived, exact.
    pub(crate) fn arrived(&self) -> SimTime {
        SimTime::at_tick(self.tick, Rate::hz(1)).after(self.fraction, self.units.per_nano)
    }

    /// Takes the real time since the last frame, and gives up what arrives beyond `limit`.
    pub(crate) fn advance_until(&mut self, delta: Duration, limit: Duration) -> Lost<SimTime> {
        let frame = self.advance(delta);
        let (lost, progress) = (frame.lost(), frame.progress());
        // A second has less than 2^62 units.
        let now = self.arrived_units();
        let excess = now.saturating_sub(limit.as_nanos() * self.units.per_nano);
        let excess = excess.min(progress.end - progress.begin);
        self.tick = ((now - excess) / self.units.per_step) as u64;
        self.fraction = (now - excess) % self.units.per_step;
        (self.drawn, self.last) = (self.fraction, LastFrame::default());
        let beyond_time = u128::from(lost.dropped) * self.units.per_step;
        Lost {
            clamped: lost.clamped,
            suspended: lost.suspended,
            dropped: SimTime::new(excess + beyond_time, self.units.per_nano),
            rounded: lost.rounded,
        }
    }

    /// The real time until `end` has arrived; none if no time brings it.
    pub(crate) fn until(&self, end: SimTime) -> Option<Duration> {
        if end <= self.arrived() {
            return Some(Duration::ZERO);
        }
        if self.activity != Activity::Running || self.scale.is_paused() || self.limits.longest_delta.is_zero() {
            return None;
        }
        let mut clock = self.clone();
        if clock.units.scale != clock.scale {
            let _ = clock.rescale();
        }
        let missing = end.units_up(clock.units.per_step).saturating_sub(clock.arrived_units());
        Some(duration_from_nanos(missing.div_ceil(clock.units.per_nano_of_delta)))
    }

    fn arrived_units(&self) -> u128 {
        u128::from(self.tick) * self.units.per_step + self.fraction
    }
}

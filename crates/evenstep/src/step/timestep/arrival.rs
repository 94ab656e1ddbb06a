//! A timestep whose step is a second, as the clock of a schedule: what has arrived in simulated time.

use core::time::Duration;

use super::fixed::{Activity, FixedTimestep, LastFrame};
use crate::step::Lost;
use crate::step::frame::Progress;
use crate::time::duration_from_nanos;
use crate::time::{Rate, SimDuration, SimTime, Tick};

/// Simulated time that arrived in a frame: from and to, in units of which so many, less than 2^62, make a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arrival {
    from: u128,
    to: u128,
    per_sec: u128,
}

impl Arrival {
    /// Before the first frame.
    pub(crate) const NONE: Self = Self {
        from: 0,
        to: 0,
        per_sec: 1,
    };

    /// The same in steps at a rate, of which the first begins at `phase`, at most 2^32 s.
    pub(crate) fn progress(&self, rate: Rate, phase: Duration) -> Progress {
        let (numer, denom) = (u128::from(rate.numer()), u128::from(rate.denom()));
        let per_step = self.per_sec * denom;
        // Whole steps before the first one, so that nothing is negative.
        let phase = phase.as_nanos() * self.per_sec / 1_000_000_000 * numer;
        let early = phase.div_ceil(per_step);
        let (secs, rest) = (self.from / self.per_sec, self.from % self.per_sec);
        let steps = secs * numer;
        let rest = steps % denom * self.per_sec + rest * numer + (early * per_step - phase);
        let begin = rest % per_step;
        Progress {
            first: Tick::try_from(steps / denom + rest / per_step).unwrap_or(Tick::MAX),
            early: early as Tick,
            begin,
            end: begin + (self.to - self.from) * numer,
            per_step,
        }
    }
}

impl FixedTimestep {
    /// The simulated time that has arrived, exact.
    pub(crate) fn arrived(&self) -> SimTime {
        SimTime::at_tick(self.tick, Rate::hz(1)).after(self.fraction, self.units.per_nano)
    }

    /// Takes the real time since the last frame, and gives up what arrives beyond `limit`. Answers with what was given up, and
    /// what arrived.
    pub(crate) fn advance_until(&mut self, delta: Duration, limit: Duration) -> (Lost<SimDuration>, Arrival) {
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
        let lost = Lost {
            clamped: lost.clamped,
            suspended: lost.suspended,
            dropped: SimDuration::new(excess + beyond_time, self.units.per_nano),
            rounded: lost.rounded,
        };
        let to = now - excess;
        let arrival = Arrival {
            from: to.saturating_sub(progress.end - progress.begin - excess),
            to,
            per_sec: self.units.per_step,
        };
        (lost, arrival)
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

//! A [`FixedTimestep`] whose step is a second, as the scaled simulation clock of a schedule.

use core::mem;
use core::time::Duration;

use super::fixed::{Activity, FixedTimestep};
use crate::step::Lost;
use crate::step::frame::Progress;
use crate::time::{Rate, SimDuration, SimTime, Tick};

/// Simulated time that arrived in a frame: from and to, in units of `1 / per_sec` s, where `per_sec` is less than 2^62.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ArrivedTime {
    from: u128,
    to: u128,
    per_sec: u128,
}

impl ArrivedTime {
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
    /// The simulated time that has arrived and is not kept back, exact.
    pub(crate) fn arrived(&self) -> SimTime {
        SimTime::at_tick(self.tick, Rate::hz(1)).after(self.fraction, self.units.per_nano)
    }

    /// Whether time is kept back.
    pub(crate) fn is_behind(&self) -> bool {
        self.debt > 0
    }

    /// Takes the real time since the last frame. Of it and what was kept back, time arrives up to `end`, and at most `most` of
    /// it; what does not fit follows the overrun policy. Answers with what was given up, and what arrived, time that is kept
    /// back included.
    pub(crate) fn advance_until(
        &mut self,
        delta: Duration,
        end: Duration,
        most: Duration,
    ) -> (Lost<SimDuration>, ArrivedTime) {
        let mut lost = Lost::default();
        if self.units.scale != self.scale {
            lost.rounded = self.rescale();
        }
        let let_go = if mem::take(&mut self.resync) {
            mem::take(&mut self.debt)
        } else {
            0
        };
        let accepted = self.admit(delta, &mut lost);
        let arrived = accepted.as_nanos() * self.units.per_nano_of_delta;
        let released = self.release(arrived);
        // A second has less than 2^62 units.
        let per_sec = self.units.per_step;
        let now = u128::from(self.tick) * per_sec + self.fraction;
        let end_of_time = (1 << 64) * per_sec - 1;
        let room = self.units.in_time(end).min(end_of_time).saturating_sub(now);
        let taken = released.min(room).min(self.units.in_time(most));
        let dropped = self.keep_back(released - taken, 1);
        let now = now + taken;
        (self.tick, self.fraction) = ((now / per_sec) as Tick, now % per_sec);
        lost.dropped = SimDuration::new(let_go + dropped, self.units.per_nano);
        let to = now + self.debt;
        let from = to.saturating_sub(arrived.saturating_sub(dropped));
        (lost, ArrivedTime { from, to, per_sec })
    }

    /// The real time until `end` has arrived; zero if a pause has to end first, and none if no time brings it.
    pub(crate) fn until(&self, end: SimTime) -> Option<Duration> {
        if end <= self.arrived() {
            return Some(Duration::ZERO);
        }
        if self.stands_still() {
            return None;
        }
        if self.activity == Activity::Resuming {
            return Some(Duration::ZERO);
        }
        let mut clock = self.clone();
        if clock.units.scale != clock.scale {
            let _ = clock.rescale();
        }
        let per_sec = clock.units.per_step;
        let now = u128::from(clock.tick) * per_sec + clock.fraction;
        Some(clock.until_released(end.units_up(per_sec).saturating_sub(now)))
    }
}

//! [`SimClock`]: the scaled clock of a timestep and of a schedule.

use core::mem;
use core::time::Duration;

#[cfg(feature = "alloc")]
use crate::step::frame::Progress;
use crate::step::units::Units;
use crate::step::{Lost, Overrun};
#[cfg(feature = "alloc")]
use crate::time::SimTime;
use crate::time::{Rate, SimDuration, Tick, TimeScale, duration_from_nanos};

/// The most periods that one delta can bring, and the most that are ever kept back.
pub(crate) const MAX_PERIODS: u32 = u32::MAX;

/// Real time goes in, simulated time comes out: exact, times a scale that can change, with pauses, a longest delta and an
/// [overrun policy](Overrun). It counts periods of its rate and a fraction of one.
///
/// A timestep counts in periods of its steps and divides. A schedule counts in seconds.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "super::saved_clock::SavedClock", into = "super::saved_clock::SavedClock")
)]
pub(crate) struct SimClock {
    pub(super) rate: Rate,
    pub(super) scale: TimeScale,
    /// None if it follows from the overrun policy.
    pub(super) max_delta: Option<Duration>,
    /// The longest accepted delta, or the delta that brings [`MAX_PERIODS`] if that is less: computed when a setting changes.
    pub(super) longest_delta: Duration,
    /// The same in nanoseconds, at most 2^64 - 1.
    pub(super) longest_nanos: u64,
    pub(super) overrun: Overrun,
    pub(super) activity: Activity,
    /// Whether the next delta drops time that is kept back.
    pub(super) resync: bool,
    pub(super) units: Units,
    /// Whole periods that have arrived.
    pub(super) tick: Tick,
    /// Time towards the next period, in units; less than a period.
    pub(super) fraction: u128,
    /// Time kept back by the overrun policy, in units.
    pub(super) debt: u128,
}

/// Whether deltas count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Activity {
    Running,
    Suspended,
    /// The next delta began before the simulation was resumed: it is the pause's last.
    Resuming,
}

impl SimClock {
    /// The longest delta that is accepted under [`Overrun::Drop`] unless set otherwise.
    pub(crate) const DEFAULT_MAX_DELTA: Duration = Duration::from_millis(250);

    /// A clock at zero that counts periods of `rate`.
    pub(crate) fn new(rate: Rate) -> Self {
        let mut clock = Self {
            rate,
            scale: TimeScale::NORMAL,
            max_delta: None,
            longest_delta: Duration::ZERO,
            longest_nanos: 0,
            overrun: Overrun::Drop,
            activity: Activity::Running,
            resync: false,
            units: Units::new(rate, TimeScale::NORMAL, 1),
            tick: 0,
            fraction: 0,
            debt: 0,
        };
        clock.set_longest_delta();
        clock
    }

    /// The rate whose periods it counts.
    #[cfg(all(feature = "serde", feature = "alloc"))]
    pub(crate) const fn rate(&self) -> Rate {
        self.rate
    }

    /// The longest accepted delta: unless it is set, policies that keep time have no limit besides their own.
    pub(crate) const fn max_delta(&self) -> Duration {
        match (self.max_delta, self.overrun) {
            (Some(max_delta), _) => max_delta,
            (None, Overrun::Drop) => Self::DEFAULT_MAX_DELTA,
            (None, Overrun::Carry { .. } | Overrun::Stretch { .. }) => Duration::MAX,
        }
    }

    pub(crate) fn set_max_delta(&mut self, max_delta: Option<Duration>) {
        self.max_delta = max_delta;
        self.set_longest_delta();
    }

    pub(crate) const fn overrun(&self) -> Overrun {
        self.overrun
    }

    pub(crate) fn set_overrun(&mut self, overrun: Overrun) {
        self.overrun = overrun;
        self.set_longest_delta();
    }

    pub(crate) const fn time_scale(&self) -> TimeScale {
        self.scale
    }

    pub(crate) fn set_time_scale(&mut self, scale: TimeScale) {
        if scale != self.scale {
            self.scale = scale;
            self.set_longest_delta();
        }
    }

    pub(super) fn set_longest_delta(&mut self) {
        let units = Units::new(self.rate, self.scale, self.scale.denom());
        self.longest_delta = longest(&units).min(self.max_delta());
        self.longest_nanos = u64::try_from(self.longest_delta.as_nanos()).unwrap_or(u64::MAX);
    }

    /// The most periods that a delta of [`max_delta`](Self::max_delta) can bring at this scale, or at normal speed if that is more; of
    /// the default if there is no limit. It meets less than a period, so the next whole number is enough.
    pub(super) fn most_periods(&self) -> u32 {
        let scale = self.scale.max(TimeScale::NORMAL);
        let units = Units::new(self.rate, scale, scale.denom());
        let delta = self.max_delta.unwrap_or(Self::DEFAULT_MAX_DELTA).min(longest(&units));
        let periods = (delta.as_nanos() * units.per_nano_of_delta).div_ceil(units.per_step);
        u32::try_from(periods).unwrap_or(MAX_PERIODS)
    }

    pub(crate) fn suspend(&mut self) {
        self.activity = Activity::Suspended;
    }

    pub(crate) fn resume(&mut self) {
        if self.activity == Activity::Suspended {
            self.activity = Activity::Resuming;
        }
    }

    pub(crate) fn is_suspended(&self) -> bool {
        self.activity == Activity::Suspended
    }

    pub(crate) fn resync(&mut self) {
        self.resync = true;
        if self.activity == Activity::Running {
            self.activity = Activity::Resuming;
        }
    }

    /// Back to zero, with the same settings and in the same pause.
    pub(crate) fn reset(&mut self) {
        self.units = Units::new(self.rate, self.scale, self.scale.denom());
        (self.tick, self.fraction, self.debt, self.resync) = (0, 0, 0, false);
    }

    /// The simulated time that has arrived and is not kept back, exact.
    #[cfg(feature = "alloc")]
    pub(crate) fn arrived(&self) -> SimTime {
        SimTime::at_tick(self.tick, self.rate).after(self.fraction, self.units.per_nano)
    }

    /// Whether time is kept back.
    #[cfg(feature = "alloc")]
    pub(crate) fn is_behind(&self) -> bool {
        self.debt > 0
    }

    /// Whether the next delta passes as it is: nothing is suspended, and no setting has to take effect.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.activity == Activity::Running && !self.resync && !self.is_rescaled()
    }

    /// Whether amounts are still counted in units of an earlier time scale.
    #[inline]
    pub(super) fn is_rescaled(&self) -> bool {
        self.units.scale != self.scale
    }

    /// Counts in units that suit the time scale. Returns the former units, and the amount that had to be rounded away.
    #[cold]
    pub(super) fn rescale(&mut self) -> (Units, SimDuration) {
        let resolution = self.units.resolution_for(self.scale, [self.fraction, self.debt]);
        let former = mem::replace(&mut self.units, Units::new(self.rate, self.scale, resolution));
        let residue = former.convert(&mut self.fraction, &self.units) + former.convert(&mut self.debt, &self.units);
        (former, SimDuration::new(residue, self.units.residue_per_nano(&former)))
    }

    /// Takes the real time since the last frame, once the clock [is rescaled](Self::rescale). Returns, in units, the delta at the time
    /// scale, and the part of it and of the time that was kept back that may be used now.
    #[inline]
    pub(super) fn pass<D>(&mut self, delta: Duration, lost: &mut Lost<D>) -> (u128, u128) {
        let arrived = self.admit(delta, lost).as_nanos() * self.units.per_nano_of_delta;
        (arrived, self.release(arrived))
    }

    /// The part of `delta` that reaches the simulation. While time stands still, nothing of it is lost.
    #[inline]
    fn admit<D>(&mut self, delta: Duration, lost: &mut Lost<D>) -> Duration {
        if self.activity != Activity::Running {
            if self.activity == Activity::Resuming {
                self.activity = Activity::Running;
            }
            lost.suspended = delta;
            return Duration::ZERO;
        }
        if delta > self.longest_delta && !self.scale.is_paused() {
            lost.clamped = delta - self.longest_delta;
            return self.longest_delta;
        }
        delta
    }

    /// The part of the arrived and kept-back time that may be stepped now. Zero while no time arrives.
    #[inline]
    fn release(&mut self, arrived: u128) -> u128 {
        let available = self.debt + arrived;
        let released = match self.overrun {
            _ if arrived == 0 => 0,
            Overrun::Stretch { max_speed } if self.debt > 0 => {
                let speed = max_speed.max(TimeScale::NORMAL);
                let (numer, denom) = (u128::from(speed.numer()), u128::from(speed.denom()));
                let whole = (arrived / denom).saturating_mul(numer);
                available.min(whole.saturating_add(arrived % denom * numer / denom))
            }
            _ => available,
        };
        self.debt = available - released;
        released
    }

    /// Keeps as much time for later as the policy allows, a multiple of `grain`. Returns the time that exceeds it.
    pub(super) fn keep_back(&mut self, time: u128, grain: u128) -> u128 {
        let most = self.units.per_step * u128::from(MAX_PERIODS);
        let most = match self.overrun {
            Overrun::Drop => return time,
            Overrun::Carry { max_backlog } => self.units.in_time(max_backlog).min(most),
            Overrun::Stretch { .. } => most,
        };
        let room = (most / grain).saturating_sub(self.debt.div_ceil(grain)) * grain;
        let kept = time.min(room);
        self.debt += kept;
        time - kept
    }

    /// Takes the real time since the last frame. Of it and the time kept back, time arrives up to `end`, and at most `most` of it;
    /// the rest follows the overrun policy. Returns the time that was given up, and the time that arrived, including the part that is kept
    /// back. For a clock that counts seconds.
    #[cfg(feature = "alloc")]
    pub(crate) fn advance_until(
        &mut self,
        delta: Duration,
        end: Duration,
        most: Duration,
    ) -> (Lost<SimDuration>, ArrivedTime) {
        let mut lost = Lost::default();
        if self.is_rescaled() {
            lost.rounded = self.rescale().1;
        }
        let let_go = if mem::take(&mut self.resync) {
            mem::take(&mut self.debt)
        } else {
            0
        };
        let (arrived, released) = self.pass(delta, &mut lost);
        // A second has less than 2^62 units.
        let per_sec = self.units.per_step;
        let now = self.now();
        let end_of_time = (1 << 64) * per_sec - 1;
        let room = self.units.in_time(end).min(end_of_time).saturating_sub(now);
        let taken = released.min(room).min(self.units.in_time(most));
        let dropped = self.keep_back(released - taken, 1);
        let now = now + taken;
        (self.tick, self.fraction) = ((now / per_sec) as Tick, now % per_sec);
        lost.dropped = SimDuration::new(let_go + dropped, self.units.per_nano);
        let to = now + self.debt;
        let from = to.saturating_sub(arrived.saturating_sub(dropped));
        let stands_still = arrived == 0;
        (
            lost,
            ArrivedTime {
                from,
                to,
                per_sec,
                stands_still,
            },
        )
    }

    /// The time that has arrived and is not kept back, in units, for a clock that counts seconds.
    #[cfg(feature = "alloc")]
    fn now(&self) -> u128 {
        u128::from(self.tick) * self.units.per_step + self.fraction
    }

    /// The real time until `end` has arrived; zero if the next frame ends a pause, and none if it will not arrive.
    #[cfg(feature = "alloc")]
    pub(crate) fn until(&self, end: SimTime) -> Option<Duration> {
        if end <= self.arrived() {
            return Some(Duration::ZERO);
        }
        self.until_released(|clock| end.units_up(clock.units.per_step).saturating_sub(clock.now()))
    }

    /// The real time until the overrun policy has released an amount, in units of the clock that is handed to `needed`; zero if
    /// a pause has to end first. None if no delta brings any time, not even when a pause that is about to end has ended.
    pub(super) fn until_released(&self, needed: impl FnOnce(&Self) -> u128) -> Option<Duration> {
        if self.is_suspended() || self.scale.is_paused() || self.longest_delta.is_zero() {
            return None;
        }
        if self.activity == Activity::Resuming {
            return Some(Duration::ZERO);
        }
        let mut clock = self.clone();
        if clock.is_rescaled() {
            let _ = clock.rescale();
        }
        let needed = needed(&clock);
        let speed = clock.units.per_nano_of_delta;
        let to_arrive = needed.saturating_sub(clock.debt).div_ceil(speed).max(1);
        let nanos = match clock.overrun {
            Overrun::Stretch { max_speed } if clock.debt > 0 => {
                let released = max_speed.max(TimeScale::NORMAL);
                let (numer, denom) = (u128::from(released.numer()), u128::from(released.denom()));
                // Less than 2^95 x 2^32, and less than 2^96 x 2^32.
                to_arrive.max((needed * denom).div_ceil(speed * numer))
            }
            _ => to_arrive,
        };
        Some(duration_from_nanos(nanos))
    }
}

/// The delta that brings [`MAX_PERIODS`].
fn longest(units: &Units) -> Duration {
    let worth = units.per_step * u128::from(MAX_PERIODS);
    duration_from_nanos(worth.checked_div(units.per_nano_of_delta).unwrap_or(u128::MAX))
}

/// Simulated time that arrived in a frame: from and to, in units of `1 / per_sec` s, where `per_sec` is less than 2^62.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ArrivedTime {
    from: u128,
    to: u128,
    per_sec: u128,
    /// Whether no time arrived, not even such that was dropped.
    stands_still: bool,
}

#[cfg(feature = "alloc")]
impl ArrivedTime {
    /// Before the first frame.
    pub(crate) const NONE: Self = Self {
        from: 0,
        to: 0,
        per_sec: 1,
        stands_still: true,
    };

    /// Whether it can come of a delta: 2^32 s at most, before the end of time.
    #[cfg(feature = "serde")]
    pub(crate) fn is_valid(&self) -> bool {
        let units = |secs: u128| secs * self.per_sec;
        (1..1 << 62).contains(&self.per_sec)
            && self.to <= units((1 << 64) + (1 << 32))
            && self
                .to
                .checked_sub(self.from)
                .is_some_and(|passed| passed <= units(1 << 32))
    }

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
            stands_still: self.stands_still,
        }
    }
}

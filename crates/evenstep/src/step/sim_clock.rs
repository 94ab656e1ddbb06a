//! [`SimClock`]: the scaled clock of a timestep and of a schedule.

use core::mem;
use core::time::Duration;

use crate::step::lost::Lost;
use crate::step::overrun::{DEFAULT_MAX_DELTA, Overrun};
use crate::time::{Rate, TimeScale, duration_from_nanos, saturating_nanos};

/// Real time goes in, simulated time comes out: times a scale that can change, with pauses, a longest delta and an
/// [overrun policy](Overrun).
///
/// A delta becomes whole simulated nanoseconds; what the scale leaves below a nanosecond goes to the next delta. So simulated time is
/// within a nanosecond of exact for as long as the scale stays, and exact at normal speed.
///
/// It counts in [units](crate::step) of a rate, in which a nanosecond and a step are whole numbers. A schedule counts nanoseconds, the units
/// of 1 Hz.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct SimClock {
    rate: Rate,
    #[cfg_attr(feature = "serde", serde(rename = "time_scale"))]
    scale: TimeScale,
    /// Simulated time below a nanosecond, in units of 1/denominator ns of the scale.
    subnano: u32,
    /// None if it follows from the overrun policy.
    max_delta: Option<Duration>,
    overrun: Overrun,
    activity: Activity,
    /// Whether the next delta drops the backlog. Never while running.
    drops_backlog: bool,
    /// Simulated time that the overrun policy keeps back, in units.
    backlog: u64,
    /// The longest accepted delta in nanoseconds, at most the longest that can be counted: computed when a setting changes.
    #[cfg_attr(feature = "serde", serde(skip))]
    longest_delta: u64,
}

/// Whether deltas count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Activity {
    Running,
    Paused,
    /// The next delta began before the simulation was resumed: it is the pause's last.
    Resuming,
}

/// The simulated time of a delta, in units.
#[derive(Clone, Copy)]
pub(crate) struct Passed {
    /// Whether time passed at all, even if less than a nanosecond.
    pub(crate) has_time: bool,
    /// The time that the delta brings.
    #[cfg(feature = "alloc")]
    pub(crate) arrived: u64,
    /// The part of it and of the backlog that may be used now.
    pub(crate) released: u64,
}

impl SimClock {
    /// A clock at zero that counts in units of `rate`.
    pub(crate) fn new(rate: Rate) -> Self {
        let mut clock = Self {
            rate,
            scale: TimeScale::NORMAL,
            subnano: 0,
            max_delta: None,
            overrun: Overrun::Drop,
            activity: Activity::Running,
            drops_backlog: false,
            backlog: 0,
            longest_delta: 0,
        };
        clock.set_longest_delta();
        clock
    }

    /// Counts in units of another rate. What was kept back is lost.
    pub(crate) fn set_rate(&mut self, rate: Rate) {
        self.rate = rate;
        self.backlog = 0;
        self.set_longest_delta();
    }

    /// The rate in whose units it counts.
    pub(crate) const fn rate(&self) -> Rate {
        self.rate
    }

    /// The longest accepted delta: unless it is set, policies that keep time have no limit besides their own.
    pub(crate) const fn max_delta(&self) -> Duration {
        match self.max_delta {
            Some(max_delta) => max_delta,
            None if self.overrun.keeps_time() => Duration::MAX,
            None => DEFAULT_MAX_DELTA,
        }
    }

    #[cfg(feature = "alloc")]
    pub(crate) const fn has_max_delta(&self) -> bool {
        self.max_delta.is_some()
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
            // Less than a nanosecond is lost.
            self.subnano = (u64::from(self.subnano) * u64::from(scale.denom()) / u64::from(self.scale.denom())) as u32;
            self.scale = scale;
            self.set_longest_delta();
        }
    }

    fn set_longest_delta(&mut self) {
        // Time that does not pass is not clamped.
        self.longest_delta = if self.scale.is_paused() {
            u64::MAX
        } else {
            countable(self.rate, self.scale).min(saturating_nanos(self.max_delta()))
        };
    }

    /// The most that is kept back, in units.
    fn max_backlog(&self) -> u64 {
        saturating_nanos(self.overrun.max_backlog())
            .saturating_mul(self.rate.units_per_nano())
            .min(most_units(self.rate))
    }

    /// The most steps that a delta of [`max_delta`](Self::max_delta) can bring at this scale, or at normal speed if that is more; of
    /// 250 ms if there is no limit. It meets less than a step, so the next whole number is enough.
    pub(super) fn most_steps(&self) -> u32 {
        let scale = self.scale.max(TimeScale::NORMAL);
        let delta = saturating_nanos(self.max_delta.unwrap_or(DEFAULT_MAX_DELTA)).min(countable(self.rate, scale));
        let nanos = (u128::from(delta) * u128::from(scale.numer())).div_ceil(scale.denom().into());
        let units = nanos * u128::from(self.rate.units_per_nano());
        u32::try_from(units.div_ceil(self.rate.units_per_step().into())).unwrap_or(u32::MAX)
    }

    pub(crate) fn pause(&mut self) {
        self.activity = Activity::Paused;
    }

    pub(crate) fn resume(&mut self) {
        if self.activity == Activity::Paused {
            self.activity = Activity::Resuming;
        }
    }

    pub(crate) fn resume_dropping(&mut self) {
        self.drops_backlog = true;
        self.activity = Activity::Resuming;
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.activity == Activity::Paused
    }

    /// Back to zero, with the same settings and in the same pause.
    pub(crate) fn reset(&mut self) {
        (self.subnano, self.backlog, self.drops_backlog) = (0, 0, false);
    }

    /// Time that the overrun policy keeps back, in units.
    pub(crate) const fn backlog(&self) -> u64 {
        self.backlog
    }

    /// The backlog, taken, if this frame is to drop it.
    pub(crate) fn take_backlog_to_drop(&mut self) -> Option<u64> {
        mem::take(&mut self.drops_backlog).then(|| mem::take(&mut self.backlog))
    }

    /// The part of a delta that reaches the simulation, in nanoseconds: none in a pause. While time stands still, nothing of it is lost.
    #[inline]
    pub(crate) fn accept_delta<D>(&mut self, delta: Duration, lost: &mut Lost<D>) -> u64 {
        if self.activity != Activity::Running {
            if self.activity == Activity::Resuming {
                self.activity = Activity::Running;
            }
            lost.paused = delta;
            return 0;
        }
        let nanos = saturating_nanos(delta);
        if nanos <= self.longest_delta {
            return nanos;
        }
        lost.clamped = delta.saturating_sub(Duration::from_nanos(self.longest_delta));
        self.longest_delta
    }

    /// The simulated time of a delta that was accepted.
    #[inline]
    pub(crate) fn advance(&mut self, nanos: u64) -> Passed {
        // Nothing overflows: the longest delta is chosen for that.
        let scaled = nanos * u64::from(self.scale.numer());
        let mut simulated = scaled;
        let denom = u64::from(self.scale.denom());
        if denom > 1 {
            let parts = scaled + u64::from(self.subnano);
            self.subnano = (parts % denom) as u32;
            simulated = parts / denom;
        }
        let arrived = simulated * self.rate.units_per_nano();
        Passed {
            has_time: scaled > 0,
            #[cfg(feature = "alloc")]
            arrived,
            // None of the backlog while no time arrives.
            released: if self.backlog == 0 || arrived == 0 {
                arrived
            } else {
                self.release_backlog(arrived)
            },
        }
    }

    /// The part of the arrived time and the backlog that may be used now.
    #[cold]
    fn release_backlog(&mut self, arrived: u64) -> u64 {
        let available = self.backlog + arrived;
        let released = match self.overrun.max_speed() {
            Some(speed) => {
                let stretched = u128::from(arrived) * u128::from(speed.numer()) / u128::from(speed.denom());
                stretched.min(available.into()) as u64
            }
            None => available,
        };
        self.backlog = available - released;
        released
    }

    /// Keeps as many pieces of time for later as the policy allows. Returns the number of the others.
    pub(crate) fn keep_back(&mut self, pieces: u64, units_per_piece: u64) -> u64 {
        let kept = pieces.min(self.max_backlog().saturating_sub(self.backlog) / units_per_piece);
        self.backlog += kept * units_per_piece;
        pieces - kept
    }

    /// The real time until an amount of time has been released; zero if a pause has to end first. None if no delta brings any time, not
    /// even when a pause that is about to end has ended.
    pub(crate) fn until_released(&self, needed: u64) -> Option<Duration> {
        if self.is_paused() || self.scale.is_paused() || self.longest_delta == 0 {
            return None;
        }
        if self.activity == Activity::Resuming {
            return Some(Duration::ZERO);
        }
        let mut to_arrive = needed.saturating_sub(self.backlog).max(1);
        if let Some(speed) = self.overrun.max_speed().filter(|_| self.backlog > 0) {
            let stretched = (u128::from(needed) * u128::from(speed.denom())).div_ceil(speed.numer().into());
            to_arrive = to_arrive.max(stretched as u64); // not more than needed
        }
        let simulated = u128::from(to_arrive.div_ceil(self.rate.units_per_nano()));
        let parts = simulated * u128::from(self.scale.denom()) - u128::from(self.subnano);
        Some(duration_from_nanos(parts.div_ceil(self.scale.numer().into())))
    }

    /// A clock as it was read back: checked, and with what follows from its settings.
    #[cfg(feature = "serde")]
    pub(crate) fn restored(mut self) -> Result<Self, &'static str> {
        if self.subnano >= self.scale.denom() {
            return Err("subnano is not less than the denominator of the time scale");
        }
        if self.backlog > most_units(self.rate) {
            return Err("the backlog exceeds what can be counted at the rate");
        }
        if self.drops_backlog && self.activity == Activity::Running {
            return Err("the backlog of a clock that is running is to be dropped");
        }
        self.set_longest_delta();
        Ok(self)
    }
}

/// The most units that one delta can bring, and the most that are ever kept back: 2⁶², and no more than 2³² − 1 steps. So all sums of
/// a frame fit into 64 bits: less than a step, which is shorter than 2⁶², a delta, and the backlog.
pub(super) fn most_units(rate: Rate) -> u64 {
    rate.units_per_step().saturating_mul(u32::MAX.into()).min(1 << 62)
}

/// The longest delta, in nanoseconds, that brings no more than [`most_units`] and whose product with the scale fits into 64 bits.
fn countable(rate: Rate, scale: TimeScale) -> u64 {
    let denom = u64::from(scale.denom());
    let nanos = most_units(rate) / rate.units_per_nano();
    nanos
        .saturating_mul(denom)
        .min(u64::MAX - (denom - 1))
        .checked_div(scale.numer().into())
        .unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ENDS: [u32; 6] = [1, 2, 1_001, 1 << 31, u32::MAX - 4, u32::MAX];

    /// The sums of a frame fit into 64 bits at the longest delta, and a longer delta could bring too much.
    fn assert_fits(rate: Rate, scale: TimeScale) {
        let most = u128::from(most_units(rate));
        let (step, units) = (u128::from(rate.units_per_step()), u128::from(rate.units_per_nano()));
        assert!(step <= most && most <= 1 << 62 && most / step <= u32::MAX.into());
        // Less than a step, a delta and a backlog; then what is kept back of them.
        assert!(u64::try_from(step - 1 + most + most + most).is_ok());
        if scale.is_paused() {
            return;
        }
        let (numer, denom) = (u128::from(scale.numer()), u128::from(scale.denom()));
        let is_counted = |delta: u128| {
            let parts = delta * numer + (denom - 1);
            u64::try_from(parts).is_ok() && parts / denom * units <= most
        };
        let longest = u128::from(countable(rate, scale));
        assert!(is_counted(longest) && !is_counted(longest + 1), "{rate} at {scale}");
    }

    #[test]
    fn no_pair_of_rate_and_scale_overflows_at_the_ends_of_their_ranges() {
        for (numer, denom) in ENDS.into_iter().flat_map(|one| ENDS.map(|other| (one, other))) {
            let rate = Rate::new(numer, denom).unwrap();
            for (numer, denom) in ENDS.into_iter().flat_map(|one| ENDS.map(|other| (one, other))) {
                assert_fits(rate, TimeScale::new(numer, denom).unwrap());
            }
        }
    }

    proptest! {
        #[test]
        fn no_pair_of_rate_and_scale_overflows(rate: (u32, u32), scale: (u32, u32)) {
            let rate = Rate::new(rate.0.max(1), rate.1.max(1)).unwrap();
            assert_fits(rate, TimeScale::new(scale.0, scale.1.max(1)).unwrap());
        }
    }
}

//! The clock gain at the time when each input was sent.

use evenstep::{Rate, Tick};

#[cfg(feature = "serde")]
use super::clock_gain::MAX_GAIN;

/// Inputs that are remembered, in rows: serde stores arrays of up to 32 elements.
const REMEMBERED: usize = ROWS * ROW;
const ROWS: usize = 16;
const ROW: usize = 16;

/// How long they are remembered at least: reports with a longer round trip are out of date.
const SECONDS: u64 = 4;

/// The [clock gain](super::clock_gain::ClockGain) when the input of each of the last ticks was sent.
///
/// Above 64 Hz only one tick of each group is remembered, so that the memory reaches back four seconds. It is chosen pseudorandomly
/// within the group, so that a server that reports every second tick reports some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct SentInputs {
    ticks: [[Option<Input>; ROW]; ROWS],
    /// Ticks per group.
    group: Tick,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Input {
    tick: Tick,
    gain: i64,
}

impl SentInputs {
    pub(super) const fn new(rate: Rate) -> Self {
        let ticks = (SECONDS * rate.numer() as u64).div_ceil(rate.denom() as u64);
        let group = ticks.div_ceil(REMEMBERED as u64);
        Self {
            ticks: [[None; ROW]; ROWS],
            group: if group > 1 { group } else { 1 },
        }
    }

    /// Whether they can be of a simulation at this rate.
    #[cfg(feature = "serde")]
    pub(super) fn is_valid(&self, rate: Rate) -> bool {
        let gains = self
            .ticks
            .iter()
            .flatten()
            .flatten()
            .map(|input| input.gain.unsigned_abs());
        self.group == Self::new(rate).group && gains.into_iter().all(|gain| gain <= MAX_GAIN as u64)
    }

    /// Records that the inputs of ticks from `first` to before `end` are sent now.
    pub(super) fn record(&mut self, first: Tick, end: Tick, gain: i64) {
        if first >= end {
            return;
        }
        let newest = (end - 1) / self.group;
        for group in (first / self.group).max((newest + 1).saturating_sub(REMEMBERED as Tick))..=newest {
            let tick = self.remembered(group);
            if (first..end).contains(&tick) {
                *self.slot(group) = Some(Input { tick, gain });
            }
        }
    }

    /// Removes and returns the gain when the input of a tick was sent.
    pub(super) fn take(&mut self, tick: Tick) -> Option<i64> {
        let input = self.slot(tick / self.group);
        let gain = input.filter(|input| input.tick == tick)?.gain;
        *input = None;
        Some(gain)
    }

    fn slot(&mut self, group: Tick) -> &mut Option<Input> {
        let slot = group as usize % REMEMBERED;
        &mut self.ticks[slot / ROW][slot % ROW]
    }

    /// The tick of a group that is remembered.
    fn remembered(&self, group: Tick) -> Tick {
        // Mixed twice: the high bits of one product advance by a constant from group to group, and a server that reports every ninth tick
        // would meet all that are remembered, or none.
        let mix = |bits: u64| bits.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let once = mix(group);
        let mixed = mix(once ^ (once >> 32)) >> 32;
        (group * self.group).saturating_add(mixed % self.group)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_server_that_reports_every_ninth_tick_reports_some_that_are_remembered() {
        assert_enough_are_known(577, 4_143_154_600, 1, 9);
        assert_enough_are_known(68, 905_891_833, 1, 8);
    }

    /// Of the ticks that a server reports, about as many are remembered as of all.
    fn assert_enough_are_known(hertz: u32, begin: Tick, frame: u64, every: u64) {
        let mut sent = SentInputs::new(Rate::hz(hertz));
        let ticks = SECONDS * u64::from(hertz);
        for first in (begin..begin + ticks).step_by(frame as usize) {
            sent.record(first, first + frame, first as i64);
        }
        let reported: Vec<_> = (begin..begin + ticks).filter(|tick| tick % every == 0).collect();
        let frame_of = |tick: Tick| (tick - (tick - begin) % frame) as i64;
        let mut known = 0;
        for tick in &reported {
            if let Some(gain) = sent.take(*tick) {
                assert_eq!(gain, frame_of(*tick));
                assert_eq!(sent.take(*tick), None, "once for each");
                known += 1;
            }
        }
        let expected = reported.len() as u64 / sent.group;
        assert!(
            4 * known + 16 >= expected,
            "{known} of {} in groups of {}",
            reported.len(),
            sent.group
        );
    }

    proptest! {
        #[test]
        fn enough_inputs_are_remembered_at_every_rate_and_reporting_interval(
            hertz in 1..2_000_u32, begin in any::<u32>(), frame in 1..60_u64, every in 1..20_u64,
        ) {
            assert_enough_are_known(hertz, Tick::from(begin), frame, every);
        }
    }
}

use crate::time::{Rate, Tick};

/// How many ticks are remembered.
const REMEMBERED: usize = 256;

/// For how long at least: a report that takes longer, there and back, says little any more.
const SECONDS: u64 = 4;

/// What had been gained on the clock when the input of each of the last ticks was sent.
///
/// At rates above 64 Hz it is that of one tick in several, so that they reach back far enough. Which one of each group is as good
/// as random: a server that reports every second tick reports some of them as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    ticks: [Option<Input>; REMEMBERED],
    /// How many ticks make up a group.
    group: Tick,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Input {
    tick: Tick,
    gained: i64,
}

impl Sent {
    pub(super) const fn new(rate: Rate) -> Self {
        let ticks = (SECONDS * rate.numer() as u64).div_ceil(rate.denom() as u64);
        let group = ticks.div_ceil(REMEMBERED as u64);
        Self {
            ticks: [None; REMEMBERED],
            group: if group > 1 { group } else { 1 },
        }
    }

    /// The inputs of these ticks were sent now.
    pub(super) fn note(&mut self, first: Tick, end: Tick, gained: i64) {
        if first >= end {
            return;
        }
        let newest = (end - 1) / self.group;
        for group in (first / self.group).max((newest + 1).saturating_sub(REMEMBERED as Tick))..=newest {
            let tick = self.remembered(group);
            if (first..end).contains(&tick) {
                self.ticks[group as usize % REMEMBERED] = Some(Input { tick, gained });
            }
        }
    }

    /// What had been gained when the input of a tick was sent; once for each that is remembered.
    pub(super) fn take(&mut self, tick: Tick) -> Option<i64> {
        let input = &mut self.ticks[(tick / self.group) as usize % REMEMBERED];
        let gained = input.filter(|input| input.tick == tick)?.gained;
        *input = None;
        Some(gained)
    }

    /// The tick of a group that is remembered.
    fn remembered(&self, group: Tick) -> Tick {
        let mixed = group.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        (group * self.group).saturating_add(mixed % self.group)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn enough_of_the_inputs_of_the_last_seconds_are_remembered_at_every_rate_however_they_are_reported(
            hertz in 1..2_000_u32, begin in any::<u32>(), frame in 1..60_u64, every in 1..20_u64,
        ) {
            let mut sent = Sent::new(Rate::hz(hertz));
            let ticks = SECONDS * u64::from(hertz);
            let begin = Tick::from(begin);
            for first in (begin..begin + ticks).step_by(frame as usize) {
                sent.note(first, first + frame, first as i64);
            }
            let reported: Vec<_> = (begin..begin + ticks).filter(|tick| tick % every == 0).collect();
            let frame_of = |tick: Tick| (tick - (tick - begin) % frame) as i64;
            let mut known = 0;
            for tick in &reported {
                if let Some(gained) = sent.take(*tick) {
                    prop_assert_eq!(gained, frame_of(*tick));
                    prop_assert_eq!(sent.take(*tick), None, "once for each");
                    known += 1;
                }
            }
            let expected = reported.len() as u64 / sent.group;
            prop_assert!(4 * known + 16 >= expected, "{known} of {} in groups of {}", reported.len(), sent.group);
        }
    }
}

//! The clock gain at the time when each input was sent.

use alloc::vec;
use alloc::vec::Vec;

use evenstep::{Rate, Tick};

/// How long inputs are remembered: reports with a longer round trip are out of date.
const REMEMBERED_SECS: u64 = 4;

/// The fewest and the most inputs that are remembered.
const MIN_INPUTS: u64 = 64;
const MAX_INPUTS: u64 = 4096;

/// The [clock gain](super::clock_gain::ClockGain) when the input of each of the last ticks was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SentInputs {
    /// A tick is at its remainder.
    gains: Vec<Option<(Tick, i64)>>,
}

impl SentInputs {
    pub(super) fn new(rate: Rate) -> Self {
        let ticks = REMEMBERED_SECS * u64::from(rate.numer()) / u64::from(rate.denom());
        let remembered = ticks.clamp(MIN_INPUTS, MAX_INPUTS) as usize;
        Self {
            gains: vec![None; remembered],
        }
    }

    /// Records that the inputs of ticks from `first` to before `end` are sent now.
    pub(super) fn record(&mut self, first: Tick, end: Tick, gain: i64) {
        let remembered = self.gains.len() as Tick;
        for tick in first.max(end.saturating_sub(remembered))..end {
            self.gains[(tick % remembered) as usize] = Some((tick, gain));
        }
    }

    /// Removes and returns the gain when the input of a tick was sent.
    pub(super) fn take(&mut self, tick: Tick) -> Option<i64> {
        let slot = (tick % self.gains.len() as Tick) as usize;
        self.gains[slot].take_if(|(of, _)| *of == tick).map(|(_, gain)| gain)
    }
}

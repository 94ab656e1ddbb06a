use crate::time::Tick;

/// How many ticks are remembered: those of four seconds at 60 Hz.
pub(super) const REMEMBERED: usize = 256;

/// What had been gained on the clock when the input of each of the last ticks was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    ticks: [Option<Input>; REMEMBERED],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Input {
    tick: Tick,
    gained: i64,
}

impl Sent {
    pub(super) const fn new() -> Self {
        Self {
            ticks: [None; REMEMBERED],
        }
    }

    /// The inputs of these ticks were sent now.
    pub(super) fn note(&mut self, first: Tick, end: Tick, gained: i64) {
        for tick in first.max(end.saturating_sub(REMEMBERED as Tick))..end {
            self.ticks[tick as usize % REMEMBERED] = Some(Input { tick, gained });
        }
    }

    /// What had been gained when the input of a tick was sent; once for each.
    pub(super) fn take(&mut self, tick: Tick) -> Option<i64> {
        let input = &mut self.ticks[tick as usize % REMEMBERED];
        let gained = input.filter(|input| input.tick == tick)?.gained;
        *input = None;
        Some(gained)
    }
}

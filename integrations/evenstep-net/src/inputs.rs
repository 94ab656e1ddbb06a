//! The inputs of one player at the server, by tick.

use std::collections::VecDeque;

use evenstep::Tick;
use evenstep::network::InputReport;

use crate::message::MAX_REPORTS;

/// Inputs are kept for this many ticks from the next tick on, and for as many ticks before it, to detect duplicates.
pub(crate) const INPUT_WINDOW: u64 = 64;

const SLOTS: u64 = 2 * INPUT_WINDOW;

/// The inputs of a player at the server, and reports on how early they arrived.
#[derive(Clone, Debug)]
pub(crate) struct PlayerInputs<P> {
    slots: [Option<(Tick, P)>; SLOTS as usize],
    /// The player's last input in a tick that was run; `None` before the first.
    last: Option<P>,
    reports: VecDeque<InputReport>,
}

/// The classification of an arrived input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// The first input for its tick, in time.
    InTime,
    /// Its tick has already been run.
    Late,
    /// Its tick is too far ahead.
    Early,
    /// An input for its tick arrived before.
    Duplicate,
}

impl<P: Copy + Default> PlayerInputs<P> {
    pub(crate) const fn new() -> Self {
        Self {
            slots: [const { None }; SLOTS as usize],
            last: None,
            reports: VecDeque::new(),
        }
    }

    /// Adds an input for `tick` when `next` is the next tick to run. The first input for a tick counts.
    pub(crate) fn insert(&mut self, tick: Tick, input: P, next: Tick) -> Arrival {
        if tick >= next.saturating_add(INPUT_WINDOW) {
            return Arrival::Early;
        }
        if tick.saturating_add(INPUT_WINDOW) < next {
            return Arrival::Late;
        }
        // Any other entry in this slot belongs to an earlier tick.
        let slot = &mut self.slots[(tick % SLOTS) as usize];
        if slot.is_some_and(|(known, _)| known == tick) {
            return Arrival::Duplicate;
        }
        *slot = Some((tick, input));
        if tick < next { Arrival::Late } else { Arrival::InTime }
    }

    /// The player's input for a tick, and whether it is known; otherwise the last input is repeated.
    pub(crate) fn input_for(&mut self, tick: Tick) -> (P, bool) {
        let known = self.slots[(tick % SLOTS) as usize].filter(|(of, _)| *of == tick);
        if let Some((_, input)) = known {
            self.last = Some(input);
        }
        (self.last.unwrap_or_default(), known.is_some() || self.last.is_none())
    }

    /// Adds a report on how early an input arrived.
    pub(crate) fn report(&mut self, report: InputReport) {
        self.reports.push_back(report);
        if self.reports.len() > MAX_REPORTS {
            self.reports.pop_front();
        }
    }

    pub(crate) fn reports(&self) -> Vec<InputReport> {
        self.reports.iter().copied().collect()
    }
}

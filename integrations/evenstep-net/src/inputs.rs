use std::collections::VecDeque;

use evenstep::Tick;
use evenstep::network::InputReport;

use crate::message::MAX_REPORTS;

/// Inputs are kept for so many ticks, from that which the server runs next on, and for so many before it is known whether they came.
pub(crate) const INPUT_WINDOW: u64 = 64;

const SLOTS: u64 = 2 * INPUT_WINDOW;

/// The inputs of a player at the server, and how early they came.
#[derive(Clone, Debug)]
pub(crate) struct PlayerInputs<P> {
    slots: [Option<(Tick, P)>; SLOTS as usize],
    /// The player's last input of a tick that was run; none before the first.
    last: Option<P>,
    reports: VecDeque<InputReport>,
}

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// It is the first of its tick and in time.
    InTime,
    /// Its tick has been run without it.
    Late,
    /// Its tick is too far off.
    Early,
    /// It came before.
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

    /// Takes an input of `tick`, when `next` is the tick that is run next. What came first counts.
    pub(crate) fn insert(&mut self, tick: Tick, input: P, next: Tick) -> Arrival {
        if tick >= next.saturating_add(INPUT_WINDOW) {
            return Arrival::Early;
        }
        if tick.saturating_add(INPUT_WINDOW) < next {
            return Arrival::Late;
        }
        // Whatever else is there is of an earlier tick.
        let slot = &mut self.slots[(tick % SLOTS) as usize];
        if slot.is_some_and(|(known, _)| known == tick) {
            return Arrival::Duplicate;
        }
        *slot = Some((tick, input));
        if tick < next { Arrival::Late } else { Arrival::InTime }
    }

    /// What the player does in a tick, and whether that is known; else it does what it did before.
    pub(crate) fn input_for(&mut self, tick: Tick) -> (P, bool) {
        let known = self.slots[(tick % SLOTS) as usize].filter(|(of, _)| *of == tick);
        if let Some((_, input)) = known {
            self.last = Some(input);
        }
        (self.last.unwrap_or_default(), known.is_some() || self.last.is_none())
    }

    /// Notes how early the input of a tick was.
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

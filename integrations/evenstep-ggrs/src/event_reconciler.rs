//! Reconciles the events of re-simulated ticks with the events that were reported before.

use std::collections::VecDeque;

use evenstep::Tick;

/// The largest number of notices that wait; beyond it the oldest are dropped.
const MAX_NOTICES: usize = 4096;

/// What [`Rollback::next_notice`](crate::Rollback::next_notice) reports of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice<E> {
    /// The event happens in the frame that is drawn now, or happened earlier if the prediction missed it.
    Happened {
        /// The tick of the game whose step emitted the event.
        tick: Tick,
        /// The event.
        event: E,
    },
    /// The event was reported as `Happened` and did not happen: a player did something other than predicted. Stop its sound.
    Retracted {
        /// The tick for which the event was reported.
        tick: Tick,
        /// The event.
        event: E,
    },
}

impl<E> Notice<E> {
    /// The tick of the game that the notice is about.
    pub const fn tick(&self) -> Tick {
        match self {
            Self::Happened { tick, .. } | Self::Retracted { tick, .. } => *tick,
        }
    }
}

/// The events of ticks that may be simulated again, and the notices that have not been reported yet.
pub(crate) struct EventReconciler<E> {
    /// The events of the ticks from `first` on.
    ticks: VecDeque<Vec<E>>,
    first: Tick,
    /// Ordered by tick.
    waiting: VecDeque<Notice<E>>,
    pub(crate) dropped: u64,
}

impl<E: Clone + PartialEq> EventReconciler<E> {
    pub(crate) const fn new() -> Self {
        Self {
            ticks: VecDeque::new(),
            first: 0,
            waiting: VecDeque::new(),
            dropped: 0,
        }
    }

    /// Replaces the events of a tick, and adds notices for the differences. Leaves `events` empty with memory to reuse.
    pub(crate) fn replace(&mut self, tick: Tick, events: &mut Vec<E>) {
        let Some(at) = tick.checked_sub(self.first) else {
            return events.clear();
        };
        while self.ticks.len() as Tick <= at {
            self.ticks.push_back(Vec::new());
        }
        let now = &mut self.ticks[at as usize];
        std::mem::swap(now, events);
        let (gone, new) = (multiset_difference(events, now), multiset_difference(now, events));
        events.clear();
        let gone = gone.into_iter().map(|event| Notice::Retracted { tick, event });
        let new = new.into_iter().map(|event| Notice::Happened { tick, event });
        gone.chain(new).for_each(|notice| self.push(notice));
    }

    /// Adds a notice. If the opposite notice has not been reported yet, both are dropped.
    fn push(&mut self, notice: Notice<E>) {
        let opposite = self.waiting.iter().position(|waiting| match (waiting, &notice) {
            (Notice::Happened { tick, event }, Notice::Retracted { tick: of, event: other })
            | (Notice::Retracted { tick, event }, Notice::Happened { tick: of, event: other }) => {
                tick == of && event == other
            }
            _ => false,
        });
        if let Some(at) = opposite {
            self.waiting.remove(at);
            return;
        }
        if self.waiting.len() >= MAX_NOTICES {
            self.waiting.pop_front();
            self.dropped += 1;
        }
        let at = self.waiting.partition_point(|waiting| waiting.tick() <= notice.tick());
        self.waiting.insert(at, notice);
    }

    /// Forgets the events of earlier ticks, which are not simulated again.
    pub(crate) fn discard_before(&mut self, tick: Tick) {
        while self.first < tick && self.ticks.pop_front().is_some() {
            self.first += 1;
        }
        self.first = self.first.max(tick);
    }

    /// The next retraction, or the next notice of a tick for which `is_due` is true.
    pub(crate) fn next(&mut self, is_due: impl Fn(Tick) -> bool) -> Option<Notice<E>> {
        let is_due = |notice: &Notice<E>| match notice {
            Notice::Happened { tick, .. } => is_due(*tick),
            Notice::Retracted { .. } => true,
        };
        let at = self.waiting.iter().position(is_due)?;
        self.waiting.remove(at)
    }
}

/// The events of one list that another does not contain (multiset difference).
fn multiset_difference<E: Clone + PartialEq>(of: &[E], other: &[E]) -> Vec<E> {
    let mut left: Vec<&E> = other.iter().collect();
    let is_missing = |event: &&E| match left.iter().position(|other| other == event) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    };
    of.iter().filter(is_missing).cloned().collect()
}

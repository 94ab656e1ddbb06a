use std::collections::VecDeque;

use evenstep::Tick;

/// So many notices wait for the renderer; the oldest are dropped.
const MAX_NOTICES: usize = 4096;

/// What [`Rollback::next_notice`](crate::Rollback::next_notice) tells of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice<E> {
    /// It happens in the picture that is drawn now, or earlier if it is only known now.
    Happened {
        /// The tick of the game whose step emitted it.
        tick: Tick,
        /// What happened.
        event: E,
    },
    /// It was told of before, and did not happen: a player did something else than was predicted. Stop the sound.
    Retracted {
        /// The tick that it was told of.
        tick: Tick,
        /// What did not happen.
        event: E,
    },
}

impl<E> Notice<E> {
    /// The tick of the game that it is about.
    pub const fn tick(&self) -> Tick {
        match self {
            Self::Happened { tick, .. } | Self::Retracted { tick, .. } => *tick,
        }
    }
}

/// What happened in the ticks that may be simulated again, and what of it is still to be told.
pub(crate) struct EventReconciler<E> {
    /// The events of the ticks from `first` on.
    ticks: VecDeque<Vec<E>>,
    first: Tick,
    /// In the order of ticks.
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

    /// In a tick these events happened, whatever was said before. Leaves the memory of other events.
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

    /// A notice takes back the opposite one if that was not told yet.
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

    /// Ticks before this one are not simulated again.
    pub(crate) fn discard_before(&mut self, tick: Tick) {
        while self.first < tick && self.ticks.pop_front().is_some() {
            self.first += 1;
        }
        self.first = self.first.max(tick);
    }

    /// The next notice of a tick of which `is_due` says so.
    pub(crate) fn next(&mut self, is_due: impl Fn(Tick) -> bool) -> Option<Notice<E>> {
        let is_due = |notice: &Notice<E>| match notice {
            Notice::Happened { tick, .. } => is_due(*tick),
            Notice::Retracted { .. } => true,
        };
        let at = self.waiting.iter().position(is_due)?;
        self.waiting.remove(at)
    }
}

/// The events of one list that are not in another, each as often as it is there more often.
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

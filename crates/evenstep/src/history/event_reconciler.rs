//! Reconciles the events of re-simulated ticks with the events that were reported before.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::time::Tick;

/// Reports the events of a simulation that goes back and simulates ticks again: each event once, however often its tick is
/// simulated, and a retraction if it did not happen after all.
///
/// Replace the events of a tick whenever it has been simulated, the first time and again, with none if there are none. Then ask for
/// notices. An [`EventQueue`](crate::input::EventQueue) costs less and does less: it does not remember delivered events, so they are
/// delivered again when their ticks are simulated again.
///
/// ```
/// use evenstep::history::{EventReconciler, Notice};
///
/// let mut sounds = EventReconciler::new(64);
/// sounds.replace(7, &mut vec!["bang", "hiss"]);
/// sounds.replace(8, &mut vec![]);
/// assert_eq!(sounds.next_notice(|_tick| true), Some(Notice::Happened { tick: 7, event: "bang" }));
/// assert_eq!(sounds.next_notice(|_tick| true), Some(Notice::Happened { tick: 7, event: "hiss" }));
///
/// // Another player's input is known now: ticks 7 and 8 are simulated again, and the bang comes later.
/// sounds.replace(7, &mut vec!["hiss"]);
/// sounds.replace(8, &mut vec!["bang"]);
/// assert_eq!(sounds.next_notice(|_tick| true), Some(Notice::Retracted { tick: 7, event: "bang" }));
/// assert_eq!(sounds.next_notice(|_tick| true), Some(Notice::Happened { tick: 8, event: "bang" }));
/// assert_eq!(sounds.next_notice(|_tick| true), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct EventReconciler<E> {
    /// The events of the ticks from `first` on that were reported or wait to be, from the last simulation; without dropped notices.
    ticks: VecDeque<Vec<E>>,
    first: Tick,
    /// Ordered by tick.
    waiting: VecDeque<Notice<E>>,
    capacity: usize,
    dropped: u64,
}

/// A notice of an [`EventReconciler`] about an event.
///
/// Exhaustive: an event happened or is retracted.
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

impl<E: Clone + PartialEq> EventReconciler<E> {
    /// No events, and room for `capacity` notices that wait. Beyond it the oldest are dropped, and given again if their tick is simulated
    /// again: an event that was not reported is not retracted.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self {
            ticks: VecDeque::new(),
            first: 0,
            waiting: VecDeque::new(),
            capacity,
            dropped: 0,
        }
    }

    /// Replaces the events of a tick, and adds notices for the differences. Leaves `events` empty with memory to reuse. Events of ticks
    /// that have been [discarded](Self::discard_before) are ignored.
    ///
    /// Each tick since the last that was discarded takes memory, also one without events: before the first event of a game that has
    /// run for long, discard the ticks before it.
    pub fn replace(&mut self, tick: Tick, events: &mut Vec<E>) {
        let Some(at) = tick.checked_sub(self.first) else {
            return events.clear();
        };
        while self.ticks.len() as Tick <= at {
            self.ticks.push_back(Vec::new());
        }
        let at = at as usize;
        let reported = &self.ticks[at];
        let (gone, new) = (
            multiset_difference(reported, events),
            multiset_difference(events, reported),
        );
        events.clear();
        for event in gone {
            // Nobody will hear of an event whose notice was dropped for an earlier one of these.
            if remove(&mut self.ticks[at], &event) {
                self.push(Notice::Retracted { tick, event });
            }
        }
        for event in new {
            self.ticks[at].push(event.clone());
            self.push(Notice::Happened { tick, event });
        }
    }

    /// Adds a notice. If the opposite notice has not been reported yet, both are dropped.
    fn push(&mut self, notice: Notice<E>) {
        // They wait in the order of their ticks.
        let from = self.waiting.partition_point(|waiting| waiting.tick() < notice.tick());
        let to = self.waiting.partition_point(|waiting| waiting.tick() <= notice.tick());
        let opposite = (from..to).find(|at| match (&self.waiting[*at], &notice) {
            (Notice::Happened { event, .. }, Notice::Retracted { event: other, .. })
            | (Notice::Retracted { event, .. }, Notice::Happened { event: other, .. }) => event == other,
            _ => false,
        });
        if let Some(at) = opposite {
            self.waiting.remove(at);
            return;
        }
        self.waiting.insert(to, notice);
        if self.waiting.len() > self.capacity {
            if let Some(oldest) = self.waiting.pop_front() {
                self.dropped = self.dropped.saturating_add(1);
                self.forget(oldest);
            }
        }
    }

    /// Undoes what an unseen notice did to the events of its tick.
    fn forget(&mut self, notice: Notice<E>) {
        let at = notice.tick().checked_sub(self.first);
        let Some(events) = at.and_then(|at| self.ticks.get_mut(at as usize)) else {
            return;
        };
        match notice {
            Notice::Happened { event, .. } => _ = remove(events, &event),
            Notice::Retracted { event, .. } => events.push(event),
        }
    }

    /// Forgets the events of earlier ticks, which are not simulated again. Notices of them still wait.
    pub fn discard_before(&mut self, tick: Tick) {
        while self.first < tick && self.ticks.pop_front().is_some() {
            self.first += 1;
        }
        self.first = self.first.max(tick);
    }

    /// The next notice: a retraction at once, an event when `is_due` is true for its tick, such as when its state is drawn.
    pub fn next_notice(&mut self, is_due: impl Fn(Tick) -> bool) -> Option<Notice<E>> {
        let is_due = |notice: &Notice<E>| match notice {
            Notice::Happened { tick, .. } => is_due(*tick),
            Notice::Retracted { .. } => true,
        };
        let at = self.waiting.iter().position(is_due)?;
        self.waiting.remove(at)
    }

    /// How many notices were dropped because too many waited.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }
}

/// Removes an event from a list. Returns whether it was there.
fn remove<E: PartialEq>(events: &mut Vec<E>, event: &E) -> bool {
    let at = events.iter().position(|other| other == event);
    at.map(|at| events.remove(at)).is_some()
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

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::vec;

    use proptest::prelude::*;

    use super::*;

    fn take_all(reconciler: &mut EventReconciler<u8>, drawn: Tick) -> Vec<Notice<u8>> {
        core::iter::from_fn(|| reconciler.next_notice(|tick| tick < drawn)).collect()
    }

    #[test]
    fn of_too_many_notices_the_oldest_are_dropped_and_counted() {
        let mut reconciler = EventReconciler::new(2);
        (0..5).for_each(|tick| reconciler.replace(tick, &mut vec![tick as u8]));
        let ticks: Vec<_> = take_all(&mut reconciler, 9).iter().map(Notice::tick).collect();
        assert_eq!((ticks, reconciler.dropped()), (vec![3, 4], 3));
    }

    #[test]
    fn a_dropped_notice_is_given_again_if_its_tick_is_simulated_again() {
        let mut reconciler = EventReconciler::new(2);
        (0..3).for_each(|tick| reconciler.replace(tick, &mut vec![tick as u8]));
        assert_eq!(take_all(&mut reconciler, 9).len(), 2, "the event of tick 0 is dropped");
        reconciler.replace(0, &mut vec![]);
        assert_eq!(take_all(&mut reconciler, 9), [], "it was not reported");
        reconciler.replace(0, &mut vec![0]);
        assert_eq!(take_all(&mut reconciler, 9), [Notice::Happened { tick: 0, event: 0 }]);
        // The retraction of the event of tick 1 is dropped.
        (1..5).for_each(|tick| reconciler.replace(tick, &mut vec![7]));
        let reported = take_all(&mut reconciler, 9);
        assert!(reported.iter().all(|notice| notice.tick() >= 3), "{reported:?}");
        reconciler.replace(1, &mut vec![]);
        assert_eq!(take_all(&mut reconciler, 9), [Notice::Retracted { tick: 1, event: 1 }]);
    }

    #[test]
    fn the_ticks_before_a_discarded_one_are_forgotten_and_no_other() {
        for discarded in 4..=9 {
            let mut reconciler = EventReconciler::new(16);
            (5..8).for_each(|tick| reconciler.replace(tick, &mut vec![1]));
            assert_eq!(take_all(&mut reconciler, 9).len(), 3);
            reconciler.discard_before(discarded);
            for tick in 5..8 {
                reconciler.replace(tick, &mut vec![]);
                let gone = Notice::Retracted { tick, event: 1 };
                let expected = if tick < discarded { vec![] } else { vec![gone] };
                assert_eq!(
                    take_all(&mut reconciler, 9),
                    expected,
                    "tick {tick}, discarded before {discarded}"
                );
            }
            reconciler.replace(discarded, &mut vec![2]);
            assert_eq!(take_all(&mut reconciler, 99).len(), 1, "tick {discarded} still happens");
        }
    }

    proptest! {
        #[test]
        fn reported_events_are_retracted_at_most_once_at_any_capacity(
            capacity in prop_oneof![0..4_usize, Just(16)], calls in prop::collection::vec((0..5_u64, prop::collection::vec(0..3_u8, 0..4), 0..4_usize), 1..60),
        ) {
            let mut reconciler = EventReconciler::new(capacity);
            let mut reported = BTreeMap::<(Tick, u8), i32>::new();
            // In the end the listener keeps up.
            let last = (0..5).map(|tick| (tick, vec![0, 1], usize::MAX));
            for (tick, mut events, taken) in calls.into_iter().chain([(0, vec![0, 1], usize::MAX)]).chain(last) {
                reconciler.replace(tick, &mut events);
                for notice in core::iter::from_fn(|| reconciler.next_notice(|_| true)).take(taken) {
                    let (happened, Notice::Happened { tick, event } | Notice::Retracted { tick, event }) =
                        (matches!(notice, Notice::Happened { .. }), notice);
                    let count = reported.entry((tick, event)).or_default();
                    *count += if happened { 1 } else { -1 };
                    prop_assert!(*count >= 0, "retracted and not reported");
                }
            }
            for tick in (0..5).filter(|_| capacity == 16) {
                let counts = [0, 1, 2].map(|event| reported.get(&(tick, event)).copied().unwrap_or(0));
                prop_assert_eq!(counts, [1, 1, 0]);
            }
        }

        #[test]
        fn reported_events_less_retracted_ones_are_those_of_the_last_simulation(
            rollbacks in prop::collection::vec((0..6_u64, prop::collection::vec(prop::collection::vec(0..3_u8, 0..4), 6)), 1..20),
            drawn_behind in 0..3_u64,
        ) {
            let mut reconciler = EventReconciler::new(1_000);
            let (mut last, mut reported) = (BTreeMap::new(), BTreeMap::<(Tick, u8), i32>::new());
            let mut present = 0;
            for (back, ticks) in rollbacks {
                let first = u64::saturating_sub(present, back);
                for (tick, events) in (first..).zip(ticks) {
                    last.insert(tick, events.clone());
                    reconciler.replace(tick, &mut events.clone());
                    present = present.max(tick + 1);
                }
                reconciler.discard_before(present.saturating_sub(6));
                for notice in take_all(&mut reconciler, present.saturating_sub(drawn_behind)) {
                    let count = match notice {
                        Notice::Happened { tick, event } => (reported.entry((tick, event)).or_default(), 1),
                        Notice::Retracted { tick, event } => (reported.entry((tick, event)).or_default(), -1),
                    };
                    *count.0 += count.1;
                    prop_assert!(*count.0 >= 0, "retracted before it was reported");
                }
            }
            take_all(&mut reconciler, Tick::MAX).into_iter().for_each(|notice| match notice {
                Notice::Happened { tick, event } => *reported.entry((tick, event)).or_default() += 1,
                Notice::Retracted { tick, event } => *reported.entry((tick, event)).or_default() -= 1,
            });
            for (tick, events) in last {
                for event in events {
                    *reported.entry((tick, event)).or_default() -= 1;
                }
            }
            prop_assert!(reported.values().all(|count| *count == 0), "{reported:?}");
        }
    }
}

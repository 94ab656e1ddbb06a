//! Saved states of recent ticks, in memory that is reused.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::history::Rewind;
use crate::time::Tick;

/// The states before recent ticks, at most a given number of them.
///
/// [`History`](crate::history::History) keeps its states in one and adds inputs. Use it directly where something
/// else keeps the inputs: a rollback session, a client with the inputs of all players.
///
/// - When a state is added, states of the same tick and of later ones are forgotten: the simulation went back, and they are
///   no longer true.
/// - When there are too many, the oldest is forgotten.
/// - [`save`](Self::save) writes into the memory of a forgotten state ([`Rewind::save_into`]). There are never more states in
///   memory, with those forgotten, than the limit.
///
/// ```
/// use evenstep::history::SavedStates;
///
/// let mut states = SavedStates::new(3);
/// (0..5).for_each(|tick| states.push(tick, tick * tick));
/// assert_eq!(states.ticks().collect::<Vec<_>>(), [2, 3, 4]);
/// assert_eq!(states.get(3), Some(&9));
/// states.push(3, 10); // tick 2 was simulated again
/// assert_eq!(states.ticks().collect::<Vec<_>>(), [2, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct SavedStates<S> {
    max_states: usize,
    /// In the order of ticks.
    states: VecDeque<(Tick, S)>,
    /// Forgotten states, whose memory the next ones reuse.
    spares: Vec<S>,
}

impl<S: PartialEq> PartialEq for SavedStates<S> {
    fn eq(&self, other: &Self) -> bool {
        self.max_states == other.max_states && self.states == other.states
    }
}

impl<S> Default for SavedStates<S> {
    /// Keeps no state.
    fn default() -> Self {
        Self::new(0)
    }
}

impl<S> SavedStates<S> {
    /// No states yet, and room for `max_states`; with room for none, none is kept.
    #[must_use]
    pub const fn new(max_states: usize) -> Self {
        Self {
            max_states,
            states: VecDeque::new(),
            spares: Vec::new(),
        }
    }

    /// Changes how many states are kept. If there are more, the oldest are forgotten.
    pub fn set_max_states(&mut self, max_states: usize) {
        self.max_states = max_states;
        while self.states.len() > max_states {
            self.states.pop_front();
        }
        self.spares.truncate(max_states - self.states.len());
    }

    /// Saves the state before a tick.
    pub fn save<W: Rewind<Saved = S>>(&mut self, tick: Tick, world: &W) {
        self.retire_from(tick);
        while self.states.len() >= self.max_states {
            let Some((_, oldest)) = self.states.pop_front() else {
                return;
            };
            self.spares.push(oldest);
        }
        let saved = match self.spares.pop() {
            Some(mut saved) => {
                world.save_into(&mut saved);
                saved
            }
            None => world.save(),
        };
        self.states.push_back((tick, saved));
        self.spares.truncate(self.max_states - self.states.len());
    }

    /// Adds the state before a tick.
    pub fn push(&mut self, tick: Tick, state: S) {
        self.forget_from(tick);
        self.states.push_back((tick, state));
        if self.states.len() > self.max_states {
            self.states.pop_front();
        }
    }

    /// The state before a tick, if it is kept.
    #[must_use]
    pub fn get(&self, tick: Tick) -> Option<&S> {
        let place = self.states.binary_search_by_key(&tick, |(kept, _)| *kept).ok()?;
        Some(&self.states[place].1)
    }

    /// Removes and returns the state before a tick, if it is kept, and removes the states of later ticks.
    pub fn take(&mut self, tick: Tick) -> Option<S> {
        let place = self.states.binary_search_by_key(&tick, |(kept, _)| *kept).ok()?;
        self.states.truncate(place + 1);
        self.states.pop_back().map(|(_, state)| state)
    }

    /// Forgets the states before this tick and later ones.
    pub fn forget_from(&mut self, tick: Tick) {
        self.states.truncate(self.first_from(tick));
    }

    /// Forgets the states before ticks that are earlier than this one.
    pub fn forget_before(&mut self, tick: Tick) {
        self.states.drain(..self.first_from(tick));
    }

    /// Forgets the states before this tick and later ones, and keeps their memory for others.
    pub(super) fn retire_from(&mut self, tick: Tick) {
        let retired = self.states.drain(self.first_from(tick)..);
        self.spares.extend(retired.map(|(_, state)| state));
    }

    /// The place of the first state before this tick or a later one.
    fn first_from(&self, tick: Tick) -> usize {
        self.states.partition_point(|(kept, _)| *kept < tick)
    }

    /// The last tick up to this one whose state is kept.
    pub(super) fn newest_at(&self, tick: Tick) -> Option<Tick> {
        self.ticks().rev().find(|kept| *kept <= tick)
    }

    /// The ticks whose states are kept, oldest first.
    pub fn ticks(&self) -> impl DoubleEndedIterator<Item = Tick> + ExactSizeIterator {
        self.states.iter().map(|(tick, _)| *tick)
    }

    /// How many states are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether no state is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::step::Step;

    /// A world that counts the states for which it takes memory.
    #[derive(Default)]
    struct Counted {
        now: u64,
        made: Cell<u32>,
    }

    impl Rewind for Counted {
        type Saved = u64;
        type Input = ();

        fn save(&self) -> u64 {
            self.made.set(self.made.get() + 1);
            self.now
        }

        fn save_into(&self, saved: &mut u64) {
            *saved = self.now;
        }

        fn restore(&mut self, saved: &u64) {
            self.now = *saved;
        }

        fn step(&mut self, _: &Step, (): &()) {
            self.now += 1;
        }
    }

    #[test]
    fn fewer_states_keep_no_more_memory_than_their_number() {
        let (mut states, world) = (SavedStates::new(4), Counted::default());
        (0..4).for_each(|tick| states.save(tick, &world));
        states.save(0, &world); // the four of before are forgotten
        states.set_max_states(2);
        assert_eq!((states.states.len(), states.spares.len()), (1, 1));
    }

    #[test]
    fn a_state_that_is_added_replaces_those_of_its_tick_and_of_later_ones() {
        for tick in 2..6 {
            let mut states = SavedStates::new(8);
            (2..5).for_each(|tick| states.push(tick, tick));
            states.push(tick, 100);
            let expected: Vec<Tick> = (2..=tick).collect();
            assert_eq!(states.ticks().collect::<Vec<_>>(), expected);
            assert_eq!(states.get(tick), Some(&100));
            let mut forgotten = SavedStates::new(8);
            (2..5).for_each(|tick| forgotten.push(tick, tick));
            forgotten.forget_from(tick);
            assert_eq!(forgotten.ticks().count() as u64, tick.min(5) - 2);
        }
    }

    #[test]
    fn states_are_equal_if_their_number_their_ticks_and_values_are() {
        let of = |most: usize, states: &[(Tick, u64)]| {
            let mut all = SavedStates::new(most);
            states.iter().for_each(|(tick, state)| all.push(*tick, *state));
            all
        };
        let one = of(4, &[(1, 10), (2, 20)]);
        assert_eq!(one, of(4, &[(0, 0), (1, 10), (2, 20)].as_slice()[1..]));
        for other in [
            of(5, &[(1, 10), (2, 20)]),
            of(4, &[(1, 10)]),
            of(4, &[(1, 10), (2, 21)]),
            of(4, &[(1, 10), (3, 20)]),
        ] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn the_newest_states_are_kept_and_memory_is_taken_for_no_more() {
        let (mut states, mut world) = (SavedStates::new(4), Counted::default());
        for tick in 0..100 {
            world.now = 3 * tick;
            states.save(tick, &world);
            // Every tenth tick the last three are simulated again.
            if tick % 10 == 9 {
                for tick in tick - 2..=tick {
                    world.now = 3 * tick + 1;
                    states.save(tick, &world);
                    assert_eq!(states.ticks().next_back(), Some(tick));
                }
            }
        }
        assert_eq!(states.ticks().collect::<Vec<_>>(), [96, 97, 98, 99]);
        assert_eq!(
            (states.get(95), states.get(96), states.get(97)),
            (None, Some(&288), Some(&292))
        );
        assert_eq!(world.made.get(), 4);
    }

    #[test]
    fn fewer_states_are_kept_when_the_limit_is_lowered_and_none_when_it_is_zero() {
        let (mut states, world) = (SavedStates::new(8), Counted::default());
        (0..8).for_each(|tick| states.save(tick, &world));
        states.set_max_states(3);
        assert_eq!(states.ticks().collect::<Vec<_>>(), [5, 6, 7]);
        states.set_max_states(0);
        states.save(8, &world);
        states.push(9, 1);
        assert!(states.is_empty());
    }

    #[test]
    fn a_state_that_is_taken_is_gone_with_all_later_ones() {
        let mut states = SavedStates::new(9);
        (0..9).for_each(|tick| states.push(2 * tick, tick));
        assert_eq!((states.take(7), states.len()), (None, 9));
        assert_eq!((states.take(8), states.get(6), states.len()), (Some(4), Some(&3), 4));
        states.forget_before(3);
        assert_eq!(states.ticks().collect::<Vec<_>>(), [4, 6]);
        states.push(u64::MAX, 9);
        assert_eq!((states.take(u64::MAX), states.len()), (Some(9), 2));
    }
}

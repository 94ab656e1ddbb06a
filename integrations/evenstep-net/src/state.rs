//! Reassembles states from their fragments.

use std::collections::BTreeMap;

use evenstep::Tick;

use crate::message::{MAX_FRAGMENTS, ReceivedFragments};

/// The largest number of incomplete states: at 128 Hz the packets of a state may arrive 125 ms apart.
const MAX_INCOMPLETE_STATES: usize = 16;

/// Reassembles states from their fragments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reassembly {
    states: BTreeMap<Tick, Vec<Option<Vec<u8>>>>,
}

impl Reassembly {
    /// Adds a fragment. Returns the state if this was its last missing fragment, and discards older ones. Of more than sixteen incomplete
    /// states the oldest is discarded.
    pub(crate) fn insert(&mut self, tick: Tick, fragment: u16, fragments: u16, body: &[u8]) -> Option<Vec<u8>> {
        let (fragment, fragments) = (usize::from(fragment), usize::from(fragments).min(MAX_FRAGMENTS));
        if fragment >= fragments {
            return None;
        }
        let state = self.states.entry(tick).or_default();
        if state.len() != fragments {
            state.clear();
            state.resize(fragments, None);
        }
        state[fragment] = Some(body.to_vec());
        if state.iter().all(Option::is_some) {
            let newer = self.states.split_off(&tick.saturating_add(1));
            let state = std::mem::replace(&mut self.states, newer).remove(&tick);
            return state.map(|state| state.into_iter().flatten().flatten().collect());
        }
        if self.states.len() > MAX_INCOMPLETE_STATES {
            self.states.pop_first();
        }
        None
    }

    /// What has arrived of the newest incomplete state.
    pub(crate) fn newest(&self) -> Option<ReceivedFragments> {
        let (tick, fragments) = self.states.last_key_value()?;
        let first = fragments.iter().take_while(|fragment| fragment.is_some()).count();
        let next = fragments.iter().skip(first + 1).take(64).enumerate();
        let next = next.filter(|(_, fragment)| fragment.is_some());
        Some(ReceivedFragments {
            tick: *tick,
            // There are at most `MAX_FRAGMENTS`.
            first: first as u16,
            next: next.fold(0, |bits, (index, _)| bits | 1 << index),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_state_is_complete_with_its_last_fragment_unless_a_newer_one_was_or_sixteen_newer_ones_began(
            states in prop::collection::vec(1_usize..5, 1..40),
            order in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 0..300),
        ) {
            let mut reassembly = Reassembly::default();
            // The fragments that arrived of each state that is not discarded.
            let mut came = BTreeMap::<usize, u8>::new();
            let mut taken = None;
            for [state, fragment] in order {
                let state = state.index(states.len());
                let fragment = fragment.index(states[state]);
                if taken >= Some(state) {
                    // The client passes on none of these.
                    continue;
                }
                let bytes = |fragment: usize| vec![state as u8, fragment as u8];
                let whole = reassembly.insert(state as u64, fragment as u16, states[state] as u16, &bytes(fragment));
                let of_state = came.entry(state).or_default();
                *of_state |= 1 << fragment;
                let is_whole = *of_state == (1 << states[state]) - 1;
                prop_assert_eq!(whole, is_whole.then(|| (0..states[state]).flat_map(bytes).collect()));
                if is_whole {
                    taken = Some(state);
                    came.retain(|other, _| *other > state);
                } else if came.len() > 16 {
                    came.pop_first();
                }
                prop_assert!(reassembly.states.len() <= 16);
            }
        }
    }
}

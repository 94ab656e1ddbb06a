//! A state as bytes: the players that took part in the last step, what they did, and the state that came of it.

use std::marker::PhantomData;

use crate::game::{Game, PlayerId};
use crate::message::{MOST_PARTS, encode};

/// The state of a game after a tick, as its bytes.
#[derive(Clone, Debug)]
pub(crate) struct State<'a, G: Game> {
    /// What the players did in the last step.
    pub(crate) players: Vec<(PlayerId, G::Player)>,
    /// The saved state as bytes: equal states have equal bytes.
    pub(crate) saved: &'a [u8],
    game: PhantomData<G>,
}

impl<'a, G: Game> State<'a, G> {
    pub(crate) fn encode(players: &[(PlayerId, G::Player)], saved: &G::Saved) -> Vec<u8> {
        let mut bytes = encode(&(players.len() as u64));
        for player in players {
            bytes.extend(encode(player));
        }
        bytes.extend(encode(saved));
        bytes
    }

    pub(crate) fn decode(bytes: &'a [u8]) -> Option<Self> {
        let (count, mut saved) = postcard::take_from_bytes::<u64>(bytes).ok()?;
        let mut players = Vec::new();
        // A player takes at least a byte.
        for _ in 0..count.min(bytes.len() as u64 + 1) {
            let (player, left) = postcard::take_from_bytes(saved).ok()?;
            saved = left;
            players.push(player);
        }
        Some(Self {
            players,
            saved,
            game: PhantomData,
        })
    }

    pub(crate) fn saved(&self) -> Option<G::Saved> {
        postcard::take_from_bytes(self.saved)
            .ok()
            .and_then(|(saved, rest)| rest.is_empty().then_some(saved))
    }
}

/// The parts of the newest state, until all are there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    tick: u64,
    parts: Vec<Option<Vec<u8>>>,
}

impl Parts {
    /// Takes a part. Answers with the state when it was the last that was missing. A newer tick takes the place of an older one.
    pub(crate) fn put(&mut self, tick: u64, part: u8, parts: u8, body: &[u8]) -> Option<Vec<u8>> {
        let (part, parts) = (usize::from(part), usize::from(parts).min(MOST_PARTS));
        let is_older = !self.parts.is_empty() && tick < self.tick;
        if is_older || part >= parts {
            return None;
        }
        if tick != self.tick || self.parts.len() != parts {
            self.tick = tick;
            self.parts.clear();
            self.parts.resize(parts, None);
        }
        self.parts[part] = Some(body.to_vec());
        if self.parts.iter().any(Option::is_none) {
            return None;
        }
        Some(self.parts.drain(..).flatten().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_that_come_in_any_order_and_twice_are_the_newest_state_of_which_all_came(
            states in prop::collection::vec(1_usize..5, 1..4),
            order in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 0..60),
        ) {
            let (mut parts, mut newest) = (Parts::default(), None);
            let mut came = vec![0_u8; states.len()];
            for [state, part] in order {
                let state = state.index(states.len());
                let part = part.index(states[state]);
                let bytes = |part: usize| vec![state as u8, part as u8];
                let whole = parts.put(state as u64, part as u8, states[state] as u8, &bytes(part));
                if newest > Some(state) {
                    prop_assert_eq!(whole, None);
                    continue;
                }
                newest = Some(state);
                came[state] |= 1 << part;
                let is_whole = came[state] == (1 << states[state]) - 1;
                prop_assert_eq!(whole, is_whole.then(|| (0..states[state]).flat_map(bytes).collect()));
                if is_whole {
                    // It begins anew, and the client has its state.
                    return Ok(());
                }
            }
        }
    }
}

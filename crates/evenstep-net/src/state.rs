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

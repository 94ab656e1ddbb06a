//! Who has shown a token and has not answered its challenge yet.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use crate::token::{Token, TokenId};

/// So many wait at most; the oldest has to go.
const MOST_WAITING: usize = 4096;

/// So many wait with one token: whoever records a request and sends it from many addresses takes no place of others.
const MOST_OF_A_TOKEN: usize = 4;

/// It is waited for an answer so long.
const PATIENCE: Duration = Duration::from_secs(15);

/// One who has shown a token.
#[derive(Clone)]
pub(crate) struct Asker {
    pub(crate) token: Token,
    pub(crate) token_id: TokenId,
    /// Random bytes. Whoever sends them back has the token's keys, and is where it says.
    pub(crate) challenge: [u8; 32],
}

/// Those who wait, each at its address. It is bounded, and nobody waits for ever.
#[derive(Default)]
pub(crate) struct Lobby {
    askers: BTreeMap<SocketAddr, (u64, Asker)>,
    /// In the order in which they came, and when.
    order: BTreeMap<u64, (Duration, SocketAddr)>,
    tokens: BTreeSet<(TokenId, SocketAddr)>,
    came: u64,
}

impl Lobby {
    pub(crate) fn get(&self, from: SocketAddr) -> Option<&Asker> {
        self.askers.get(&from).map(|(_, asker)| asker)
    }

    /// Lets one wait who has come at `now`. None if too many wait with the same token.
    pub(crate) fn put(&mut self, now: Duration, from: SocketAddr, asker: Asker) -> Option<&Asker> {
        self.remove(from);
        let lowest = SocketAddr::from(([0; 4], 0));
        let of_token = self.tokens.range((asker.token_id, lowest)..);
        let of_token = of_token.take_while(|(token, _)| *token == asker.token_id);
        if of_token.count() >= MOST_OF_A_TOKEN {
            return None;
        }
        if self.askers.len() >= MOST_WAITING {
            self.remove_oldest();
        }
        self.came += 1;
        self.order.insert(self.came, (now, from));
        self.tokens.insert((asker.token_id, from));
        let (_, asker) = self.askers.entry(from).or_insert((self.came, asker));
        Some(asker)
    }

    pub(crate) fn remove(&mut self, from: SocketAddr) {
        if let Some((came, asker)) = self.askers.remove(&from) {
            self.order.remove(&came);
            self.tokens.remove(&(asker.token_id, from));
        }
    }

    fn remove_oldest(&mut self) {
        if let Some((_, (_, from))) = self.order.first_key_value() {
            self.remove(*from);
        }
    }

    /// Sends those away who have waited too long.
    pub(crate) fn advance(&mut self, now: Duration) {
        let is_late = |since: &Duration| since.saturating_add(PATIENCE) < now;
        while self
            .order
            .first_key_value()
            .is_some_and(|(_, (since, _))| is_late(since))
        {
            self.remove_oldest();
        }
    }
}

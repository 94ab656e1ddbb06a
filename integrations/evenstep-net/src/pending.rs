//! Who has shown a token and has not answered its challenge yet.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use crate::token::{Token, TokenId};

/// So many wait at most; the oldest has to go.
const MAX_PENDING: usize = 4096;

/// So many wait with one token: whoever records a request and sends it from many addresses takes no place of others.
const MAX_PENDING_PER_TOKEN: usize = 4;

/// It is waited for an answer so long.
const PENDING_TIMEOUT: Duration = Duration::from_secs(15);

/// One who has shown a token.
#[derive(Clone)]
pub(crate) struct PendingConnection {
    pub(crate) token: Token,
    pub(crate) token_id: TokenId,
    /// Random bytes. Whoever sends them back has the token's keys, and is where it says.
    pub(crate) challenge: [u8; 32],
}

/// Those who wait, each at its address. It is bounded, and nobody waits for ever.
#[derive(Default)]
pub(crate) struct PendingConnections {
    connections: BTreeMap<SocketAddr, (u64, PendingConnection)>,
    /// In the order in which they came, and when.
    by_arrival: BTreeMap<u64, (Duration, SocketAddr)>,
    by_token: BTreeSet<(TokenId, SocketAddr)>,
    arrivals: u64,
}

impl PendingConnections {
    pub(crate) fn get(&self, from: SocketAddr) -> Option<&PendingConnection> {
        self.connections.get(&from).map(|(_, connection)| connection)
    }

    /// Lets one wait who has come at `now`. None if too many wait with the same token.
    pub(crate) fn insert(
        &mut self,
        now: Duration,
        from: SocketAddr,
        connection: PendingConnection,
    ) -> Option<&PendingConnection> {
        self.remove(from);
        let lowest = SocketAddr::from(([0; 4], 0));
        let of_token = self.by_token.range((connection.token_id, lowest)..);
        let of_token = of_token.take_while(|(token, _)| *token == connection.token_id);
        if of_token.count() >= MAX_PENDING_PER_TOKEN {
            return None;
        }
        if self.connections.len() >= MAX_PENDING {
            self.remove_oldest();
        }
        self.arrivals += 1;
        self.by_arrival.insert(self.arrivals, (now, from));
        self.by_token.insert((connection.token_id, from));
        let (_, connection) = self.connections.entry(from).or_insert((self.arrivals, connection));
        Some(connection)
    }

    pub(crate) fn remove(&mut self, from: SocketAddr) {
        if let Some((arrivals, connection)) = self.connections.remove(&from) {
            self.by_arrival.remove(&arrivals);
            self.by_token.remove(&(connection.token_id, from));
        }
    }

    fn remove_oldest(&mut self) {
        if let Some((_, (_, from))) = self.by_arrival.first_key_value() {
            self.remove(*from);
        }
    }

    /// Sends those away who have waited too long.
    pub(crate) fn advance(&mut self, now: Duration) {
        let is_late = |since: &Duration| since.saturating_add(PENDING_TIMEOUT) < now;
        while self
            .by_arrival
            .first_key_value()
            .is_some_and(|(_, (since, _))| is_late(since))
        {
            self.remove_oldest();
        }
    }
}

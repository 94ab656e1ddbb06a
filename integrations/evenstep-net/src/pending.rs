//! Clients that have presented a connect token and have not answered the challenge yet.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use crate::token::{Token, TokenId};

/// The largest number of pending connections; beyond it the oldest is dropped.
const MAX_PENDING: usize = 4096;

/// The largest number of pending connections per token, so that replaying a recorded request from many addresses cannot displace others.
const MAX_PENDING_PER_TOKEN: usize = 4;

/// How long the response to a challenge is awaited.
const PENDING_TIMEOUT: Duration = Duration::from_secs(15);

/// A client that has presented a token.
#[derive(Clone)]
pub(crate) struct PendingConnection {
    pub(crate) token: Token,
    pub(crate) token_id: TokenId,
    /// Random bytes. A client that returns them holds the token's keys and receives packets at its stated address.
    pub(crate) challenge: [u8; 32],
}

/// Pending connections by address. Their number and age are bounded.
#[derive(Default)]
pub(crate) struct PendingConnections {
    connections: BTreeMap<SocketAddr, (u64, PendingConnection)>,
    /// Arrival time and address by arrival number.
    by_arrival: BTreeMap<u64, (Duration, SocketAddr)>,
    by_token: BTreeSet<(TokenId, SocketAddr)>,
    arrivals: u64,
}

impl PendingConnections {
    pub(crate) fn get(&self, from: SocketAddr) -> Option<&PendingConnection> {
        self.connections.get(&from).map(|(_, connection)| connection)
    }

    /// Adds a connection that arrived at `now`. Returns `None` if too many are pending with the same token.
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

    /// Drops connections that have been pending for too long.
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

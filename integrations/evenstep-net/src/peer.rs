//! The state of one connected player in a netcode filter.

use std::time::Duration;

use crate::counts::Counts;
use crate::game::PlayerId;
use crate::packet::{Key, Kind, ReplayWindow, seal};
use crate::token::Token;

pub(crate) struct Peer {
    pub(crate) id: PlayerId,
    pub(crate) to_server: Key,
    to_client: Key,
    /// The connection ends after a silence of this length; `None` for no timeout.
    pub(crate) timeout: Option<Duration>,
    /// The sequence number of the next packet to the player.
    sequence: u64,
    pub(crate) replay_window: ReplayWindow,
    pub(crate) last_received: Duration,
    pub(crate) last_sent: Duration,
    /// When the last packet that confirms the connection was sent.
    pub(crate) keep_alive_sent: Duration,
    /// Whether the client has confirmed that it knows about the connection.
    pub(crate) is_confirmed: bool,
    /// Whether a new connection of the same player or address is waiting.
    pub(crate) is_reconnecting: bool,
    pub(crate) counts: Counts,
}

impl Peer {
    /// Creates the state of a player that has just been admitted.
    pub(crate) fn new(token: &Token, timeout: Option<Duration>, now: Duration) -> Self {
        Self {
            id: token.player,
            to_server: token.to_server,
            to_client: token.to_client,
            timeout,
            sequence: 0,
            replay_window: ReplayWindow::new(),
            last_received: now,
            last_sent: now,
            keep_alive_sent: now,
            is_confirmed: false,
            is_reconnecting: false,
            counts: Counts::default(),
        }
    }

    pub(crate) fn seal(&mut self, out: &mut Vec<u8>, kind: Kind, body: &[u8], protocol: u64) {
        seal(out, kind, self.sequence, body, protocol, &self.to_client);
        self.sequence += 1;
    }

    /// Builds the packet that confirms the connection and keeps it alive.
    pub(crate) fn keep_alive(&mut self, now: Duration, max_players: usize, protocol: u64) -> Vec<u8> {
        let mut packet = Vec::new();
        // The client's slot index, which is not used here, and the number of slots.
        let mut body = [0; 8];
        body[4..].copy_from_slice(&(max_players as u32).to_le_bytes());
        self.seal(&mut packet, Kind::KeepAlive, &body, protocol);
        (self.last_sent, self.keep_alive_sent) = (now, now);
        packet
    }
}

//! Collects joins, leaves and messages between two ticks of a server, with a bound per player.

use std::collections::{BTreeMap, VecDeque};

use evenstep::SimTime;

use crate::game::PlayerId;
use crate::message::ClientMessage;

/// The largest number of messages that are kept per player and tick.
const MAX_MESSAGES: usize = 8;

/// Joins, leaves and messages that have arrived since the last tick, until a [`Server`](crate::Server)
/// [processes](crate::Server::receive_all) them.
///
/// Its size is bounded by eight messages per player, so a flood from one player costs no other player a message. When a player sends more,
/// the newest messages are kept: each repeats the inputs of the ones before.
#[derive(Clone, Debug)]
pub struct Inbox<P> {
    players: BTreeMap<PlayerId, PlayerInbox<P>>,
}

/// What has arrived from one player.
#[derive(Clone, Debug)]
struct PlayerInbox<P> {
    /// The server knows the player from an earlier tick.
    is_known_to_server: bool,
    /// The player has joined since the last tick.
    has_joined: bool,
    /// `None` if the player has left.
    messages: Option<VecDeque<(ClientMessage<P>, SimTime)>>,
}

/// An event that a server processes before a tick.
pub(crate) enum InboxEvent<P> {
    Joined,
    Left,
    Message(ClientMessage<P>, SimTime),
}

impl<P> Inbox<P> {
    /// Creates an inbox without players.
    #[must_use]
    pub const fn new() -> Self {
        let players = BTreeMap::new();
        Self { players }
    }

    /// Notes that a player has joined. If it had joined before, its earlier messages are forgotten and it joins again.
    pub fn join(&mut self, id: PlayerId) {
        let player = self.players.entry(id).or_insert(PlayerInbox {
            is_known_to_server: false,
            has_joined: true,
            messages: None,
        });
        player.has_joined = true;
        player.messages = Some(VecDeque::new());
    }

    /// Notes that a player has left.
    pub fn leave(&mut self, id: PlayerId) {
        if let Some(player) = self.players.get_mut(&id) {
            player.messages = None;
            if !player.is_known_to_server {
                self.players.remove(&id);
            }
        }
    }

    /// Adds a message that arrived when the server's simulated time was `simulated`. Returns whether nothing was dropped: false if the
    /// player is not there or an older message of it was dropped.
    pub fn push(&mut self, id: PlayerId, message: ClientMessage<P>, simulated: SimTime) -> bool {
        let player = self.players.get_mut(&id);
        let Some(messages) = player.and_then(|player| player.messages.as_mut()) else {
            return false;
        };
        let is_full = messages.len() >= MAX_MESSAGES;
        if is_full {
            messages.pop_front();
        }
        messages.push_back((message, simulated));
        !is_full
    }

    /// Removes all events, player by player.
    pub(crate) fn drain(&mut self, mut event: impl FnMut(PlayerId, InboxEvent<P>)) {
        self.players.retain(|id, player| {
            if player.is_known_to_server && (player.has_joined || player.messages.is_none()) {
                event(*id, InboxEvent::Left);
            }
            if let Some(messages) = &mut player.messages {
                if player.has_joined {
                    event(*id, InboxEvent::Joined);
                }
                for (message, simulated) in messages.drain(..) {
                    event(*id, InboxEvent::Message(message, simulated));
                }
            }
            player.has_joined = false;
            player.is_known_to_server = player.messages.is_some();
            player.is_known_to_server
        });
    }
}

impl<P> Default for Inbox<P> {
    fn default() -> Self {
        Self::new()
    }
}

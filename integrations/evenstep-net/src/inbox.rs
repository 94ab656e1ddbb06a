use std::collections::{BTreeMap, VecDeque};

use evenstep::SimTime;

use crate::game::PlayerId;
use crate::message::ClientMessage;

/// So many messages of a player are kept for a tick.
const MAX_MESSAGES: usize = 8;

/// What has come since the last tick, until a [`Server`](crate::Server) [takes](crate::Server::take) it: who came and went, and of
/// each player the last eight messages.
///
/// It is bounded, whatever comes for however long: by eight messages for each player. Nobody's flood costs another player a
/// message. Of too many messages of one player the newest are kept: each has the inputs of the ones before.
#[derive(Clone, Debug)]
pub struct Inbox<P> {
    players: BTreeMap<PlayerId, PlayerInbox<P>>,
}

/// What has come of a player.
#[derive(Clone, Debug)]
struct PlayerInbox<P> {
    /// It takes part at the server, from an earlier tick on.
    is_known_to_server: bool,
    /// It joined since the last tick.
    has_joined: bool,
    /// None if it is gone.
    messages: Option<VecDeque<(ClientMessage<P>, SimTime)>>,
}

/// What a server is told before a tick.
pub(crate) enum InboxEvent<P> {
    Joined,
    Left,
    Message(ClientMessage<P>, SimTime),
}

impl<P> Inbox<P> {
    /// Nobody is there.
    #[must_use]
    pub const fn new() -> Self {
        let players = BTreeMap::new();
        Self { players }
    }

    /// A player has come. If it was there it is there anew: what it did before is forgotten.
    pub fn join(&mut self, id: PlayerId) {
        let player = self.players.entry(id).or_insert(PlayerInbox {
            is_known_to_server: false,
            has_joined: true,
            messages: None,
        });
        player.has_joined = true;
        player.messages = Some(VecDeque::new());
    }

    /// A player is gone.
    pub fn leave(&mut self, id: PlayerId) {
        if let Some(player) = self.players.get_mut(&id) {
            player.messages = None;
            if !player.is_known_to_server {
                self.players.remove(&id);
            }
        }
    }

    /// A message of a player has come when the server's simulated time was `simulated`. Answers with whether nothing was lost: false
    /// if the player is not there, or an older message of it had to go.
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

    /// Hands on all that has come, player by player.
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

use std::collections::{BTreeMap, VecDeque};

use evenstep::SimTime;

use crate::game::PlayerId;
use crate::message::FromClient;

/// So many messages of a player are kept for a tick.
const MOST_MESSAGES: usize = 8;

/// What has come since the last tick, until a [`Server`](crate::Server) [takes](crate::Server::take) it: who came and went, and of
/// each player the last eight messages.
///
/// It is bounded, whatever comes for however long: by eight messages for each player. Nobody's flood costs another player a
/// message. Of too many messages of one player the newest are kept: each has the inputs of the ones before.
#[derive(Clone, Debug)]
pub struct Inbox<P> {
    players: BTreeMap<PlayerId, Arrivals<P>>,
}

/// What has come of a player.
#[derive(Clone, Debug)]
struct Arrivals<P> {
    /// It takes part at the server, from an earlier tick on.
    takes_part: bool,
    /// It joined since the last tick.
    has_joined: bool,
    /// None if it is gone.
    messages: Option<VecDeque<(FromClient<P>, SimTime)>>,
}

/// What a server is told before a tick.
pub(crate) enum Told<P> {
    Joined,
    Left,
    Message(FromClient<P>, SimTime),
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
        let player = self.players.entry(id).or_insert(Arrivals {
            takes_part: false,
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
            if !player.takes_part {
                self.players.remove(&id);
            }
        }
    }

    /// A message of a player has come when the server's simulated time was `simulated`. Answers with whether nothing was lost: false
    /// if the player is not there, or an older message of it had to go.
    pub fn put(&mut self, id: PlayerId, message: FromClient<P>, simulated: SimTime) -> bool {
        let player = self.players.get_mut(&id);
        let Some(messages) = player.and_then(|player| player.messages.as_mut()) else {
            return false;
        };
        let is_full = messages.len() >= MOST_MESSAGES;
        if is_full {
            messages.pop_front();
        }
        messages.push_back((message, simulated));
        !is_full
    }

    /// Hands on all that has come, player by player.
    pub(crate) fn empty(&mut self, mut tell: impl FnMut(PlayerId, Told<P>)) {
        self.players.retain(|id, player| {
            if player.takes_part && (player.has_joined || player.messages.is_none()) {
                tell(*id, Told::Left);
            }
            if let Some(messages) = &mut player.messages {
                if player.has_joined {
                    tell(*id, Told::Joined);
                }
                for (message, simulated) in messages.drain(..) {
                    tell(*id, Told::Message(message, simulated));
                }
            }
            player.has_joined = false;
            player.takes_part = player.messages.is_some();
            player.takes_part
        });
    }
}

impl<P> Default for Inbox<P> {
    fn default() -> Self {
        Self::new()
    }
}

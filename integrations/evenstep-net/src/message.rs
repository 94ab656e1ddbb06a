//! The messages between server and clients. The program serializes and sends them.

use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use evenstep::{Rate, Tick};

use crate::game::{PlayerId, TickInput};
use crate::sync::InputReport;

/// What a client is: in its messages until a state of the server has arrived. [`Server::receive`](crate::Server::receive) checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hello {
    /// The player that the client predicts.
    pub player: PlayerId,
    /// The rate of its steps.
    pub rate: Rate,
}

/// Why a server refuses the messages of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HelloError {
    /// Client and server step at different rates.
    Rate {
        /// The client's rate.
        client: Rate,
        /// The server's rate.
        server: Rate,
    },
    /// The client predicts another player than that of its connection.
    Player {
        /// The player that the client predicts.
        client: PlayerId,
        /// The player that the server knows the connection by.
        connection: PlayerId,
    },
    /// The first message of a connection has no [`Hello`]: the client was connected before.
    Missing,
}

impl Hello {
    /// Checks it against the connection's player and the server's rate.
    pub(crate) fn check(self, connection: PlayerId, server: Rate) -> Result<(), HelloError> {
        let (client, player) = (self.rate, self.player);
        if client != server {
            return Err(HelloError::Rate { client, server });
        }
        if player != connection {
            let client = player;
            return Err(HelloError::Player { client, connection });
        }
        Ok(())
    }
}

impl fmt::Display for HelloError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate { client, server } => {
                write!(
                    f,
                    "the client steps at {client}, the server at {server}; give both the same rate"
                )
            }
            Self::Player { client, connection } => write!(
                f,
                "the client predicts player {client} on the connection of player {connection}; give `Client::new` the server's id of the connection"
            ),
            Self::Missing => {
                f.write_str("the first message does not say who the client is; create a new `Client` to reconnect")
            }
        }
    }
}

impl core::error::Error for HelloError {}

/// The message of a client: its clock, the newest state that it has, and its player's inputs for the last ticks.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClientMessage<P> {
    /// What the client is, until a state of the server has arrived.
    pub hello: Option<Hello>,
    /// When the message was sent, on the client's clock.
    pub sent: Duration,
    /// The tick of the newest state that has arrived.
    pub confirmed: Option<Tick>,
    /// The tick of the first input.
    pub first: Tick,
    /// The inputs of consecutive ticks. A server takes the first 64.
    pub inputs: Vec<P>,
}

/// The message of a server to one client: the state after a tick, and timing information.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ServerMessage<S, P> {
    /// The number of steps that led to the state.
    pub tick: Tick,
    /// The game's state. It is the same for all clients, so it can be serialized once. What a player may not see can be taken out of
    /// it: the client predicts from it as if it were the whole state.
    pub saved: S,
    /// The players of the last step and their inputs, ordered by id.
    pub players: Vec<TickInput<P>>,
    /// The timestamps of the client's last message.
    pub echo: Echo,
    /// How early the client's last inputs arrived.
    pub reports: Vec<InputReport>,
}

/// The server's part of a [`Pong`](crate::Pong).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Echo {
    /// When the client sent its message, on the client's clock.
    pub sent: Duration,
    /// When the server received it, on the server's clock.
    pub received: Duration,
    /// When the server replied, on the server's clock.
    pub replied: Duration,
    /// The server's simulated time when it replied.
    pub simulated: Duration,
}

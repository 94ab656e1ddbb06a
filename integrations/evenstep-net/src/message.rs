//! The messages between server and clients. The program serializes and sends them.

use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use evenstep::{Rate, Tick};

use crate::game::{PlayerId, TickInput};
use crate::sync::{InputReport, Pong};

/// What a client is: in each of its messages. [`Server::receive`](crate::Server::receive) checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hello {
    /// The player that the client predicts.
    pub player: PlayerId,
    /// The rate of its steps.
    pub rate: Rate,
}

/// A client is not who the server takes it for: it steps at another rate, or predicts another player than its connection's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HelloError {
    /// What the client is.
    pub client: Hello,
    /// What it should be.
    pub server: Hello,
}

impl fmt::Display for HelloError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { client, server } = self;
        write!(
            f,
            "the client is player {} at {}, for the server player {} at {}; give `Client::new` the server's values",
            client.player, client.rate, server.player, server.rate
        )
    }
}

impl core::error::Error for HelloError {}

/// The message of a client: its clock, the newest state that it has, and its player's inputs for the last ticks.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClientMessage<P> {
    /// What the client is.
    pub hello: Hello,
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
    /// The reply to the client's last message. The client fills in when it arrived.
    pub pong: Pong,
    /// How early the client's last inputs arrived.
    pub reports: Vec<InputReport>,
}

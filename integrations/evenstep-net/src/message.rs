//! The messages between server and clients. The program serializes and sends them.

use alloc::vec::Vec;
use core::time::Duration;

use evenstep::Tick;

use crate::game::PlayerId;
use crate::sync::InputReport;

/// The message of a client: its clock, the newest state that it has, and its player's inputs for the last ticks.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClientMessage<P> {
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
    pub players: Vec<(PlayerId, P)>,
    /// The timestamps of the client's last message; none before the first.
    pub echo: Option<Echo>,
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

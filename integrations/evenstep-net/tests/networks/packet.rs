//! The contents of a packet between the machines.

use std::time::Duration;

use evenstep::Tick;
use evenstep_net::{InputReport, Pong};

/// The content of one packet.
#[derive(Clone, Debug, Default)]
pub(super) struct Packet {
    /// The inputs of these ticks, the newest last: also those of earlier packets, in case they were lost.
    pub(super) inputs: Vec<Tick>,
    /// When the packet was sent, on the sender's clock, if it asks for a pong.
    pub(super) ping: Option<Duration>,
    /// The answer to a ping. The receiver fills in when it arrived.
    pub(super) pong: Option<Pong>,
    /// How early the last inputs were.
    pub(super) reports: Vec<InputReport>,
}

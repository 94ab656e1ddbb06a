//! The messages between server and clients. Decoding accepts any bytes and never panics.

use evenstep::Tick;
use evenstep::network::InputReport;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The largest number of inputs in a message, equal to the number that a server keeps.
pub(crate) const MAX_INPUTS: usize = 64;

/// The largest size of the inputs in a message. Together with the rest it stays below the 1300 bytes that a packet holds.
pub(crate) const MAX_INPUT_BYTES: usize = 1200;

/// The largest size of one input of a player.
pub(crate) const MAX_PLAYER_BYTES: usize = 64;

/// The largest number of reports in a message.
pub(crate) const MAX_REPORTS: usize = 16;

/// The largest size of a fragment of a state. Together with the rest it stays below the 1300 bytes that a packet holds.
pub(crate) const FRAGMENT_BYTES: usize = 900;

/// The largest number of fragments of a state: more than the largest number of values takes, whatever they are.
pub(crate) const MAX_FRAGMENTS: usize = 16_384;

/// The message of a client: its clock, the states that it has, and its player's inputs for the last ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientMessage<P> {
    /// When the message was sent, in nanoseconds on the client's clock.
    pub sent: u64,
    /// What has arrived of the server's states.
    pub received: ReceivedStates,
    /// The tick of the first input.
    pub first: Tick,
    /// The inputs of consecutive ticks, at most 64.
    pub inputs: Vec<P>,
}

/// What has arrived at a client of the server's states. The default is that nothing has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivedStates {
    /// The tick of the newest complete state: the next ones can be sent as their differences from it.
    pub complete: Option<Tick>,
    /// A newer state of which fragments are missing.
    pub partial: Option<ReceivedFragments>,
}

/// Which fragments of a state have arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivedFragments {
    /// The tick of the state.
    pub tick: Tick,
    /// The number of fragments before the first missing one.
    pub first: u16,
    /// For each of the 64 fragments after the first missing one whether it has arrived, from the lowest bit on.
    pub next: u64,
}

/// The message of a server after each tick: a fragment of a state and timing information for the client.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerMessage<'a> {
    /// The number of steps that led to the state.
    pub tick: Tick,
    /// The tick of the state that it is a difference from; none if it is whole.
    pub before: Option<Tick>,
    /// The index of the fragment.
    pub fragment: u16,
    /// The number of fragments of the state, at most 16 384; zero in a message without one.
    pub fragments: u16,
    /// The timestamps of the client's last message.
    pub echo: Option<Echo>,
    /// How early the client's last inputs arrived, at most sixteen reports.
    pub reports: Vec<InputReport>,
    /// The bytes of the fragment.
    pub body: &'a [u8],
}

/// The server's part of a [`Pong`](evenstep::network::Pong), in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Echo {
    /// When the client sent its message, on the client's clock.
    pub sent: u64,
    /// When the server received it, on the server's clock.
    pub received: u64,
    /// When the server replied, on the server's clock.
    pub replied: u64,
    /// The server's simulated time when it replied.
    pub simulated: u64,
}

impl<P: Copy + Serialize + DeserializeOwned> ClientMessage<P> {
    /// Encodes the message. Inputs beyond the first 64 are left out.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let inputs = &self.inputs[..self.inputs.len().min(MAX_INPUTS)];
        let mut bytes = encode(&(self.sent, self.received, self.first, inputs.len() as u8));
        for input in inputs {
            bytes.extend(encode(input));
        }
        bytes
    }

    /// Decodes untrusted bytes. Returns `None` if they are not exactly one message, or if a tick would overflow.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        type Head = (u64, ReceivedStates, Tick, u8);
        let ((sent, received, first, count), mut rest) = postcard::take_from_bytes::<Head>(bytes).ok()?;
        if usize::from(count) > MAX_INPUTS || first.checked_add(count.into()).is_none() {
            return None;
        }
        let mut inputs = Vec::with_capacity(count.into());
        for _ in 0..count {
            let (input, left) = postcard::take_from_bytes(rest).ok()?;
            rest = left;
            inputs.push(input);
        }
        rest.is_empty().then_some(Self {
            sent,
            received,
            first,
            inputs,
        })
    }
}

impl<'a> ServerMessage<'a> {
    /// Encodes the message. Reports beyond the first sixteen are left out.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let reports = &self.reports[..self.reports.len().min(MAX_REPORTS)];
        let place = (self.tick, self.before, self.fragment, self.fragments);
        let mut bytes = encode(&(place, self.echo, reports.len() as u8));
        for report in reports {
            bytes.extend(encode(report));
        }
        bytes.extend(self.body);
        bytes
    }

    /// Decodes untrusted bytes. Returns `None` if they are not a message.
    #[must_use]
    pub fn decode(bytes: &'a [u8]) -> Option<Self> {
        type Place = (Tick, Option<Tick>, u16, u16);
        type Head = (Place, Option<Echo>, u8);
        let ((place, echo, count), mut body) = postcard::take_from_bytes::<Head>(bytes).ok()?;
        let (tick, before, fragment, fragments) = place;
        let is_place = usize::from(fragments) <= MAX_FRAGMENTS && fragment < fragments.max(1);
        if usize::from(count) > MAX_REPORTS || !is_place {
            return None;
        }
        let mut reports = Vec::with_capacity(count.into());
        for _ in 0..count {
            let (report, left) = postcard::take_from_bytes(body).ok()?;
            body = left;
            reports.push(report);
        }
        (body.len() <= FRAGMENT_BYTES).then_some(Self {
            tick,
            before,
            fragment,
            fragments,
            echo,
            reports,
            body,
        })
    }
}

/// Serializes a value; empty if the type's own serialization fails.
pub(crate) fn encode<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

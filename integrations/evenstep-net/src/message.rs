//! What server and clients tell each other. Decoding is total: bytes are a message, or they are not.

use evenstep::Tick;
use evenstep::network::InputReport;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// So many inputs are in a message at most: those that a server keeps.
pub(crate) const MAX_INPUTS: usize = 64;

/// So many bytes they take at most. With all else it is less than the 1300 bytes that a packet holds.
pub(crate) const MAX_INPUT_BYTES: usize = 1200;

/// What a player does in a tick takes so many.
pub(crate) const MAX_PLAYER_BYTES: usize = 64;

/// So many reports are in a message.
pub(crate) const MAX_REPORTS: usize = 16;

/// So many bytes of a state are in a message. With all else it is less than the 1300 bytes that a packet holds.
pub(crate) const FRAGMENT_BYTES: usize = 900;

/// A state has so many parts.
pub(crate) const MAX_FRAGMENTS: usize = 64;

/// What a client sends: its clock, and what its player does in its last ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientMessage<P> {
    /// When it was sent, in nanoseconds on the client's clock.
    pub sent: u64,
    /// The tick of the first input.
    pub first: Tick,
    /// The inputs of the ticks from there on, at most 64.
    pub inputs: Vec<P>,
}

/// What a server sends after each tick: a part of its state, and what helps a client to be in step.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerMessage<'a> {
    /// How many steps led to the state.
    pub tick: Tick,
    /// Which part of the state it is, and of how many.
    pub fragment: u8,
    /// At least one, at most 64.
    pub fragments: u8,
    /// The answer to the client's last message.
    pub echo: Option<Echo>,
    /// How early the client's last inputs arrived, at most sixteen.
    pub reports: Vec<InputReport>,
    /// The part's bytes.
    pub body: &'a [u8],
}

/// The server's half of a [`Pong`](evenstep::network::Pong), in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Echo {
    /// When the client sent, on its own clock.
    pub sent: u64,
    /// When the server received that, on the server's clock.
    pub received: u64,
    /// When it answered.
    pub replied: u64,
    /// The simulated time at the server then.
    pub simulated: u64,
}

impl<P: Copy + Serialize + DeserializeOwned> ClientMessage<P> {
    /// As bytes. Of more inputs than fit the first ones are sent.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let inputs = &self.inputs[..self.inputs.len().min(MAX_INPUTS)];
        let mut bytes = encode(&(self.sent, self.first, inputs.len() as u8));
        for input in inputs {
            bytes.extend(encode(input));
        }
        bytes
    }

    /// From bytes that anybody may have sent. None if they are not exactly a message, or ticks are beyond the last.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let ((sent, first, count), mut rest) = postcard::take_from_bytes::<(u64, Tick, u8)>(bytes).ok()?;
        if usize::from(count) > MAX_INPUTS || first.checked_add(count.into()).is_none() {
            return None;
        }
        let mut inputs = Vec::with_capacity(count.into());
        for _ in 0..count {
            let (input, left) = postcard::take_from_bytes(rest).ok()?;
            rest = left;
            inputs.push(input);
        }
        rest.is_empty().then_some(Self { sent, first, inputs })
    }
}

impl<'a> ServerMessage<'a> {
    /// As bytes. Of more reports than fit the first ones are sent.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let reports = &self.reports[..self.reports.len().min(MAX_REPORTS)];
        let mut bytes = encode(&(self.tick, self.fragment, self.fragments, self.echo, reports.len() as u8));
        for report in reports {
            bytes.extend(encode(report));
        }
        bytes.extend(self.body);
        bytes
    }

    /// From bytes that anybody may have sent. None if they are not a message.
    #[must_use]
    pub fn decode(bytes: &'a [u8]) -> Option<Self> {
        type Head = (Tick, u8, u8, Option<Echo>, u8);
        let ((tick, fragment, fragments, echo, count), mut body) = postcard::take_from_bytes::<Head>(bytes).ok()?;
        if usize::from(count) > MAX_REPORTS || usize::from(fragments) > MAX_FRAGMENTS || fragment >= fragments {
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
            fragment,
            fragments,
            echo,
            reports,
            body,
        })
    }
}

/// As bytes; none if a type's own serialization fails.
pub(crate) fn encode<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

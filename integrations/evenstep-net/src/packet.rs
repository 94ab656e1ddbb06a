//! What can be told of a packet of netcode 1.02 without its key.

use renetcode::NETCODE_MAX_PACKET_BYTES;

/// No datagram is longer.
pub(crate) const DATAGRAM_BYTES: usize = 1 << 16;

/// The packet that says goodbye is sent so often: it may be lost.
pub(crate) const GOODBYES: usize = 3;

/// The code that authenticates a packet takes so many bytes.
const MAC_BYTES: usize = 16;

/// A request to connect is exactly so long: version, protocol, time of expiry, nonce, token.
const REQUEST_BYTES: usize = 1 + 13 + 8 + 8 + 24 + 1024;

const REQUEST: u8 = 0;
const PAYLOAD: u8 = 5;
const LAST: u8 = 6;

/// So many packets are remembered, as by renetcode.
const REMEMBERED: u64 = 256;

/// The first bytes of a packet: its kind, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    kind: u8,
    pub(crate) number: u64,
}

impl Header {
    /// None for what cannot be a packet. renetcode 2.0.0 panics at numbers of more than eight bytes, at packets too short for
    /// their number, and, where overflows are checked, at numbers near the last: what has no header must not reach it.
    pub(crate) fn read(packet: &[u8]) -> Option<Self> {
        let (first, rest) = packet.split_first()?;
        let (kind, length) = (first & 0xf, usize::from(first >> 4));
        if kind > LAST || packet.len() > NETCODE_MAX_PACKET_BYTES {
            return None;
        }
        if kind == REQUEST {
            return (packet.len() == REQUEST_BYTES).then_some(Self { kind, number: 0 });
        }
        let bytes = rest.get(..length).filter(|bytes| bytes.len() <= 8)?;
        let number = bytes
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u64::from(*byte));
        let is_whole = rest.len() >= length + MAC_BYTES;
        (is_whole && number < u64::MAX - REMEMBERED).then_some(Self { kind, number })
    }

    /// Whether it carries a message.
    pub(crate) const fn is_payload(self) -> bool {
        self.kind == PAYLOAD
    }
}

/// The numbers of the last packets of a client that had a message in them.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    newest: u64,
    numbers: [Option<u64>; REMEMBERED as usize],
}

impl Seen {
    pub(crate) const fn new() -> Self {
        Self {
            newest: 0,
            numbers: [None; REMEMBERED as usize],
        }
    }

    /// Whether a packet came before, or is too old to know.
    pub(crate) fn contains(&self, number: u64) -> bool {
        let is_old = number.saturating_add(REMEMBERED) <= self.newest;
        is_old || self.numbers[(number % REMEMBERED) as usize] == Some(number)
    }

    pub(crate) fn add(&mut self, number: u64) {
        self.newest = self.newest.max(number);
        self.numbers[(number % REMEMBERED) as usize] = Some(number);
    }
}

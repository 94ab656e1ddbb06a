//! The packets of netcode 1.02, as a server reads and writes them.

use chacha20poly1305::{AeadInPlace, ChaCha20Poly1305, KeyInit, Nonce, Tag};
use renetcode::NETCODE_MAX_PACKET_BYTES;

/// No datagram is longer.
pub(crate) const DATAGRAM_BYTES: usize = 1 << 16;

/// The packet that says goodbye is sent so often: it may be lost.
pub(crate) const DISCONNECT_PACKETS: usize = 3;

/// A key that one connection uses in one direction.
pub(crate) type Key = [u8; 32];

/// With its zero, as it is in packets.
pub(crate) const VERSION: &[u8; 13] = b"NETCODE 1.02\0";

/// The code that authenticates a packet takes so many bytes.
pub(crate) const MAC_BYTES: usize = 16;

/// A request to connect is exactly so long: kind, version, protocol, time of expiry, nonce, token.
pub(crate) const REQUEST_BYTES: usize = 1 + 13 + 8 + 8 + 24 + 1024;

/// So many packets are remembered, as by renetcode.
const REPLAY_WINDOW: u64 = 256;

/// What a packet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Request,
    Denied,
    Challenge,
    Response,
    KeepAlive,
    Payload,
    Disconnect,
}

const KINDS: [Kind; 7] = [
    Kind::Request,
    Kind::Denied,
    Kind::Challenge,
    Kind::Response,
    Kind::KeepAlive,
    Kind::Payload,
    Kind::Disconnect,
];

/// The first bytes of a packet: its kind, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    pub(crate) sequence: u64,
    /// How many bytes it takes.
    length: usize,
}

impl Header {
    /// None for what cannot be a packet. A client needs this too: renetcode 2.0.0 panics at numbers of more than eight bytes, at
    /// packets too short for their number, and, where overflows are checked, at numbers near the last.
    pub(crate) fn read(packet: &[u8]) -> Option<Self> {
        let (first, rest) = packet.split_first()?;
        let (kind, digits) = (*KINDS.get(usize::from(first & 0xf))?, usize::from(first >> 4));
        if packet.len() > NETCODE_MAX_PACKET_BYTES {
            return None;
        }
        if kind == Kind::Request {
            let (sequence, length) = (0, 1);
            return (packet.len() == REQUEST_BYTES).then_some(Self { kind, sequence, length });
        }
        let bytes = rest.get(..digits).filter(|bytes| bytes.len() <= 8)?;
        let sequence = bytes
            .iter()
            .rev()
            .fold(0, |sequence, byte| sequence << 8 | u64::from(*byte));
        let length = 1 + digits;
        let is_whole = packet.len() >= length + MAC_BYTES;
        (is_whole && sequence < u64::MAX - REPLAY_WINDOW).then_some(Self { kind, sequence, length })
    }
}

/// What a sealed packet holds; none if it was not sealed with this key, or was changed since.
pub(crate) fn open<'a>(packet: &'a mut [u8], header: Header, protocol: u64, key: &Key) -> Option<&'a [u8]> {
    let data = additional(packet[0], protocol);
    let sealed = packet.get_mut(header.length..)?;
    let (body, mac) = sealed.split_at_mut_checked(sealed.len().checked_sub(MAC_BYTES)?)?;
    let cipher = ChaCha20Poly1305::new(key.into());
    let mac = Tag::from_slice(mac);
    let opened = cipher.decrypt_in_place_detached(&nonce(header.sequence), &data, body, mac);
    opened.is_ok().then_some(body)
}

/// Seals a packet. No number may be used twice with a key.
pub(crate) fn seal(out: &mut Vec<u8>, kind: Kind, sequence: u64, body: &[u8], protocol: u64, key: &Key) {
    let digits = 8 - sequence.leading_zeros() as usize / 8;
    let first = kind as u8 | (digits as u8) << 4;
    out.clear();
    out.push(first);
    out.extend_from_slice(&sequence.to_le_bytes()[..digits]);
    out.extend_from_slice(body);
    let cipher = ChaCha20Poly1305::new(key.into());
    let sealed = &mut out[1 + digits..];
    let mac = cipher.encrypt_in_place_detached(&nonce(sequence), &additional(first, protocol), sealed);
    // It fails only at 256 GiB.
    out.extend_from_slice(&mac.unwrap_or_default());
}

fn nonce(sequence: u64) -> Nonce {
    let mut nonce = Nonce::default();
    nonce[4..].copy_from_slice(&sequence.to_le_bytes());
    nonce
}

/// What is authenticated beside a packet's body.
fn additional(first: u8, protocol: u64) -> [u8; 22] {
    let mut data = [0; 22];
    data[..13].copy_from_slice(VERSION);
    data[13..21].copy_from_slice(&protocol.to_le_bytes());
    data[21] = first;
    data
}

/// The numbers of the last packets of a client that were what they claimed to be.
#[derive(Clone, Debug)]
pub(crate) struct ReplayWindow {
    newest: u64,
    sequences: [Option<u64>; REPLAY_WINDOW as usize],
}

impl ReplayWindow {
    pub(crate) const fn new() -> Self {
        Self {
            newest: 0,
            sequences: [None; REPLAY_WINDOW as usize],
        }
    }

    /// Whether a packet came before, or is too old to know.
    pub(crate) fn contains(&self, sequence: u64) -> bool {
        let is_old = sequence.saturating_add(REPLAY_WINDOW) <= self.newest;
        is_old || self.sequences[(sequence % REPLAY_WINDOW) as usize] == Some(sequence)
    }

    pub(crate) fn add(&mut self, sequence: u64) {
        self.newest = self.newest.max(sequence);
        self.sequences[(sequence % REPLAY_WINDOW) as usize] = Some(sequence);
    }
}

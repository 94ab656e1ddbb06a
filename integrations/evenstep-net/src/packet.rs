//! Reading, decrypting and encrypting the packets of netcode 1.02 on the server side.

use chacha20poly1305::{AeadInPlace, ChaCha20Poly1305, KeyInit, Nonce, Tag};
use renetcode::NETCODE_MAX_PACKET_BYTES;

/// The largest size of a UDP datagram.
pub(crate) const DATAGRAM_BYTES: usize = 1 << 16;

/// How many times a disconnect packet is sent, because it may be lost.
pub(crate) const DISCONNECT_PACKETS: usize = 3;

/// A key for one direction of one connection.
pub(crate) type Key = [u8; 32];

/// The protocol version, with its terminating zero, as it appears in packets.
pub(crate) const VERSION: &[u8; 13] = b"NETCODE 1.02\0";

/// The size of the message authentication code of a packet.
pub(crate) const MAC_BYTES: usize = 16;

/// The exact size of a connection request: kind, version, protocol, expiry time, nonce, token.
pub(crate) const REQUEST_BYTES: usize = 1 + 13 + 8 + 8 + 24 + 1024;

/// The number of sequence numbers that replay protection remembers, as in renetcode.
const REPLAY_WINDOW: u64 = 256;

/// The kind of a packet.
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

/// The unencrypted prefix of a packet: its kind and its sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    pub(crate) sequence: u64,
    /// The size of the prefix in bytes.
    length: usize,
}

impl Header {
    /// Returns `None` for bytes that cannot be a packet. Clients need this check too: renetcode 2.0.0 panics at sequence numbers of more
    /// than eight bytes, at packets too short for their sequence number and, with overflow checks, at sequence numbers near the maximum.
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

/// Decrypts the body of a packet. Returns `None` if it was encrypted with another key or was modified.
pub(crate) fn open<'a>(packet: &'a mut [u8], header: Header, protocol: u64, key: &Key) -> Option<&'a [u8]> {
    let data = additional(packet[0], protocol);
    let sealed = packet.get_mut(header.length..)?;
    let (body, mac) = sealed.split_at_mut_checked(sealed.len().checked_sub(MAC_BYTES)?)?;
    let cipher = ChaCha20Poly1305::new(key.into());
    let mac = Tag::from_slice(mac);
    let opened = cipher.decrypt_in_place_detached(&nonce(header.sequence), &data, body, mac);
    opened.is_ok().then_some(body)
}

/// Encrypts a packet. No sequence number may be used twice with one key.
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
    // Encryption fails only for bodies of 256 GiB or more.
    out.extend_from_slice(&mac.unwrap_or_default());
}

fn nonce(sequence: u64) -> Nonce {
    let mut nonce = Nonce::default();
    nonce[4..].copy_from_slice(&sequence.to_le_bytes());
    nonce
}

/// The associated data that is authenticated together with the body of a packet.
fn additional(first: u8, protocol: u64) -> [u8; 22] {
    let mut data = [0; 22];
    data[..13].copy_from_slice(VERSION);
    data[13..21].copy_from_slice(&protocol.to_le_bytes());
    data[21] = first;
    data
}

/// Replay protection: the sequence numbers of the most recent authentic packets of a client.
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

    /// Whether a packet with this sequence number was received before, or is older than the window.
    pub(crate) fn contains(&self, sequence: u64) -> bool {
        let is_old = sequence.saturating_add(REPLAY_WINDOW) <= self.newest;
        is_old || self.sequences[(sequence % REPLAY_WINDOW) as usize] == Some(sequence)
    }

    pub(crate) fn add(&mut self, sequence: u64) {
        self.newest = self.newest.max(sequence);
        self.sequences[(sequence % REPLAY_WINDOW) as usize] = Some(sequence);
    }
}

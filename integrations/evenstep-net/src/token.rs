//! Connection requests and the connect tokens in them.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use chacha20poly1305::{AeadInPlace, KeyInit, Tag, XChaCha20Poly1305, XNonce};

use crate::game::PlayerId;
use crate::packet::{Key, MAC_BYTES, REQUEST_BYTES, VERSION};

/// The largest number of server addresses in a token.
const MAX_SERVERS: u32 = 32;

/// Identifies a token: its expiry time in seconds since 1970, and its authentication code, which is unique.
pub(crate) type TokenId = (u64, [u8; MAC_BYTES]);

/// A connection request. Its fields are unverified.
pub(crate) struct Request<'a> {
    pub(crate) protocol: u64,
    /// When the token expires, in seconds since 1970.
    pub(crate) expires: u64,
    nonce: &'a [u8; 24],
    sealed: &'a [u8; 1024],
}

/// The encrypted contents of a connect token.
#[derive(Clone)]
pub(crate) struct Token {
    pub(crate) player: PlayerId,
    /// The timeout of the connection in seconds; none if it is not positive.
    pub(crate) timeout: i32,
    /// The servers that the token is valid for.
    pub(crate) servers: Vec<SocketAddr>,
    pub(crate) to_server: Key,
    pub(crate) to_client: Key,
}

impl<'a> Request<'a> {
    pub(crate) fn read(packet: &'a [u8]) -> Option<Self> {
        let mut bytes = Bytes(packet.get(1..REQUEST_BYTES)?);
        if bytes.take()? != VERSION {
            return None;
        }
        Some(Self {
            protocol: u64::from_le_bytes(*bytes.take()?),
            expires: u64::from_le_bytes(*bytes.take()?),
            nonce: bytes.take()?,
            sealed: bytes.take()?,
        })
    }

    pub(crate) fn id(&self) -> TokenId {
        let mut mac = [0; MAC_BYTES];
        mac.copy_from_slice(&self.sealed[1024 - MAC_BYTES..]);
        (self.expires, mac)
    }

    /// Decrypts the token. Returns `None` if it was not created with this key for this protocol and expiry time.
    pub(crate) fn open(&self, key: &Key) -> Option<Token> {
        let mut data = [0; 29];
        data[..13].copy_from_slice(VERSION);
        data[13..21].copy_from_slice(&self.protocol.to_le_bytes());
        data[21..].copy_from_slice(&self.expires.to_le_bytes());
        let mut sealed = *self.sealed;
        let (body, mac) = sealed.split_at_mut(1024 - MAC_BYTES);
        let cipher = XChaCha20Poly1305::new(key.into());
        let nonce = XNonce::from_slice(self.nonce);
        let opened = cipher.decrypt_in_place_detached(nonce, &data, body, Tag::from_slice(mac));
        opened.ok()?;
        Token::read(Bytes(body))
    }
}

impl Token {
    fn read(mut bytes: Bytes<'_>) -> Option<Self> {
        let player = u64::from_le_bytes(*bytes.take()?);
        let timeout = i32::from_le_bytes(*bytes.take()?);
        let count = u32::from_le_bytes(*bytes.take()?);
        let mut servers = Vec::new();
        for _ in 0..count.min(MAX_SERVERS) {
            let ip = match bytes.take()? {
                [0] => continue,
                [1] => Ipv4Addr::from(*bytes.take()?).into(),
                [2] => Ipv6Addr::from(*bytes.take::<16>()?).into(),
                _ => return None,
            };
            servers.push(SocketAddr::new(ip, u16::from_le_bytes(*bytes.take()?)));
        }
        Some(Self {
            player,
            timeout,
            servers,
            to_server: *bytes.take()?,
            to_client: *bytes.take()?,
        })
    }
}

/// A byte slice that is consumed from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(taken)
    }
}

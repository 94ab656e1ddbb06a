//! The connection of a client to a host, on a UDP socket.

use std::io::{self, ErrorKind};
use std::net::UdpSocket;
use std::time::Duration;

use renetcode::{ClientAuthentication, DisconnectReason, NetcodeClient, NetcodeError};

use crate::packet::{DATAGRAM_BYTES, DISCONNECT_PACKETS, Header};

/// The largest number of datagrams that are read per frame.
const MAX_DATAGRAMS: u32 = 512;

/// The latest time: renetcode adds durations to it.
const MAX_TIME: Duration = Duration::from_secs(u64::MAX / 4);

/// A client's connection to a [`Host`](crate::Host), on a non-blocking UDP socket.
#[derive(Debug)]
pub struct Connection {
    socket: UdpSocket,
    netcode: NetcodeClient,
    now: Duration,
    datagram: Vec<u8>,
}

/// Why a connection could not be established, or has ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectionError {
    /// The socket cannot be used.
    #[error("the client's socket: {0}; bind another port")]
    Io(#[from] io::Error),
    /// The connect token is invalid.
    #[error("the connect token: {0}; ask the server's operator for a new one")]
    Token(#[from] NetcodeError),
    /// The connection has ended, or could not be established.
    #[error("not connected: {0}; {help}", help = help(*.0))]
    Disconnected(#[from] DisconnectReason),
}

/// Advice for a disconnect reason.
const fn help(reason: DisconnectReason) -> &'static str {
    match reason {
        DisconnectReason::ConnectionRequestTimedOut => {
            "the server is not there, or refuses the connect token: it has expired by the server's clock, was used before, or names \
             other addresses. Its report says which. Ask for a new token"
        }
        DisconnectReason::ConnectionDenied => "all slots are occupied; try again later, with a new connect token",
        _ => "reconnect with a new connect token",
    }
}

impl Connection {
    /// Starts to connect. `unix_time` is the time since 1970, which decides whether the connect token has expired.
    ///
    /// # Errors
    ///
    /// If the socket cannot be used or the token is invalid.
    pub fn new(
        socket: UdpSocket,
        authentication: ClientAuthentication,
        unix_time: Duration,
    ) -> Result<Self, ConnectionError> {
        if let ClientAuthentication::Secure { connect_token: token } = &authentication {
            // renetcode 2.0.0 panics at these tokens.
            if token.server_addresses[0].is_none() {
                return Err(NetcodeError::NoMoreServers.into());
            }
            if token.expire_timestamp < token.create_timestamp {
                return Err(NetcodeError::Expired.into());
            }
        }
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            netcode: NetcodeClient::new(unix_time.min(MAX_TIME), authentication)?,
            now: Duration::ZERO,
            datagram: vec![0; DATAGRAM_BYTES],
        })
    }

    /// Receives the packets that have arrived, at `now` on the client's clock, and passes each message to `take`. Call it once per frame.
    ///
    /// # Errors
    ///
    /// If the connection has ended. While it is being established there is no error.
    pub fn receive(&mut self, now: Duration, mut take: impl FnMut(&[u8])) -> Result<(), ConnectionError> {
        for _ in 0..MAX_DATAGRAMS {
            let (length, from) = match self.socket.recv_from(&mut self.datagram) {
                Ok(received) => received,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // An error about packets that were sent earlier.
                Err(_) => continue,
            };
            let packet = &mut self.datagram[..length];
            if from == self.netcode.server_addr() && Header::read(packet).is_some() {
                self.netcode.process_packet(packet).map(&mut take);
            }
        }
        let now = now.min(MAX_TIME);
        let delta = now.saturating_sub(self.now);
        self.now = self.now.max(now);
        if let Some((packet, server)) = self.netcode.update(delta) {
            // A packet that cannot be sent counts as lost on the network.
            let _ = self.socket.send_to(packet, server);
        }
        self.netcode
            .disconnect_reason()
            .map_or(Ok(()), |reason| Err(reason.into()))
    }

    /// Sends a message. Nothing is sent until the connection is established.
    pub fn send(&mut self, message: &[u8]) {
        if let Ok((server, packet)) = self.netcode.generate_payload_packet(message) {
            // A packet that cannot be sent counts as lost on the network.
            let _ = self.socket.send_to(packet, server);
        }
    }

    /// Whether the connection is established.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.netcode.is_connected()
    }
}

/// Notifies the server of the disconnection.
impl Drop for Connection {
    fn drop(&mut self) {
        if !self.netcode.is_connected() {
            return;
        }
        let socket = &self.socket;
        if let Ok((server, packet)) = self.netcode.disconnect() {
            for _ in 0..DISCONNECT_PACKETS {
                let _ = socket.send_to(packet, server);
            }
        }
    }
}

//! The server side of netcode 1.02 without a socket: admits clients that hold a connect token and decrypts their packets.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use renetcode::{NETCODE_MAX_PACKET_BYTES, ServerAuthentication, ServerConfig, generate_random_bytes};

use crate::counts::Counts;
use crate::game::PlayerId;
use crate::packet::{Header, Key, Kind, open, seal};
use crate::peer::Peer;
use crate::pending::{PendingConnection, PendingConnections};
use crate::token::{Request, Token, TokenId};

/// The largest number of players that a filter admits.
const MAX_CLIENTS: usize = 1024;

/// The average time between two admissions.
const JOIN_INTERVAL: Duration = Duration::from_millis(10);

/// The most admission credit that accumulates: a hundred players can join at once.
const MAX_JOIN_CREDIT: Duration = Duration::from_secs(1);

/// The number of used tokens that are remembered. It is exceeded only where long-lived tokens are issued by the thousand.
const MAX_USED_TOKENS: usize = 1 << 16;

/// The longest time between two packets to a player.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_millis(250);

/// A connection that has been silent for this long is replaced when its player reconnects.
const RECONNECT_SILENCE: Duration = Duration::from_secs(1);

/// The longest timeout of a connection without a key, in seconds: tokens are then what clients claim.
const UNSECURE_TIMEOUT_SECONDS: i32 = 15;

/// Filters the packets of a server's socket: received packets go in, player messages and reply packets come out. It owns no socket and
/// reads no clock.
///
/// It implements the server side of netcode 1.02; clients use [`renetcode`]. Only clients with a connect token are admitted. Refused
/// packets are counted by reason. No packet causes a panic, and a packet costs at most its decryption.
///
/// - A token admits one player, once. Recorded traffic that is replayed, from any address, admits nobody, disconnects nobody and keeps no
///   connection alive. A response to a challenge requires the token's keys and matches that challenge only.
/// - At most 100 players join per second, plus a burst of 100; others wait. At most 4096 clients with a token wait at once, at most four
///   per token, for at most 15 seconds. Beyond that the oldest are dropped.
/// - A player whose program was restarted has a new token with the same id. It is admitted as soon as its old connection has been silent
///   for one second.
///
/// With [`Unsecure`](ServerAuthentication::Unsecure) tokens are what clients claim: anybody is admitted, with any id, and can occupy every
/// slot. A slot is released 15 seconds after the last packet of its player, whatever timeout the token states.
pub struct NetcodeFilter {
    protocol: u64,
    key: Key,
    is_secure: bool,
    servers: Vec<SocketAddr>,
    max_players: usize,
    now: Duration,
    /// The sequence number of the next packet to a client that is not connected. It starts at a random value, because a restarted server
    /// may meet a token again, and is far above the sequence numbers of packets to players, so that no number is used twice with one key.
    sequence: u64,
    join_credit: Duration,
    used_tokens: BTreeSet<TokenId>,
    pending: PendingConnections,
    peers: BTreeMap<SocketAddr, Peer>,
    addresses: BTreeMap<PlayerId, SocketAddr>,
    packet: Vec<u8>,
    total: Counts,
}

/// The result of processing a packet or of advancing the time.
#[derive(Debug, PartialEq, Eq)]
pub enum PacketEvent<'a> {
    /// No further action.
    Nothing,
    /// Send this packet to this address.
    Reply(SocketAddr, Vec<u8>),
    /// A player has connected. Send it this packet, which confirms the connection.
    Joined(PlayerId, SocketAddr, Vec<u8>),
    /// A player has disconnected or timed out. Send it the packet, if there is one: it announces a disconnection that the server decided
    /// on.
    Left(PlayerId, SocketAddr, Option<Vec<u8>>),
    /// A message of a player.
    Message(PlayerId, &'a [u8]),
}

/// Why a [`NetcodeFilter`] cannot be created: no connect token could name this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// `public_addresses` is empty.
    #[error("public_addresses is empty; connect tokens name their servers, so put in the address that clients send to")]
    NoAddress,
    /// No client can send to one of `public_addresses`.
    #[error(
        "public_addresses has {0}, to which no client can send; connect tokens name their servers, so put in the address that clients \
         send to, also where the socket is bound to all"
    )]
    Unspecified(SocketAddr),
}

impl NetcodeFilter {
    /// Creates a filter for the configured number of players, at most 1024, and with the configured key.
    ///
    /// # Errors
    ///
    /// If the server requires connect tokens and `public_addresses` is empty or contains an address that no client can send to.
    pub fn new(config: ServerConfig) -> Result<Self, ConfigError> {
        let (is_secure, key) = match config.authentication {
            ServerAuthentication::Secure { private_key } => (true, private_key),
            ServerAuthentication::Unsecure => (false, [0; 32]),
        };
        if is_secure {
            let mut servers = config.public_addresses.iter();
            if let Some(server) = servers.find(|server| server.ip().is_unspecified() || server.port() == 0) {
                return Err(ConfigError::Unspecified(*server));
            }
            if config.public_addresses.is_empty() {
                return Err(ConfigError::NoAddress);
            }
        }
        // Sequence numbers with the highest bit clear belong to packets to players.
        let sequence = u64::from_le_bytes(generate_random_bytes()) >> 2 | 1 << 63;
        Ok(Self {
            protocol: config.protocol_id,
            key,
            is_secure,
            servers: config.public_addresses,
            max_players: config.max_clients.min(MAX_CLIENTS),
            now: config.current_time,
            sequence,
            join_credit: MAX_JOIN_CREDIT,
            used_tokens: BTreeSet::new(),
            pending: PendingConnections::default(),
            peers: BTreeMap::new(),
            addresses: BTreeMap::new(),
            packet: Vec::new(),
            total: Counts::default(),
        })
    }

    /// Processes a packet that was received from an address.
    pub fn receive<'a>(&mut self, from: SocketAddr, packet: &'a mut [u8]) -> PacketEvent<'a> {
        self.count(from, |counts| counts.received += 1);
        if packet.len() > NETCODE_MAX_PACKET_BYTES {
            return self.refuse(from, |counts| counts.oversized += 1);
        }
        let Some(header) = Header::read(packet) else {
            return self.refuse(from, |counts| counts.malformed += 1);
        };
        match header.kind {
            Kind::Request => self.handle_request(from, packet),
            Kind::Response => self.handle_response(from, packet, header),
            _ => self.handle_sealed(from, packet, header),
        }
    }

    /// Processes a connection request, which contains a connect token.
    fn handle_request(&mut self, from: SocketAddr, packet: &[u8]) -> PacketEvent<'static> {
        let request = Request::read(packet).filter(|request| request.protocol == self.protocol);
        let Some(request) = request else {
            return self.refuse(from, |counts| counts.malformed += 1);
        };
        let token_id = request.id();
        if self.used_tokens.contains(&token_id) {
            return self.refuse(from, |counts| counts.reused += 1);
        }
        let connection = self
            .pending
            .get(from)
            .filter(|connection| connection.token_id == token_id);
        if let Some(connection) = connection.cloned() {
            return self.challenge(from, &connection);
        }
        let Some(token) = request.open(&self.key) else {
            return self.refuse(from, |counts| counts.malformed += 1);
        };
        if request.expires <= self.now.as_secs() {
            return self.refuse(from, |counts| counts.expired += 1);
        }
        if self.is_secure && !token.servers.iter().any(|server| self.servers.contains(server)) {
            return self.refuse(from, |counts| counts.misaddressed += 1);
        }
        if self.is_full(&token, from) {
            return self.deny(from, &token);
        }
        let challenge = generate_random_bytes();
        let connection = PendingConnection {
            token,
            token_id,
            challenge,
        };
        match self.pending.insert(self.now, from, connection).cloned() {
            Some(connection) => self.challenge(from, &connection),
            None => self.refuse(from, |counts| counts.flooding += 1),
        }
    }

    /// Whether all slots are occupied, none of them by this player or this address.
    fn is_full(&self, token: &Token, from: SocketAddr) -> bool {
        let has_place = self.addresses.contains_key(&token.player) || self.peers.contains_key(&from);
        self.peers.len() >= self.max_players && !has_place
    }

    fn deny(&mut self, from: SocketAddr, token: &Token) -> PacketEvent<'static> {
        self.count(from, |counts| counts.denied += 1);
        self.reply(from, Kind::Denied, &[], &token.to_client)
    }

    fn challenge(&mut self, from: SocketAddr, connection: &PendingConnection) -> PacketEvent<'static> {
        // The protocol defines a number and 300 bytes, which the client returns unchanged.
        let mut body = [0; 308];
        body[8..40].copy_from_slice(&connection.challenge);
        self.reply(from, Kind::Challenge, &body, &connection.token.to_client)
    }

    /// Builds a packet to a client that is not connected.
    fn reply(&mut self, to: SocketAddr, kind: Kind, body: &[u8], key: &Key) -> PacketEvent<'static> {
        let mut packet = Vec::new();
        seal(&mut packet, kind, self.sequence, body, self.protocol, key);
        self.sequence += 1;
        PacketEvent::Reply(to, packet)
    }

    /// Processes the response to a challenge, which admits the client.
    fn handle_response(&mut self, from: SocketAddr, packet: &mut [u8], header: Header) -> PacketEvent<'static> {
        let Some(connection) = self.pending.get(from) else {
            // A client that has not received the confirmation yet repeats its response.
            let is_known = self.peers.contains_key(&from);
            return self.refuse(from, |counts| counts.malformed += u64::from(!is_known));
        };
        let answer = open(packet, header, self.protocol, &connection.token.to_server);
        let is_right = answer.and_then(|answer| answer.get(8..40)) == Some(&connection.challenge);
        if !is_right {
            return self.refuse(from, |counts| counts.malformed += 1);
        }
        let PendingConnection { token, token_id, .. } = connection.clone();
        if self.used_tokens.contains(&token_id) {
            self.pending.remove(from);
            return self.refuse(from, |counts| counts.reused += 1);
        }
        let addresses = [Some(from), self.addresses.get(&token.player).copied()];
        let mut is_taken = false;
        for address in addresses.into_iter().flatten() {
            if let Some(peer) = self.peers.get_mut(&address) {
                peer.is_reconnecting = true;
                is_taken = true;
            }
        }
        // The client repeats its response.
        if is_taken || self.join_credit < JOIN_INTERVAL {
            return PacketEvent::Nothing;
        }
        self.pending.remove(from);
        if self.is_full(&token, from) {
            return self.deny(from, &token);
        }
        self.join_credit -= JOIN_INTERVAL;
        self.used_tokens.insert(token_id);
        if self.used_tokens.len() > MAX_USED_TOKENS {
            self.used_tokens.pop_first();
        }
        self.join(from, &token)
    }

    fn join(&mut self, from: SocketAddr, token: &Token) -> PacketEvent<'static> {
        let timeout = match token.timeout {
            seconds if self.is_secure => seconds,
            seconds @ 1..UNSECURE_TIMEOUT_SECONDS => seconds,
            _ => UNSECURE_TIMEOUT_SECONDS,
        };
        let timeout = u64::try_from(timeout).ok().filter(|seconds| *seconds > 0);
        let timeout = timeout.map(Duration::from_secs);
        let mut peer = Peer::new(token, timeout, self.now);
        let packet = peer.keep_alive(self.now, self.max_players, self.protocol);
        self.addresses.insert(token.player, from);
        self.peers.insert(from, peer);
        PacketEvent::Joined(token.player, from, packet)
    }

    /// Processes an encrypted packet of a connected player.
    fn handle_sealed<'a>(&mut self, from: SocketAddr, packet: &'a mut [u8], header: Header) -> PacketEvent<'a> {
        let Some(peer) = self.peers.get_mut(&from) else {
            return self.refuse(from, |counts| counts.malformed += 1);
        };
        if peer.replay_window.contains(header.sequence) {
            return self.refuse(from, |counts| counts.replayed += 1);
        }
        let is_expected = matches!(header.kind, Kind::KeepAlive | Kind::Payload | Kind::Disconnect);
        let body = open(packet, header, self.protocol, &peer.to_server).filter(|_| is_expected);
        let Some(body) = body else {
            return self.refuse(from, |counts| counts.malformed += 1);
        };
        peer.replay_window.add(header.sequence);
        peer.last_received = self.now;
        peer.is_confirmed = true;
        peer.is_reconnecting = false;
        match header.kind {
            Kind::Payload => PacketEvent::Message(peer.id, body),
            Kind::Disconnect => {
                let id = peer.id;
                self.remove(from);
                PacketEvent::Left(id, from, None)
            }
            _ => PacketEvent::Nothing,
        }
    }

    fn refuse(&mut self, from: SocketAddr, count: impl Fn(&mut Counts)) -> PacketEvent<'static> {
        self.count(from, count);
        PacketEvent::Nothing
    }

    fn remove(&mut self, from: SocketAddr) -> Option<Peer> {
        let peer = self.peers.remove(&from)?;
        self.addresses.remove(&peer.id);
        Some(peer)
    }

    /// Advances the time: call it about a hundred times a second or once per tick. Returns the packets to send and the players that have
    /// timed out.
    pub fn advance(&mut self, delta: Duration) -> Vec<PacketEvent<'static>> {
        self.now = self.now.saturating_add(delta);
        self.join_credit = self.join_credit.saturating_add(delta).min(MAX_JOIN_CREDIT);
        self.pending.advance(self.now);
        let seconds = self.now.as_secs();
        while self.used_tokens.first().is_some_and(|(expires, _)| *expires <= seconds) {
            self.used_tokens.pop_first();
        }
        let mut event = Vec::new();
        let mut timed_out = Vec::new();
        for (address, peer) in &mut self.peers {
            let silence = self.now.saturating_sub(peer.last_received);
            let is_replaced = peer.is_reconnecting && silence >= RECONNECT_SILENCE;
            if is_replaced || peer.timeout.is_some_and(|timeout| silence > timeout) {
                timed_out.push(peer.id);
                continue;
            }
            let since = if peer.is_confirmed {
                peer.last_sent
            } else {
                peer.keep_alive_sent
            };
            if self.now.saturating_sub(since) >= KEEP_ALIVE_INTERVAL {
                let packet = peer.keep_alive(self.now, self.max_players, self.protocol);
                event.push(PacketEvent::Reply(*address, packet));
            }
        }
        event.extend(timed_out.into_iter().map(|id| self.disconnect(id)));
        event
    }

    /// Disconnects a player. Send the packet that announces it several times, because it may be lost. The player needs a new token to
    /// reconnect.
    pub fn disconnect(&mut self, id: PlayerId) -> PacketEvent<'static> {
        let Some(address) = self.addresses.get(&id).copied() else {
            return PacketEvent::Nothing;
        };
        let packet = self.remove(address).map(|mut peer| {
            let mut packet = Vec::new();
            peer.seal(&mut packet, Kind::Disconnect, &[], self.protocol);
            packet
        });
        PacketEvent::Left(id, address, packet)
    }

    /// Encrypts a message of at most 1300 bytes for a player. Returns the address and the packet to send, or `None` if the player is not
    /// connected or the message is too long.
    pub fn seal(&mut self, id: PlayerId, message: &[u8]) -> Option<(SocketAddr, &[u8])> {
        let address = *self.addresses.get(&id)?;
        let peer = self.peers.get_mut(&address)?;
        if message.len() > renetcode::NETCODE_MAX_PAYLOAD_BYTES {
            return None;
        }
        peer.seal(&mut self.packet, Kind::Payload, message, self.protocol);
        peer.last_sent = self.now;
        Some((address, &self.packet))
    }

    /// Counts an event for an address, and for the player connected from it.
    pub(crate) fn count(&mut self, from: SocketAddr, count: impl Fn(&mut Counts)) {
        count(&mut self.total);
        if let Some(peer) = self.peers.get_mut(&from) {
            count(&mut peer.counts);
        }
    }

    /// The totals of all counters.
    #[must_use]
    pub const fn total(&self) -> Counts {
        self.total
    }

    /// The connected players and their counters.
    pub fn players(&self) -> impl Iterator<Item = (PlayerId, Counts)> {
        self.peers.values().map(|peer| (peer.id, peer.counts))
    }
}

/// Omits the keys.
impl fmt::Debug for NetcodeFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players: Vec<_> = self.players().collect();
        f.debug_struct("NetcodeFilter")
            .field("now", &self.now)
            .field("players", &players)
            .field("total", &self.total)
            .finish_non_exhaustive()
    }
}

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use renetcode::{NETCODE_MAX_PACKET_BYTES, NetcodeServer, ServerConfig, ServerResult};

use crate::counts::Counts;
use crate::game::PlayerId;
use crate::packet::{Header, Seen};

/// So many messages of a client are let through between two ticks.
const MOST_MESSAGES: u32 = 8;

/// renetcode has room for no more.
const MOST_CLIENTS: usize = 1024;

/// The door of a server, as a value: packets that anybody sent go in, messages of players come out. It has no socket.
///
/// It speaks netcode 1.02 by [`renetcode`]: who has no connect token does not get in, packets are sealed, and one that is played back is
/// noticed. What is refused is counted. No packet makes it panic, and a packet costs at most its decryption.
#[derive(Debug)]
pub struct Gate {
    netcode: NetcodeServer,
    peers: BTreeMap<SocketAddr, Peer>,
    total: Counts,
}

#[derive(Debug)]
struct Peer {
    id: PlayerId,
    seen: Seen,
    /// Since the last tick.
    messages: u32,
    counts: Counts,
}

/// What comes of a packet.
#[derive(Debug, PartialEq, Eq)]
pub enum Passed<'a> {
    /// Nothing.
    Nothing,
    /// A packet to answer with.
    Reply(SocketAddr, Vec<u8>),
    /// A player has connected. A packet tells it.
    Joined(PlayerId, SocketAddr, Vec<u8>),
    /// A player is gone. If it is not by its own wish, a packet tells it.
    Left(PlayerId, SocketAddr, Option<Vec<u8>>),
    /// A player's message.
    Message(PlayerId, &'a [u8]),
}

impl Gate {
    /// For as many players as the configuration says, at most 1024, and with its key.
    #[must_use]
    pub fn new(mut config: ServerConfig) -> Self {
        // renetcode panics at more.
        config.max_clients = config.max_clients.min(MOST_CLIENTS);
        Self {
            netcode: NetcodeServer::new(config),
            peers: BTreeMap::new(),
            total: Counts::default(),
        }
    }

    /// Takes a packet.
    pub fn take<'a>(&mut self, from: SocketAddr, packet: &'a mut [u8]) -> Passed<'a> {
        self.count(from, |counts| counts.received += 1);
        if packet.len() > NETCODE_MAX_PACKET_BYTES {
            self.count(from, |counts| counts.oversized += 1);
            return Passed::Nothing;
        }
        let Some(header) = Header::read(packet) else {
            return self.refuse(from);
        };
        let peer = self.peers.get_mut(&from);
        let is_peer = peer.is_some();
        if header.is_payload() && peer.is_some_and(|peer| peer.seen.contains(header.number)) {
            self.count(from, |counts| counts.replayed += 1);
            return Passed::Nothing;
        }
        let passed = match self.netcode.process_packet(from, packet) {
            ServerResult::Payload { client_id, payload } => Passed::Message(client_id, payload),
            result => owned(result),
        };
        match passed {
            Passed::Message(..) if !self.admit(from, header.number) => {
                self.count(from, |counts| counts.flooding += 1);
                return Passed::Nothing;
            }
            // A client that is connected may ask once more, or just show that it is there.
            Passed::Nothing if is_peer && !header.is_payload() => {}
            Passed::Nothing => return self.refuse(from),
            _ => self.note(&passed),
        }
        passed
    }

    fn refuse(&mut self, from: SocketAddr) -> Passed<'static> {
        self.count(from, |counts| counts.malformed += 1);
        Passed::Nothing
    }

    /// Whether a message is not one too many.
    fn admit(&mut self, from: SocketAddr, number: u64) -> bool {
        let Some(peer) = self.peers.get_mut(&from) else {
            return false;
        };
        peer.seen.add(number);
        peer.messages += 1;
        peer.messages <= MOST_MESSAGES
    }

    /// Who is connected.
    fn note(&mut self, passed: &Passed<'_>) {
        match *passed {
            Passed::Joined(id, address, _) => {
                let peer = Peer {
                    id,
                    seen: Seen::new(),
                    messages: 0,
                    counts: Counts::default(),
                };
                self.peers.insert(address, peer);
            }
            Passed::Left(_, address, _) => _ = self.peers.remove(&address),
            _ => {}
        }
    }

    /// Lets time pass, once a tick. Answers with what is to be sent, and who is not heard any more.
    pub fn advance(&mut self, delta: Duration) -> Vec<Passed<'static>> {
        self.netcode.update(delta);
        let ids: Vec<PlayerId> = self.peers.values().map(|peer| peer.id).collect();
        self.peers.values_mut().for_each(|peer| peer.messages = 0);
        let updates = ids.into_iter().map(|id| owned(self.netcode.update_client(id)));
        let updates: Vec<_> = updates.filter(|passed| *passed != Passed::Nothing).collect();
        updates.iter().for_each(|passed| self.note(passed));
        updates
    }

    /// Sends a player away. The packet that tells it is to be sent some times: it may be lost.
    pub fn disconnect(&mut self, id: PlayerId) -> Passed<'static> {
        let passed = owned(self.netcode.disconnect(id));
        self.note(&passed);
        passed
    }

    /// A message of at most 1300 bytes to a player, as the packet to send; none if there is no such player.
    pub fn seal(&mut self, id: PlayerId, message: &[u8]) -> Option<(SocketAddr, &[u8])> {
        let (address, packet) = self.netcode.generate_payload_packet(id, message).ok()?;
        Some((address, packet))
    }

    /// Counts what a player, or anybody, has sent.
    pub(crate) fn count(&mut self, from: SocketAddr, count: impl Fn(&mut Counts)) {
        count(&mut self.total);
        if let Some(peer) = self.peers.get_mut(&from) {
            count(&mut peer.counts);
        }
    }

    /// What was counted in all.
    #[must_use]
    pub const fn total(&self) -> Counts {
        self.total
    }

    /// The players that are connected, and what was counted of each.
    pub fn players(&self) -> impl Iterator<Item = (PlayerId, Counts)> {
        self.peers.values().map(|peer| (peer.id, peer.counts))
    }
}

fn owned(result: ServerResult<'_, '_>) -> Passed<'static> {
    match result {
        ServerResult::PacketToSend { addr, payload } => Passed::Reply(addr, payload.to_vec()),
        ServerResult::ClientConnected {
            client_id,
            addr,
            payload,
            ..
        } => Passed::Joined(client_id, addr, payload.to_vec()),
        ServerResult::ClientDisconnected {
            client_id,
            addr,
            payload,
        } => Passed::Left(client_id, addr, payload.map(|payload| payload.to_vec())),
        ServerResult::None | ServerResult::Payload { .. } => Passed::Nothing,
    }
}

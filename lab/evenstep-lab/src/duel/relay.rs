//! A UDP relay between the peers that delays, drops and reorders packets.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::Serialize;
use simulated_network::{LinkConditions, SimulatedNetwork};

/// The interval between polls of the sockets.
const POLL_INTERVAL: Duration = Duration::from_micros(250);

/// The longest datagram, in bytes.
const MAX_DATAGRAM: usize = 65_536;

/// Statistics of the packets that a peer has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Counts {
    pub(crate) packets: u64,
    pub(crate) lost: u64,
    /// Packets that arrived after a packet that was sent later.
    pub(crate) overtaken: u64,
    /// The mean one-way delay of the packets that were not lost.
    pub(crate) mean_ms: f64,
}

/// A packet with its number among those of its sender.
type NumberedPacket = (u64, Vec<u8>);

/// The network between the peers 0 and 1.
fn network(link: LinkConditions, seed: u64) -> SimulatedNetwork<usize, NumberedPacket> {
    let mut network = SimulatedNetwork::new(seed, link);
    // Both links are created now, so that their seeds do not depend on which peer sends first.
    network.set_link(0, 1, link);
    network.set_link(1, 0, link);
    network
}

/// Two sockets on this machine, served by a thread. A packet that arrives at one is sent from the other, later or never.
pub(crate) struct Relay {
    /// The address to which each peer sends.
    pub(crate) addresses: [SocketAddr; 2],
    counts: Arc<Mutex<[Counts; 2]>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Relay {
    /// The same seed delays and loses the same packets.
    pub(crate) fn start(link: LinkConditions, seed: u64) -> io::Result<Self> {
        let lanes = [Lane::new()?, Lane::new()?];
        let addresses = [lanes[0].socket.local_addr()?, lanes[1].socket.local_addr()?];
        let (counts, is_over) = (Arc::default(), Arc::default());
        let mut relay_loop = RelayLoop {
            begun: Instant::now(),
            network: network(link, seed),
            lanes,
            counts: Arc::clone(&counts),
            is_over: Arc::clone(&is_over),
        };
        let thread = thread::Builder::new().name("relay".to_owned());
        Ok(Self {
            addresses,
            counts,
            is_over,
            thread: Some(thread.spawn(move || relay_loop.run())?),
        })
    }

    /// Statistics of the packets of each peer.
    pub(crate) fn counts(&self) -> [Counts; 2] {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The relay's side towards one peer.
struct Lane {
    socket: UdpSocket,
    /// The sender of the first packet; packets of other senders are ignored.
    peer: Option<SocketAddr>,
    counts: Counts,
    /// The latest number of the packets that have arrived.
    latest: u64,
}

impl Lane {
    fn new() -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            peer: None,
            counts: Counts::default(),
            latest: 0,
        })
    }

    /// Receives the waiting packets of this peer and sends them on.
    fn take(&mut self, network: &mut SimulatedNetwork<usize, NumberedPacket>, from: usize, buffer: &mut [u8]) {
        // On Windows a packet that could not be delivered is an error of the next call.
        while let Ok((length, sender)) = self.socket.recv_from(buffer) {
            if *self.peer.get_or_insert(sender) != sender {
                continue;
            }
            let number = self.counts.packets;
            self.counts.packets += 1;
            let arrivals = network.send(from, 1 - from, (number, buffer[..length].to_vec()));
            let Some(arrival) = arrivals.first() else {
                self.counts.lost += 1;
                continue;
            };
            let delay = *arrival - network.now();
            let passed = (self.counts.packets - self.counts.lost) as f64;
            self.counts.mean_ms += (delay.as_secs_f64() * 1e3 - self.counts.mean_ms) / passed;
        }
    }

    fn count_arrival(&mut self, number: u64) {
        self.counts.overtaken += u64::from(number < self.latest);
        self.latest = self.latest.max(number);
    }
}

struct RelayLoop {
    begun: Instant,
    network: SimulatedNetwork<usize, NumberedPacket>,
    lanes: [Lane; 2],
    counts: Arc<Mutex<[Counts; 2]>>,
    is_over: Arc<AtomicBool>,
}

impl RelayLoop {
    fn run(&mut self) {
        let mut buffer = vec![0; MAX_DATAGRAM];
        while !self.is_over.load(Ordering::Relaxed) {
            self.network.advance(self.begun.elapsed() - self.network.now());
            for (from, lane) in self.lanes.iter_mut().enumerate() {
                lane.take(&mut self.network, from, &mut buffer);
            }
            while let Some((from, to, (number, packet))) = self.network.receive_any() {
                self.lanes[from].count_arrival(number);
                // Packets to a peer that is not connected are lost, as in any network.
                if let Some(peer) = self.lanes[to].peer {
                    let _ = self.lanes[to].socket.send_to(&packet, peer);
                }
            }
            let counts = self.lanes.each_ref().map(|lane| lane.counts);
            *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = counts;
            thread::sleep(POLL_INTERVAL);
        }
    }
}

#[cfg(test)]
mod tests {
    use simulated_network::Jitter;

    use super::*;

    const NUMBERS: u8 = 200;
    const SEED: u64 = 3;

    fn link() -> LinkConditions {
        LinkConditions {
            delay: Duration::from_millis(4),
            jitter: Jitter::Uniform(Duration::from_millis(4)),
            loss_percent: 20.0,
            undelayed_percent: 10.0,
            ..LinkConditions::default()
        }
    }

    fn peer(relay: &Relay, side: usize) -> UdpSocket {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        socket.connect(relay.addresses[side]).unwrap();
        // Packets that have not arrived by then were lost by the system.
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        socket
    }

    /// Waits until `count` packets of a peer have arrived at the relay.
    fn until_taken(relay: &Relay, from: usize, count: u8) {
        while relay.counts()[from].packets < u64::from(count) {
            thread::yield_now();
        }
    }

    /// The numbers of the next `count` packets, without the ones that introduced the peers.
    fn receive(socket: &UdpSocket, count: usize) -> Vec<u8> {
        let mut numbers = Vec::new();
        while numbers.len() < count {
            let mut packet = [0; 8];
            assert_eq!(socket.recv(&mut packet).unwrap(), 1);
            numbers.extend(Some(packet[0]).filter(|number| *number != 255));
        }
        numbers
    }

    #[test]
    fn exactly_the_packets_that_are_not_lost_arrive_in_both_directions_and_strangers_are_ignored() {
        let relay = Relay::start(link(), SEED).unwrap();
        let peers = [0, 1].map(|side| peer(&relay, side));
        // Packets are lost until both peers are known. These have the first number.
        peers.iter().for_each(|peer| assert_eq!(peer.send(&[255]).unwrap(), 1));
        [0, 1].into_iter().for_each(|from| until_taken(&relay, from, 1));
        let stranger = peer(&relay, 0);
        for from in [0, 1] {
            for number in 1..NUMBERS {
                peers[from].send(&[number]).unwrap();
                stranger.send(&[254]).unwrap();
                if number % 16 == 0 {
                    // The system has room for some packets of a socket, and drops more.
                    until_taken(&relay, from, number);
                }
            }
            let mut same = network(link(), SEED);
            let arrives = |number: &u8| !same.send(from, 1 - from, (u64::from(*number), Vec::new())).is_empty();
            let passing = (0..NUMBERS).filter(arrives).filter(|number| *number > 0);
            let passing: Vec<u8> = passing.collect();
            let mut come = receive(&peers[1 - from], passing.len());
            let is_in_order = come.is_sorted();
            come.sort_unstable();
            assert_eq!(come, passing);
            assert!(!is_in_order && passing.len() < usize::from(NUMBERS) - 20);
        }
        for counts in relay.counts() {
            assert_eq!(counts.packets, u64::from(NUMBERS));
            assert!(
                counts.overtaken > 0 && counts.mean_ms > 4.0 && counts.mean_ms < 8.0,
                "{counts:?}"
            );
        }
    }
}

//! Attackers: one without a token, and one with a valid token.

use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use evenstep_net::renetcode::NetcodeClient;
use evenstep_net::{ClientMessage, PlayerId, ReceivedStates};
use fastrand::Rng;

use crate::netcode_client::token;

/// Sends invalid datagrams of all kinds and lengths, as fast as it can.
pub(crate) struct Outsider {
    socket: UdpSocket,
    server: SocketAddr,
    random: Rng,
}

impl Outsider {
    pub(crate) fn new(server: SocketAddr) -> Self {
        let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
        let random = Rng::with_seed(1);
        Self { socket, server, random }
    }

    pub(crate) fn attack(mut self, ends: &AtomicBool) {
        while !ends.load(Ordering::Relaxed) {
            let length = match self.random.u64(..4) {
                0 => self.random.u64(..1401),
                1 => 1401 + self.random.u64(..8000),
                2 => 1078,
                _ => self.random.u64(..40),
            };
            let mut packet: Vec<u8> = (0..length).map(|_| self.random.u8(..)).collect();
            if length == 1078 {
                // The beginning of a connection request, with a forged token.
                packet[..14].copy_from_slice(b"\0NETCODE 1.02\0");
                packet[14..22].copy_from_slice(&42_u64.to_le_bytes());
            }
            let _ = self.socket.send_to(&packet, self.server);
        }
    }
}

/// Connects as a player, then replays packets, floods, encrypts invalid messages, and sends inputs that are late and early.
pub(crate) fn insider(id: PlayerId, server: SocketAddr, ends: &AtomicBool) {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(5))).unwrap();
    let mut client = NetcodeClient::new(Duration::ZERO, token(id, server)).unwrap();
    let mut buffer = [0; 2000];
    let begin = Instant::now();
    while !client.is_connected() && !ends.load(Ordering::Relaxed) {
        assert!(begin.elapsed() < Duration::from_secs(300), "the insider never got in");
        if let Some((packet, _)) = client.update(Duration::from_millis(5)) {
            socket.send_to(packet, server).unwrap();
        }
        if let Ok((length, _)) = socket.recv_from(&mut buffer) {
            client.process_packet(&mut buffer[..length]);
        }
    }
    let message = |first| ClientMessage {
        sent: 0,
        received: ReceivedStates::default(),
        first,
        inputs: vec![100_i8; 12],
    };
    let messages = [
        message(0).encode(),
        message(u64::MAX / 2).encode(),
        vec![0xff; 900],
        Vec::new(),
    ];
    let mut random = Rng::with_seed(2);
    while !ends.load(Ordering::Relaxed) {
        let message = &messages[random.usize(..4)];
        let packet = client.generate_payload_packet(message).unwrap().1.to_vec();
        for _ in 0..3 {
            let _ = socket.send_to(&packet, server);
        }
        // Packets at which renetcode itself panics.
        let _ = socket.send_to(&[0xf5; 40], server);
        let _ = socket.send_to(&[0x8f; 20], server);
        let _ = socket.send_to(&[[0x85].as_slice(), &[0xff; 60]].concat(), server);
    }
    for _ in 0..200 {
        if let Ok((_, packet)) = client.disconnect() {
            let _ = socket.send_to(packet, server);
        }
    }
}

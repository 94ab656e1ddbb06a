//! Recorded traffic that is replayed unchanged: it admits nobody, disconnects nobody, and keeps no connection alive.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use evenstep_net::renetcode::NetcodeClient;
use evenstep_net::{NetcodeFilter, PacketEvent, PlayerId};
use fastrand::Rng;
use proptest::prelude::*;

use crate::netcode_client::{config, filter, token};

const TICK: Duration = Duration::from_millis(20);
/// The timeout of a player after its last packet: that of the tokens of these tests, plus a tick.
const GONE: Duration = Duration::from_millis(60_020);

fn server() -> SocketAddr {
    ([127, 0, 0, 1], 1).into()
}

fn address(port: u64) -> SocketAddr {
    ([127, 0, 0, 1], 100 + port as u16).into()
}

/// A netcode filter, honest players, and all packets that were ever sent to it.
struct Scene {
    filter: NetcodeFilter,
    random: Rng,
    now: Duration,
    players: BTreeMap<u64, Player>,
    /// The players that the honest traffic alone keeps connected, and the times of their last packets.
    last_heard_from: BTreeMap<PlayerId, Duration>,
    recorded: Vec<(SocketAddr, Vec<u8>)>,
    next_id: PlayerId,
}

struct Player {
    id: PlayerId,
    client: NetcodeClient,
    is_silent: bool,
}

impl Scene {
    fn new(seed: u64) -> Self {
        Self {
            filter: filter(config(server())),
            random: Rng::with_seed(seed),
            now: Duration::ZERO,
            players: BTreeMap::new(),
            last_heard_from: BTreeMap::new(),
            recorded: Vec::new(),
            next_id: 1,
        }
    }

    /// Sends a packet of an honest player.
    fn send(&mut self, port: u64, packet: &[u8]) {
        self.recorded.push((address(port), packet.to_vec()));
        let id = self.players[&port].id;
        match self.filter.receive(address(port), &mut packet.to_vec()) {
            PacketEvent::Joined(joined, _, mut packet) => {
                assert_eq!(joined, id);
                self.last_heard_from.insert(id, self.now);
                self.players.get_mut(&port).unwrap().client.process_packet(&mut packet);
            }
            PacketEvent::Reply(_, mut packet) => {
                self.players.get_mut(&port).unwrap().client.process_packet(&mut packet);
            }
            PacketEvent::Message(from, message) => {
                assert_eq!((from, message), (id, b"hello".as_slice()));
                self.last_heard_from.insert(id, self.now);
            }
            PacketEvent::Left(left, ..) => {
                assert_eq!(left, id);
                self.last_heard_from.remove(&id);
            }
            PacketEvent::Nothing => {}
        }
    }

    /// Replays a recorded packet, from its own address or another.
    fn replay(&mut self) {
        if self.recorded.is_empty() {
            return;
        }
        let index = self.random.usize(..self.recorded.len());
        let (from, mut packet) = self.recorded[index].clone();
        let from = match self.random.u64(..3) {
            0 => address(self.random.u64(..12)),
            _ => from,
        };
        let event = self.filter.receive(from, &mut packet);
        assert!(
            matches!(event, PacketEvent::Nothing | PacketEvent::Reply(..)),
            "{event:?}"
        );
    }

    fn enter(&mut self, port: u64) {
        if self.players.contains_key(&port) || self.last_heard_from.len() >= 8 {
            return;
        }
        let id = self.next_id;
        self.next_id += 1;
        let client = NetcodeClient::new(self.now, token(id, server())).unwrap();
        let is_silent = false;
        self.players.insert(port, Player { id, client, is_silent });
    }

    /// A tick in which all active players send, and the attacker sends random replays.
    fn tick(&mut self, replays: u64) {
        self.now += TICK;
        for event in self.filter.advance(TICK) {
            match event {
                PacketEvent::Left(id, ..) => {
                    let last_heard_from = self.last_heard_from.remove(&id).expect("it was there");
                    assert!(self.now - last_heard_from >= GONE - TICK, "{id} was sent away");
                }
                PacketEvent::Reply(to, mut packet) => {
                    let to = self.players.iter_mut().find(|(port, _)| address(**port) == to);
                    let client = to.filter(|(_, player)| !player.is_silent).map(|(_, player)| player);
                    client.map(|player| player.client.process_packet(&mut packet).map(|_| ()));
                }
                event => panic!("{event:?}"),
            }
        }
        for (id, last_heard_from) in &self.last_heard_from {
            assert!(self.now - *last_heard_from <= GONE, "{id} is kept alive by others");
        }
        for port in self.players.keys().copied().collect::<Vec<_>>() {
            (0..self.random.u64(..replays + 1)).for_each(|_| self.replay());
            let player = self.players.get_mut(&port).unwrap();
            if player.is_silent {
                continue;
            }
            if let Some((packet, _)) = player.client.update(TICK) {
                let packet = packet.to_vec();
                self.send(port, &packet);
            }
            let player = self.players.get_mut(&port).unwrap();
            if let Ok((_, packet)) = player.client.generate_payload_packet(b"hello") {
                let packet = packet.to_vec();
                let id = player.id;
                self.send(port, &packet);
                assert_eq!(self.last_heard_from.get(&id), Some(&self.now), "a message was lost");
            }
        }
        (0..self.random.u64(..replays + 1)).for_each(|_| self.replay());
        let present: Vec<_> = self.filter.players().map(|(id, _)| id).collect();
        let mut expected: Vec<_> = self.last_heard_from.keys().copied().collect();
        expected.retain(|id| present.contains(id));
        assert_eq!(present.len(), expected.len(), "{present:?} {:?}", self.last_heard_from);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn replayed_traffic_admits_disconnects_and_keeps_alive_nobody(
        seed in any::<u64>(),
        replays in 0_u64..6,
        acts in prop::collection::vec((0_u64..8, 0_u64..4, 1_u64..40), 1..40),
    ) {
        let mut scene = Scene::new(seed);
        for (port, act, ticks) in acts {
            let plays = scene.players.get(&port).is_some_and(|player| player.client.is_connected());
            match act {
                // It disconnects.
                0 if plays => {
                    let mut player = scene.players.remove(&port).unwrap();
                    let packet = player.client.disconnect().unwrap().1.to_vec();
                    scene.players.insert(port, player);
                    scene.send(port, &packet);
                    scene.players.remove(&port);
                }
                // It stops sending, permanently.
                1 if plays => scene.players.get_mut(&port).unwrap().is_silent = true,
                _ => scene.enter(port),
            }
            (0..ticks).for_each(|_| scene.tick(replays));
        }
        // Silent players time out in the end, and the others are still connected.
        (0..3100).for_each(|tick| scene.tick(if tick % 50 == 0 { replays } else { 0 }));
        let playing = scene.players.values().filter(|player| !player.is_silent && player.client.is_connected());
        let mut playing: Vec<_> = playing.map(|player| player.id).collect();
        playing.sort_unstable();
        prop_assert_eq!(scene.last_heard_from.keys().copied().collect::<Vec<_>>(), playing);
    }
}

#[test]
fn a_used_token_admits_nothing_from_the_same_address_and_from_others() {
    let mut scene = Scene::new(1);
    scene.enter(0);
    (0..40).for_each(|_| scene.tick(0));
    let recorded = scene.recorded.clone();
    let disconnect = scene
        .players
        .get_mut(&0)
        .unwrap()
        .client
        .disconnect()
        .unwrap()
        .1
        .to_vec();
    scene.send(0, &disconnect);
    for _ in 0..1000 {
        for (from, packet) in &recorded {
            for from in [*from, address(7)] {
                assert_eq!(scene.filter.receive(from, &mut packet.clone()), PacketEvent::Nothing);
            }
        }
        assert_eq!(scene.filter.advance(TICK), []);
    }
    assert_eq!(scene.filter.players().count(), 0);
}

#[test]
fn requests_from_a_players_address_do_not_keep_it_alive() {
    let mut scene = Scene::new(1);
    scene.enter(0);
    (0..40).for_each(|_| scene.tick(0));
    let requests: Vec<_> = scene
        .recorded
        .iter()
        .filter(|(_, packet)| packet.len() > 300)
        .cloned()
        .collect();
    assert!(requests.len() >= 2, "a request and a response");
    let mut ticks = 0;
    while scene.filter.players().count() > 0 {
        for (from, packet) in &requests {
            scene.filter.receive(*from, &mut packet.clone());
        }
        scene.filter.advance(TICK);
        ticks += 1;
        assert!(TICK * ticks <= GONE);
    }
}

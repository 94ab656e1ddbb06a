//! States that are sent in several fragments.

use evenstep::history::Rewind;
use evenstep::{Rate, Step};
use evenstep_net::{Client, PlayerId, PredictedGame, Server, Snapshot};
use proptest::prelude::*;
use simulated_network::{Jitter, Link, LinkConditions};
use std::collections::BTreeMap;
use std::time::Duration;

const RATE: Rate = Rate::hz(60);

/// A game whose state has a given size.
#[derive(Debug, Default)]
struct Map(Vec<u8>);

impl Rewind for Map {
    type Saved = Vec<u8>;
    type Input = ();

    fn save(&self) -> Vec<u8> {
        self.0.clone()
    }

    fn restore(&mut self, saved: &Vec<u8>) {
        self.0.clone_from(saved);
    }

    fn step(&mut self, step: &Step, (): &()) {
        if let Some(tile) = self.0.get_mut(step.tick as usize) {
            *tile = tile.wrapping_add(1);
        }
    }
}

impl PredictedGame for Map {
    type PlayerInput = ();

    fn input(_: &[(PlayerId, ())]) {}
}

fn snapshot(bytes: usize) -> Snapshot {
    let map = (0..bytes).map(|byte| (byte * 7) as u8).collect();
    let mut server = Server::new(Map(map), RATE).unwrap();
    server.join(1);
    server.step(&Step::new(0, RATE));
    server.snapshot()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn a_fragmented_state_is_reassembled_in_any_order_and_between_invalid_packets(
        bytes in 0_usize..50_000,
        order in any::<u64>(),
    ) {
        let snapshot = snapshot(bytes);
        let mut messages: Vec<_> = snapshot.messages(1, None).collect();
        prop_assert!(messages.iter().all(|message| message.len() <= 1300));
        let turn = order as usize % messages.len();
        messages.rotate_left(turn);
        let (mut client, mut game) = (Client::new(1, RATE), Map::default());
        for message in messages {
            prop_assert_eq!(client.confirmed(), None);
            client.receive(Duration::ZERO, &[9; 40], &mut game);
            client.receive(Duration::ZERO, &message, &mut game);
        }
        prop_assert_eq!(client.confirmed(), Some(1));
        prop_assert_eq!(game.0.len(), bytes);
        prop_assert!(game.0.iter().enumerate().skip(1).all(|(index, tile)| *tile == (index * 7) as u8));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn every_fragmented_state_that_completes_in_order_arrives_on_a_network_with_jitter(
        seed in any::<u64>(),
        packets in 1_usize..=16,
        jitter in 0_u64..100,
    ) {
        let mut server = Server::new(Map(vec![0; packets * 880]), RATE).unwrap();
        let (mut client, mut game) = (Client::new(1, RATE), Map::default());
        let jitter = Jitter::Uniform(Duration::from_millis(jitter));
        let mut link = Link::new(LinkConditions { jitter, ..LinkConditions::default() }, seed);
        server.join(1);
        // The messages in flight by arrival time, and when the last message of each tick arrives.
        let mut wire = BTreeMap::new();
        let mut whole = BTreeMap::new();
        for tick in 0..60 {
            server.step(&Step::new(tick, RATE));
            for message in server.snapshot().messages(1, None) {
                let sent = Duration::from_micros(tick * 16_667);
                let arrival = link.transmit(sent).next().expect("nothing is lost");
                let last = whole.entry(server.tick()).or_insert(Duration::ZERO);
                *last = arrival.max(*last);
                wire.insert((arrival, wire.len()), message);
            }
        }
        let mut arrived = Vec::new();
        for ((now, _), message) in wire {
            client.receive(now, &message, &mut game);
            if client.confirmed() != arrived.last().copied() {
                arrived.extend(client.confirmed());
            }
        }
        // A state that completes after a newer one is outdated.
        let mut order: Vec<_> = whole.into_iter().map(|(tick, last)| (last, tick)).collect();
        order.sort_unstable();
        let mut newest = 0;
        order.retain(|(_, tick)| {
            let is_newer = *tick > newest;
            newest = newest.max(*tick);
            is_newer
        });
        let expected: Vec<_> = order.into_iter().map(|(_, tick)| tick).collect();
        prop_assert_eq!(arrived, expected);
    }
}

#[test]
fn a_state_that_is_too_large_is_counted_and_not_sent() {
    let large = snapshot(57_590);
    assert_eq!((large.total.unsent, large.messages(1, None).count()), (0, 64));
    let larger = snapshot(57_600);
    assert_eq!((larger.total.unsent, larger.messages(1, None).count()), (1, 0));
}

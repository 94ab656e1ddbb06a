//! States of many packets.

use evenstep::history::Rewind;
use evenstep::{Rate, Step};
use evenstep_net::{Client, Game, PlayerId, Server, Snapshot};
use proptest::prelude::*;
use std::time::Duration;

const RATE: Rate = Rate::hz(60);

/// A game whose state is so many bytes.
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

impl Game for Map {
    type Player = ();

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
    fn a_state_of_many_packets_arrives_in_any_order_and_with_rubbish_between(
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

#[test]
fn a_state_that_is_too_large_is_counted_and_not_sent() {
    let large = snapshot(57_590);
    assert_eq!((large.total.unsent, large.messages(1, None).count()), (0, 64));
    let larger = snapshot(57_600);
    assert_eq!((larger.total.unsent, larger.messages(1, None).count()), (1, 0));
}

//! What gets through the gate, and what becomes of the rest.

use std::net::SocketAddr;
use std::time::Duration;

use evenstep_net::renetcode::NetcodeClient;
use evenstep_net::{Counts, Gate, Passed};

use crate::door::{config, connected};

fn address(port: u16) -> SocketAddr {
    ([127, 0, 0, 1], port).into()
}

fn gate_and_client() -> (Gate, NetcodeClient) {
    let mut gate = Gate::new(config(address(1)));
    let client = connected(&mut gate, 5, address(1), address(9));
    (gate, client)
}

fn sealed(client: &mut NetcodeClient, message: &[u8]) -> Vec<u8> {
    client.generate_payload_packet(message).unwrap().1.to_vec()
}

/// What a gate counts while something is done to it.
fn counted(gate: &mut Gate, what: impl FnOnce(&mut Gate)) -> Counts {
    let before = gate.total();
    what(gate);
    let after = gate.total();
    let of = |count: fn(&Counts) -> u64| count(&after) - count(&before);
    let mut counts = Counts::default();
    counts.received = of(|counts| counts.received);
    counts.malformed = of(|counts| counts.malformed);
    counts.oversized = of(|counts| counts.oversized);
    counts.replayed = of(|counts| counts.replayed);
    counts.flooding = of(|counts| counts.flooding);
    counts
}

/// Received so many, of which so many were malformed, oversized, replayed, flooding.
fn counts(received: u64, [malformed, oversized, replayed, flooding]: [u64; 4]) -> Counts {
    let mut counts = Counts::default();
    (counts.received, counts.malformed, counts.oversized) = (received, malformed, oversized);
    (counts.replayed, counts.flooding) = (replayed, flooding);
    counts
}

#[test]
fn a_message_passes_once_and_its_replays_are_counted() {
    let (mut gate, mut client) = gate_and_client();
    let packet = sealed(&mut client, b"hello");
    assert_eq!(gate.take(address(9), &mut packet.clone()), Passed::Message(5, b"hello"));
    let counted = counted(&mut gate, |gate| {
        for _ in 0..100 {
            assert_eq!(gate.take(address(9), &mut packet.clone()), Passed::Nothing);
        }
        // From elsewhere it is no replay but nonsense.
        assert_eq!(gate.take(address(10), &mut packet.clone()), Passed::Nothing);
    });
    assert_eq!(counted, counts(101, [1, 0, 100, 0]));
    let of_player = gate.players().next().unwrap().1;
    assert_eq!((of_player.replayed, of_player.malformed), (100, 0));
}

#[test]
fn of_a_flood_of_messages_eight_a_tick_pass() {
    let (mut gate, mut client) = gate_and_client();
    for _ in 0..3 {
        let mut passed = 0;
        let counted = counted(&mut gate, |gate| {
            for _ in 0..500 {
                let mut packet = sealed(&mut client, b"hello");
                passed += u32::from(gate.take(address(9), &mut packet) == Passed::Message(5, b"hello"));
            }
        });
        assert_eq!(passed, 8);
        assert_eq!(counted, counts(500, [0, 0, 0, 492]));
        gate.advance(Duration::from_millis(16));
    }
}

#[test]
fn a_packet_with_any_bit_changed_does_not_pass() {
    let (mut gate, mut client) = gate_and_client();
    let packet = sealed(&mut client, b"hello");
    for bit in 0..packet.len() * 8 {
        let mut changed = packet.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let passed = gate.take(address(9), &mut changed);
        assert!(!matches!(passed, Passed::Message(..)), "bit {bit}: {passed:?}");
    }
    assert_eq!(gate.take(address(9), &mut packet.clone()), Passed::Message(5, b"hello"));
}

#[test]
fn no_first_byte_and_no_length_of_a_packet_makes_it_panic_also_from_who_is_connected() {
    let (mut gate, _client) = gate_and_client();
    let mut sent = 0;
    let counted = counted(&mut gate, |gate| {
        for first in 0..=255 {
            for fill in [0, 1, 0xfe, 0xff] {
                for length in (0..60).chain([1077, 1078, 1079, 1399, 1400, 1401, 65_507]) {
                    let mut packet = vec![fill; length];
                    packet.iter_mut().take(1).for_each(|byte| *byte = first);
                    assert_eq!(gate.take(address(9), &mut packet.clone()), Passed::Nothing);
                    assert_eq!(gate.take(address(10), &mut packet), Passed::Nothing);
                    sent += 2;
                }
            }
        }
    });
    assert_eq!((counted.received, counted.oversized), (sent, sent / 67 * 2));
    assert!(counted.malformed > sent / 2, "{counted:?}");
    assert_eq!(gate.players().count(), 1);
}

#[test]
fn who_says_goodbye_or_is_not_heard_any_more_is_gone() {
    let (mut gate, mut client) = gate_and_client();
    let mut goodbye = client.disconnect().unwrap().1.to_vec();
    assert_eq!(gate.take(address(9), &mut goodbye), Passed::Left(5, address(9), None));
    assert_eq!(gate.players().count(), 0);
    let _client = connected(&mut gate, 6, address(1), address(11));
    assert!(gate.seal(6, b"hello").is_some() && gate.seal(5, b"hello").is_none());
    let updates = gate.advance(Duration::from_secs(61));
    assert!(matches!(updates[..], [Passed::Left(6, _, Some(_))]), "{updates:?}");
    assert_eq!(gate.players().count(), 0);
}

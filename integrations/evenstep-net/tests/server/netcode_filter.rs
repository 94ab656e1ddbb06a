//! Which packets the netcode filter accepts, and how it counts the others.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use evenstep_net::renetcode::{ClientAuthentication, ConnectToken, NetcodeClient, ServerAuthentication};
use evenstep_net::{ConfigError, Counts, NetcodeFilter, PacketEvent};
use fastrand::Rng;
use proptest::prelude::*;

use crate::netcode_client::{config, connected, filter, token};

fn address(port: u16) -> SocketAddr {
    ([127, 0, 0, 1], port).into()
}

fn filter_and_client() -> (NetcodeFilter, NetcodeClient) {
    let mut filter = filter(config(address(1)));
    let client = connected(&mut filter, 5, address(1), address(9));
    (filter, client)
}

fn sealed(client: &mut NetcodeClient, message: &[u8]) -> Vec<u8> {
    client.generate_payload_packet(message).unwrap().1.to_vec()
}

/// The change of the counters during an action.
fn counted(filter: &mut NetcodeFilter, what: impl FnOnce(&mut NetcodeFilter)) -> Counts {
    let before = filter.total();
    what(filter);
    let after = filter.total();
    let of = |count: fn(&Counts) -> u64| count(&after) - count(&before);
    let mut counts = Counts::default();
    counts.received = of(|counts| counts.received);
    counts.malformed = of(|counts| counts.malformed);
    counts.oversized = of(|counts| counts.oversized);
    counts.replayed = of(|counts| counts.replayed);
    counts.flooding = of(|counts| counts.flooding);
    counts
}

/// Counters with the given numbers of received, malformed, oversized, replayed and flooding packets.
fn counts(received: u64, [malformed, oversized, replayed, flooding]: [u64; 4]) -> Counts {
    let mut counts = Counts::default();
    (counts.received, counts.malformed, counts.oversized) = (received, malformed, oversized);
    (counts.replayed, counts.flooding) = (replayed, flooding);
    counts
}

#[test]
fn a_message_is_accepted_once_and_its_replays_are_counted() {
    let (mut filter, mut client) = filter_and_client();
    let packet = sealed(&mut client, b"hello");
    assert_eq!(
        filter.receive(address(9), &mut packet.clone()),
        PacketEvent::Message(5, b"hello")
    );
    let counted = counted(&mut filter, |filter| {
        for _ in 0..100 {
            assert_eq!(filter.receive(address(9), &mut packet.clone()), PacketEvent::Nothing);
        }
        // From another address it is malformed, not a replay.
        assert_eq!(filter.receive(address(10), &mut packet.clone()), PacketEvent::Nothing);
    });
    assert_eq!(counted, counts(101, [1, 0, 100, 0]));
    let of_player = filter.players().next().unwrap().1;
    assert_eq!((of_player.replayed, of_player.malformed), (100, 0));
}

#[test]
fn a_packet_with_any_changed_bit_is_refused() {
    let (mut filter, mut client) = filter_and_client();
    let packet = sealed(&mut client, b"hello");
    for bit in 0..packet.len() * 8 {
        let mut changed = packet.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let event = filter.receive(address(9), &mut changed);
        assert!(!matches!(event, PacketEvent::Message(..)), "bit {bit}: {event:?}");
    }
    assert_eq!(
        filter.receive(address(9), &mut packet.clone()),
        PacketEvent::Message(5, b"hello")
    );
}

#[test]
fn no_first_byte_and_no_length_of_a_packet_causes_a_panic_even_from_a_connected_player() {
    let (mut filter, _client) = filter_and_client();
    let mut sent = 0;
    let counted = counted(&mut filter, |filter| {
        for first in 0..=255 {
            for fill in [0, 1, 0xfe, 0xff] {
                for length in (0..60).chain([1077, 1078, 1079, 1399, 1400, 1401, 65_507]) {
                    let mut packet = vec![fill; length];
                    packet.iter_mut().take(1).for_each(|byte| *byte = first);
                    assert_eq!(filter.receive(address(9), &mut packet.clone()), PacketEvent::Nothing);
                    assert_eq!(filter.receive(address(10), &mut packet), PacketEvent::Nothing);
                    sent += 2;
                }
            }
        }
    });
    assert_eq!((counted.received, counted.oversized), (sent, sent / 67 * 2));
    assert!(counted.malformed > sent / 2, "{counted:?}");
    assert_eq!(filter.players().count(), 1);
}

#[test]
fn a_player_that_disconnects_or_times_out_leaves() {
    let (mut filter, mut client) = filter_and_client();
    let mut disconnect = client.disconnect().unwrap().1.to_vec();
    assert_eq!(
        filter.receive(address(9), &mut disconnect),
        PacketEvent::Left(5, address(9), None)
    );
    assert_eq!(filter.players().count(), 0);
    let _client = connected(&mut filter, 6, address(1), address(11));
    assert!(filter.seal(6, b"hello").is_some() && filter.seal(5, b"hello").is_none());
    let updates = filter.advance(Duration::from_secs(61));
    assert!(matches!(updates[..], [PacketEvent::Left(6, _, Some(_))]), "{updates:?}");
    assert_eq!(filter.players().count(), 0);
}

#[test]
fn refused_tokens_are_counted_by_reason() {
    let refused = |at: u64, servers: Vec<SocketAddr>| {
        let mut filter = filter(config(address(1)));
        filter.advance(Duration::from_secs(at));
        let token = ConnectToken::generate(Duration::ZERO, 42, 600, 5, 60, servers, None, &[7; 32]);
        let connect_token = token.unwrap();
        let authentication = ClientAuthentication::Secure { connect_token };
        let mut client = NetcodeClient::new(Duration::ZERO, authentication).unwrap();
        let mut packet = client.update(Duration::ZERO).unwrap().0.to_vec();
        let is_answered = filter.receive(address(9), &mut packet) != PacketEvent::Nothing;
        let total = filter.total();
        (is_answered, [total.malformed, total.expired, total.misaddressed])
    };
    assert_eq!(refused(599, vec![address(2), address(1)]), (true, [0; 3]));
    // As if the clocks of two machines differed by ten minutes.
    assert_eq!(refused(600, vec![address(1)]), (false, [0, 1, 0]));
    assert_eq!(refused(0, vec![address(2)]), (false, [0, 0, 1]));
}

#[test]
fn a_public_address_that_no_client_can_send_to_is_an_error() {
    for address in ["0.0.0.0:5000", "[::]:5000", "127.0.0.1:0"] {
        let error = NetcodeFilter::new(config(address.parse().unwrap())).unwrap_err();
        assert!(error.to_string().contains(address), "{error}");
    }
    let mut nowhere = config(address(1));
    nowhere.public_addresses.clear();
    assert_eq!(NetcodeFilter::new(nowhere).unwrap_err(), ConfigError::NoAddress);
    // Without tokens the addresses are not checked.
    let mut open = config("0.0.0.0:5000".parse().unwrap());
    open.authentication = ServerAuthentication::Unsecure;
    assert!(NetcodeFilter::new(open).is_ok());
}

/// The sequence number of a packet, which is not encrypted.
fn number(packet: &[u8]) -> u64 {
    let digits = usize::from(packet[0] >> 4);
    let digits = packet[1..=digits].iter().rev();
    digits.fold(0, |number, digit| number << 8 | u64::from(*digit))
}

proptest! {
    #[test]
    fn no_two_packets_of_a_server_have_the_same_sequence_number_and_key(
        acts in prop::collection::vec((0_u64..4, 0_u64..5), 1..200),
    ) {
        let mut filter = filter(config(address(1)));
        let mut clients = BTreeMap::new();
        let mut numbers = BTreeSet::new();
        for (id, act) in acts {
            // A key belongs to a token, and each player has one token here.
            let new = || NetcodeClient::new(Duration::ZERO, token(id, address(1))).unwrap();
            let client = clients.entry(id).or_insert_with(new);
            let from = address(10 + id as u16);
            let mut sent = Vec::new();
            let sealed = |filter: &mut NetcodeFilter| filter.seal(id, b"hello").map(|(_, packet)| packet.to_vec());
            let of_reply = |event| match event {
                PacketEvent::Reply(to, packet) | PacketEvent::Joined(_, to, packet) | PacketEvent::Left(_, to, Some(packet)) => Some((to, packet)),
                _ => None,
            };
            match act {
                0 => sent.extend(filter.advance(Duration::from_millis(100)).into_iter().filter_map(of_reply)),
                1 => sent.extend(sealed(&mut filter).map(|packet| (from, packet))),
                2 => sent.extend(of_reply(filter.disconnect(id))),
                _ => if let Some((packet, _)) = client.update(Duration::from_millis(300)) {
                    let mut packet = packet.to_vec();
                    sent.extend(of_reply(filter.receive(from, &mut packet)));
                },
            }
            for (to, mut packet) in sent {
                prop_assert!(numbers.insert((to, number(&packet))), "twice {}", number(&packet));
                if let Some(client) = clients.get_mut(&u64::from(to.port() - 10)) {
                    client.process_packet(&mut packet);
                }
            }
        }
    }

    #[test]
    fn a_player_connects_at_any_packet_loss_below_100_percent(seed in any::<u64>(), lost in 0_u64..40) {
        let mut filter = filter(config(address(1)));
        let mut client = NetcodeClient::new(Duration::ZERO, token(5, address(1))).unwrap();
        let mut random = Rng::with_seed(seed);
        let mut arrives = || random.u64(..100) >= lost;
        let tick = Duration::from_millis(50);
        for _ in 0..290 {
            let mut asked = client.update(tick).map(|(packet, _)| packet.to_vec());
            let mut replies = filter.advance(tick);
            let asked = asked.as_mut().filter(|_| arrives());
            let event = asked.map(|packet| filter.receive(address(9), packet));
            if let Some(PacketEvent::Reply(to, packet) | PacketEvent::Joined(_, to, packet)) = event {
                replies.push(PacketEvent::Reply(to, packet));
            }
            for reply in replies {
                if let (PacketEvent::Reply(_, mut packet), true) = (reply, arrives()) {
                    client.process_packet(&mut packet);
                }
            }
            // A server sends a payload in each tick, and a payload does not confirm the connection.
            if let Some((_, packet)) = filter.seal(5, b"state") {
                client.process_packet(&mut packet.to_vec());
            }
        }
        prop_assert!(client.is_connected());
    }
}

/// Runs a client until it is connected, and returns how long that took; `None` after ten seconds.
fn enter(filter: &mut NetcodeFilter, client: &mut NetcodeClient, from: SocketAddr) -> Option<Duration> {
    let tick = Duration::from_millis(50);
    for ticks in 0..200 {
        if client.is_connected() {
            return Some(tick * ticks);
        }
        if let Some((packet, _)) = client.update(tick) {
            let mut packet = packet.to_vec();
            if let PacketEvent::Reply(_, mut packet) | PacketEvent::Joined(_, _, mut packet) =
                filter.receive(from, &mut packet)
            {
                client.process_packet(&mut packet);
            }
        }
        filter.advance(tick);
    }
    None
}

#[test]
fn a_restarted_player_reconnects_within_a_second_and_a_half() {
    for port in [9, 10] {
        let (mut filter, mut client) = filter_and_client();
        let mut message = sealed(&mut client, b"hello");
        filter.receive(address(9), &mut message);
        let mut restarted = NetcodeClient::new(Duration::ZERO, token(5, address(1))).unwrap();
        let took = enter(&mut filter, &mut restarted, address(port)).expect("it connects");
        assert!(took <= Duration::from_millis(1500), "{took:?}");
        assert_eq!(filter.players().count(), 1);
        // Packets of the old connection are refused.
        let mut late = sealed(&mut client, b"hello");
        assert_eq!(filter.receive(address(9), &mut late), PacketEvent::Nothing);
    }
}

#[test]
fn nobody_replaces_a_player_that_still_sends() {
    let (mut filter, mut client) = filter_and_client();
    let mut other = NetcodeClient::new(Duration::ZERO, token(5, address(1))).unwrap();
    for _ in 0..100 {
        let mut message = sealed(&mut client, b"hello");
        assert_eq!(
            filter.receive(address(9), &mut message),
            PacketEvent::Message(5, b"hello")
        );
        if let Some((packet, _)) = other.update(Duration::from_millis(50)) {
            let mut packet = packet.to_vec();
            if let PacketEvent::Reply(_, mut packet) = filter.receive(address(10), &mut packet) {
                other.process_packet(&mut packet);
            }
        }
        filter.advance(Duration::from_millis(50));
    }
    assert!(!other.is_connected());
}

/// A server without a key, and a connection request with forged claims.
fn unsecure_filter() -> NetcodeFilter {
    let mut open = config(address(1));
    open.authentication = ServerAuthentication::Unsecure;
    filter(open)
}

fn claim(id: u64, expires: u64, timeout: i32) -> NetcodeClient {
    let servers = vec![address(1)];
    let token = ConnectToken::generate(Duration::ZERO, 42, expires, id, timeout, servers, None, &[0; 32]);
    let connect_token = token.unwrap();
    NetcodeClient::new(Duration::ZERO, ClientAuthentication::Secure { connect_token }).unwrap()
}

#[test]
fn requests_that_never_expire_do_not_lock_a_server_without_a_key() {
    let mut filter = unsecure_filter();
    for port in 100..5100 {
        let mut client = claim(port.into(), u64::MAX, -1);
        let mut packet = client.update(Duration::ZERO).unwrap().0.to_vec();
        filter.receive(address(port), &mut packet);
    }
    let mut honest = claim(5, 300, 15);
    assert!(enter(&mut filter, &mut honest, address(9)).is_some());
}

#[test]
fn players_that_claim_never_to_time_out_do_time_out_without_a_key() {
    let mut filter = unsecure_filter();
    for id in 0..8 {
        let mut client = claim(id, u64::MAX, -1);
        enter(&mut filter, &mut client, address(100 + id as u16)).expect("it connects");
    }
    let mut honest = claim(50, 300, 15);
    assert_eq!(enter(&mut filter, &mut honest, address(9)), None);
    assert!(filter.total().denied > 0);
    (0..300).for_each(|_| _ = filter.advance(Duration::from_millis(50)));
    let mut honest = claim(50, 300, 15);
    assert!(enter(&mut filter, &mut honest, address(9)).is_some());
}

#[test]
fn a_hundred_players_join_at_once_and_a_hundred_more_each_second() {
    let mut many = config(address(1));
    many.max_clients = 1000;
    let mut filter = filter(many);
    let new = |id| NetcodeClient::new(Duration::ZERO, token(id, address(1))).unwrap();
    let mut clients: Vec<_> = (0..400).map(new).collect();
    let mut joined = 0;
    for tick in 0..80_u32 {
        for (port, client) in (100..).zip(&mut clients) {
            let Some((packet, _)) = client.update(Duration::from_millis(50)) else {
                continue;
            };
            let mut packet = packet.to_vec();
            let event = filter.receive(address(port), &mut packet);
            joined += u32::from(matches!(event, PacketEvent::Joined(..)));
            if let PacketEvent::Reply(_, mut packet) | PacketEvent::Joined(_, _, mut packet) = event {
                client.process_packet(&mut packet);
            }
        }
        filter.advance(Duration::from_millis(50));
        assert!(joined <= 100 + 5 * tick, "{joined} after {tick} ticks");
    }
    assert_eq!(joined, 400);
}

#[test]
fn a_request_replayed_from_many_addresses_displaces_no_other_client() {
    let mut filter = filter(config(address(1)));
    let mut stolen = NetcodeClient::new(Duration::ZERO, token(6, address(1))).unwrap();
    let request = stolen.update(Duration::ZERO).unwrap().0.to_vec();
    let mut honest = NetcodeClient::new(Duration::ZERO, token(5, address(1))).unwrap();
    let mut asked = honest.update(Duration::ZERO).unwrap().0.to_vec();
    let PacketEvent::Reply(_, mut challenge) = filter.receive(address(9), &mut asked) else {
        panic!("no challenge");
    };
    let answered =
        (100..6100).filter(|port| filter.receive(address(*port), &mut request.clone()) != PacketEvent::Nothing);
    assert_eq!(answered.count(), 4);
    honest.process_packet(&mut challenge);
    let mut answer = honest.update(Duration::ZERO).unwrap().0.to_vec();
    assert!(matches!(
        filter.receive(address(9), &mut answer),
        PacketEvent::Joined(5, ..)
    ));
}

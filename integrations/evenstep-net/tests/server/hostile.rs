//! Messages of all kinds: they cost nobody else an input, and nothing panics.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, SimTime, Tick};
use evenstep_net::{
    Client, ClientMessage, Hello, Inbox, InputReport, PlayerId, Pong, Server, ServerMessage, TickInput,
};
use proptest::prelude::*;

use crate::balls::Balls;
use crate::world::RATE;

fn any_tick() -> impl Strategy<Value = Tick> {
    prop_oneof![6 => 0..300_u64, 1 => any::<Tick>(), 1 => Tick::MAX - 100..=Tick::MAX]
}

fn any_time() -> impl Strategy<Value = Duration> {
    prop_oneof![
        6 => (0..4_000_000_000_u64).prop_map(Duration::from_nanos),
        1 => (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(secs, nanos)| Duration::new(secs, nanos)),
    ]
}

prop_compose! {
    fn any_pong()(sent in any_time(), received in any_time(), replied in any_time(), simulated in any_time()) -> Pong {
        Pong { sent, received, replied, arrived: Duration::ZERO, simulated }
    }
}

prop_compose! {
    fn any_server_message()(
        tick in any_tick(),
        players in prop::collection::vec(any::<(PlayerId, i8, u32)>(), 0..4),
        pong in any_pong(),
        reports in prop::collection::vec((any_tick(), any::<i64>()), 0..20),
    ) -> ServerMessage<<Balls as evenstep::history::Rewind>::Saved, i8> {
        let players = players.into_iter().map(|(player, input, repeats)| TickInput { player, input, repeats }).collect();
        let reports = reports.into_iter().map(|(tick, early)| InputReport { tick, early }).collect();
        ServerMessage { tick, players, pong, reports, ..ServerMessage::default() }
    }
}

proptest! {
    #[test]
    fn whatever_one_player_sends_the_inputs_of_another_count_and_the_reports_are_bounded(
        // As many messages between two ticks as at 3000 a second and 60 Hz.
        attack in prop::collection::vec(prop::collection::vec((any_tick(), 0..200_usize, any_time()), 0..50), 1..60),
    ) {
        let mut inbox = Inbox::new(RATE);
        inbox.join(1);
        inbox.join(2);
        for (tick, messages) in (0..).zip(&attack) {
            for (first, count, simulated) in messages {
                inbox.receive(1, *first, &vec![100_i8; *count], SimTime::at(*simulated));
                inbox.receive(3, *first, &vec![100_i8; *count], SimTime::at(*simulated));
            }
            inbox.receive(2, tick, &[tick as i8], SimTime::at_tick(tick, RATE));
            let taken = inbox.take(tick);
            let honest = TickInput { player: 2, input: tick as i8, repeats: 0 };
            prop_assert_eq!((taken.len(), taken[0].player, taken[1]), (2, 1, honest));
            prop_assert!(inbox.reports(1).count() <= 16);
        }
        prop_assert_eq!(inbox.counts(2).unwrap().missing, 0);
    }

    #[test]
    fn no_message_of_a_client_and_no_time_stops_a_server(
        calls in prop::collection::vec((any_time(), 1..3_u64, any_tick(), 0..200_usize, any_time()), 1..60),
    ) {
        let mut server = Server::new(Balls::default(), FixedTimestep::new(RATE));
        server.join(1);
        let (mut honest, mut is_known) = (Duration::ZERO, false);
        for (now, id, first, count, sent) in calls {
            let hello = Hello { player: id, rate: RATE };
            let message = ClientMessage { hello, sent, confirmed: Some(first), first, inputs: vec![1; count] };
            prop_assert_eq!(server.receive(now, id, &message), Ok(()));
            is_known |= id == 1;
            prop_assert!(server.message(now, 1).is_some() == is_known && server.message(now, 2).is_none());
            honest += Duration::from_millis(20);
            let before = server.tick();
            let _ = server.frame(honest);
            prop_assert!(server.tick() > before);
        }
    }

    #[test]
    fn no_message_of_a_server_and_no_time_panics_a_client(
        hertz in 1..1_000_u32,
        calls in prop::collection::vec((any_time(), any_server_message(), any_time()), 1..60),
    ) {
        let (mut client, mut game) = (Client::new(1, Rate::hz(hertz)), Balls::default());
        for (arrived, message, now) in calls {
            let (tick, newest) = (message.tick, client.confirmed());
            client.receive(arrived, message, &mut game);
            prop_assert_eq!(client.confirmed(), newest.max(Some(tick)));
            let _ = client.frame(now, &mut game, |_| 1);
            if let Some(message) = client.message() {
                prop_assert!(message.inputs.len() <= 64 && message.first.checked_add(message.inputs.len() as u64).is_some());
            }
        }
    }
}

#[test]
fn inputs_for_the_largest_ticks_are_early() {
    let mut inbox = Inbox::new(RATE);
    inbox.join(0);
    for (first, early) in [
        (Tick::MAX - 3, 3),
        (Tick::MAX - 2, 6),
        (Tick::MAX - 1, 8),
        (Tick::MAX, 9),
    ] {
        inbox.receive(0, first, &[1; 3], SimTime::ZERO);
        assert_eq!(inbox.total().early, early);
    }
}

#[test]
fn a_player_that_leaves_takes_its_inputs_along() {
    let mut inbox = Inbox::new(RATE);
    inbox.join(1);
    inbox.receive(1, 0, &[5, 5, 5], SimTime::ZERO);
    inbox.join(1);
    let one = |input, repeats| {
        [TickInput {
            player: 1,
            input,
            repeats,
        }]
    };
    assert_eq!(inbox.take(0), one(5, 0), "it already takes part");
    inbox.leave(1);
    inbox.join(1);
    assert_eq!(inbox.take(1), one(0, 1));
    assert_eq!((inbox.reports(1).count(), inbox.players().len()), (0, 1));
}

#[test]
fn inputs_are_kept_for_64_ticks_from_the_next_one_on_and_an_earlier_one_is_late() {
    let mut inbox = Inbox::new(RATE);
    inbox.join(1);
    let counted = |inbox: &Inbox<i8>| inbox.counts(1).map(|counts| (counts.early, counts.late));
    inbox.receive(1, 63, &[7, 8], SimTime::ZERO);
    assert_eq!(counted(&inbox), Some((1, 0)));
    let taken: Vec<i8> = (0..66).map(|tick| inbox.take(tick)[0].input).collect();
    assert_eq!((taken[62], taken[63], taken[64]), (0, 7, 7));
    assert_eq!(inbox.counts(1).unwrap().missing, 2);
    inbox.receive(1, 65, &[1, 2], SimTime::ZERO);
    assert_eq!(counted(&inbox), Some((1, 1)));
}

#[test]
fn the_newest_sixteen_reports_of_a_player_are_kept() {
    let mut inbox = Inbox::new(RATE);
    inbox.join(1);
    for count in [15, 16, 17, 40] {
        inbox.receive(1, 0, &vec![0_i8; count], SimTime::ZERO);
        let ticks = inbox.reports(1).map(|report| report.tick);
        let count = count as Tick;
        assert!(ticks.eq(count.saturating_sub(16)..count), "after {count}");
    }
}

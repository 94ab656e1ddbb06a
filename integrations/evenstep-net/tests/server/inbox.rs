//! The bounds on what reaches a tick of the server.

use std::collections::BTreeMap;

use evenstep::{SimTime, Step};
use evenstep_net::{ClientMessage, Inbox, PlayerId, ReceivedStates, Server};
use proptest::prelude::*;

use crate::balls::Balls;
use crate::world::RATE;

#[derive(Clone, Debug)]
enum Came {
    Join(PlayerId),
    Leave(PlayerId),
    Message(PlayerId),
    Tick,
}

fn came() -> impl Strategy<Value = Came> {
    prop_oneof![
        (0..4_u64).prop_map(Came::Join),
        (0..4_u64).prop_map(Came::Leave),
        (0..4_u64).prop_map(Came::Message),
        (0..4_u64).prop_map(Came::Message),
        Just(Came::Tick),
    ]
}

proptest! {
    #[test]
    fn an_inbox_drops_only_the_oldest_excess_messages(
        came in prop::collection::vec((came(), 1_usize..12), 0..120),
    ) {
        let mut server = Server::new(Balls::default(), RATE).unwrap();
        let mut model = Server::new(Balls::default(), RATE).unwrap();
        let mut inbox = Inbox::new();
        let mut waiting = BTreeMap::<PlayerId, Vec<ClientMessage<i8>>>::new();
        let mut number = 0;
        for (came, times) in came {
            match came {
                Came::Join(id) => {
                    inbox.join(id);
                    model.leave(id);
                    model.join(id);
                    waiting.insert(id, Vec::new());
                }
                Came::Leave(id) => {
                    inbox.leave(id);
                    model.leave(id);
                    waiting.remove(&id);
                }
                Came::Message(id) => for _ in 0..times {
                    number += 1;
                    // Each message has a different input for the same tick: this shows which one counts.
                    let message = ClientMessage { sent: 0, received: ReceivedStates::default(), first: server.tick(), inputs: vec![number as i8] };
                    let mut expected = false;
                    if let Some(waiting) = waiting.get_mut(&id) {
                        expected = waiting.len() < 8;
                        waiting.push(message.clone());
                        waiting.drain(..waiting.len().saturating_sub(8));
                    }
                    prop_assert_eq!(inbox.push(id, message, SimTime::default()), expected);
                },
                Came::Tick => {
                    for (id, waiting) in &mut waiting {
                        for message in waiting.drain(..) {
                            model.receive(*id, &message, SimTime::default());
                        }
                    }
                    server.receive_all(&mut inbox);
                    let step = Step::new(server.tick(), RATE);
                    server.step(&step);
                    model.step(&step);
                    prop_assert_eq!(server.last_inputs(), model.last_inputs());
                    prop_assert_eq!(server.game().bytes(), model.game().bytes());
                }
            }
        }
    }
}

#[test]
fn a_flood_costs_no_other_player_a_message() {
    let mut server = Server::new(Balls::default(), RATE).unwrap();
    let mut inbox = Inbox::new();
    let message = |input| ClientMessage {
        sent: 0,
        received: ReceivedStates::default(),
        first: 0,
        inputs: vec![input],
    };
    (0..1024).for_each(|id| inbox.join(id));
    assert!(inbox.push(7, message(5), SimTime::default()));
    for id in (0..1024).filter(|id| *id != 7) {
        let put = (0..100).filter(|_| inbox.push(id, message(1), SimTime::default()));
        assert_eq!(put.count(), 8);
    }
    server.receive_all(&mut inbox);
    server.step(&Step::new(0, RATE));
    assert_eq!(server.last_inputs()[7], (7, 5));
}

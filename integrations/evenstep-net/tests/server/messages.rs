//! The messages between servers and clients.

use evenstep::network::InputReport;
use evenstep_net::{ClientMessage, Echo, ReceivedFragments, ReceivedStates, ServerMessage};
use proptest::prelude::*;

fn received() -> impl Strategy<Value = ReceivedStates> {
    let partial = any::<(u64, u16, u64)>().prop_map(|(tick, first, next)| ReceivedFragments { tick, first, next });
    let received = (any::<Option<u64>>(), prop::option::of(partial));
    received.prop_map(|(complete, partial)| ReceivedStates { complete, partial })
}

fn echo() -> impl Strategy<Value = Echo> {
    any::<[u64; 4]>().prop_map(|[sent, received, replied, simulated]| Echo {
        sent,
        received,
        replied,
        simulated,
    })
}

proptest! {
    #[test]
    fn client_messages_round_trip(
        sent in any::<u64>(),
        received in received(),
        first in 0..u64::MAX - 12,
        inputs in prop::collection::vec(any::<(i8, u16)>(), 0..=12),
    ) {
        let message = ClientMessage { sent, received, first, inputs };
        prop_assert_eq!(ClientMessage::decode(&message.encode()), Some(message));
    }

    #[test]
    fn server_messages_round_trip(
        tick in any::<u64>(),
        before in any::<Option<u64>>(),
        fragments in 1_u16..=16_384,
        fragment in any::<prop::sample::Index>(),
        echo in prop::option::of(echo()),
        reports in prop::collection::vec(any::<(u64, i64)>(), 0..=16),
        body in prop::collection::vec(any::<u8>(), 0..=900),
    ) {
        let reports = reports.into_iter().map(|(tick, early)| InputReport { tick, early }).collect();
        let fragment = fragment.index(fragments.into()) as u16;
        let message = ServerMessage { tick, before, fragment, fragments, echo, reports, body: &body };
        let bytes = message.encode();
        prop_assert!(bytes.len() <= 1300);
        prop_assert_eq!(ServerMessage::decode(&bytes), Some(message));
    }

    #[test]
    fn any_bytes_decode_to_none_or_to_a_message_that_round_trips(
        bytes in prop::collection::vec(prop_oneof![Just(0_u8), Just(1), any::<u8>()], 0..60),
    ) {
        if let Some(message) = ClientMessage::<(i8, u16)>::decode(&bytes) {
            prop_assert!(message.inputs.len() <= 12);
            prop_assert_eq!(ClientMessage::decode(&message.encode()), Some(message));
        }
        if let Some(message) = ServerMessage::decode(&bytes) {
            prop_assert!(message.fragment < message.fragments.max(1) && message.fragments <= 16_384 && message.reports.len() <= 16);
            let encoded = message.encode();
            prop_assert_eq!(ServerMessage::decode(&encoded), Some(message));
        }
    }
}

#[test]
fn a_message_with_a_missing_or_an_extra_byte_is_refused() {
    let message = ClientMessage {
        sent: 7,
        received: ReceivedStates::default(),
        first: 3,
        inputs: vec![1_i8, 2, 3],
    };
    let mut bytes = message.encode();
    for length in 0..bytes.len() {
        assert_eq!(ClientMessage::<i8>::decode(&bytes[..length]), None);
    }
    bytes.push(0);
    assert_eq!(ClientMessage::<i8>::decode(&bytes), None);
}

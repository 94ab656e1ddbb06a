//! A server runs its ticks and a client its frames with any packets.
#![no_main]

use std::net::SocketAddr;
use std::time::Duration;

use arbitrary::Arbitrary;
use evenstep::history::Rewind;
use evenstep::{Rate, SimTime, Step};
use evenstep_net::renetcode::{ClientAuthentication, NetcodeClient, ServerAuthentication, ServerConfig};
use evenstep_net::{
    Client, ClientMessage, NetcodeFilter, Outbox, PacketEvent, PlayerId, PredictedGame, ReceivedFragments, ReceivedStates,
    Server, ServerMessage,
};
use libfuzzer_sys::fuzz_target;

const RATE: Rate = Rate::hz(60);

#[derive(Arbitrary, Debug)]
enum Event {
    /// Bytes from an unknown address, or from the address of the client.
    Bytes { from_client: bool, bytes: Vec<u8> },
    /// Bytes that the client has encrypted.
    Message(Vec<u8>),
    /// A message that the client has encrypted.
    Inputs { sent: u64, complete: Option<u64>, partial: Option<(u64, u16, u64)>, first: u64, inputs: Vec<u8> },
    /// The client's last packet again, with one byte changed.
    Again { at: u16, bits: u8 },
    Tick,
    /// Bytes as if from the server.
    ToClient(Vec<u8>),
    Frame(u16),
}

#[derive(Default)]
struct Sum(Vec<u64>);

impl Rewind for Sum {
    type Saved = Vec<u64>;
    type Input = u64;
    fn save(&self) -> Vec<u64> {
        self.0.clone()
    }
    fn restore(&mut self, saved: &Vec<u64>) {
        self.0.clone_from(saved);
    }
    fn step(&mut self, _: &Step, input: &u64) {
        self.0.resize((input % 300) as usize, *input);
    }
}

impl PredictedGame for Sum {
    type PlayerInput = u8;
    fn input(players: &[(PlayerId, u8)]) -> u64 {
        players.iter().map(|(_, input)| u64::from(*input)).sum()
    }
}

fuzz_target!(|events: Vec<Event>| {
    let address = |port| SocketAddr::from(([127, 0, 0, 1], port));
    let mut filter = NetcodeFilter::new(ServerConfig {
        current_time: Duration::ZERO,
        max_clients: 2,
        protocol_id: 1,
        public_addresses: vec![address(1)],
        authentication: ServerAuthentication::Unsecure,
    })
    .unwrap();
    let authentication = ClientAuthentication::Unsecure {
        protocol_id: 1,
        client_id: 5,
        server_addr: address(1),
        user_data: None,
    };
    let mut netcode = NetcodeClient::new(Duration::ZERO, authentication).unwrap();
    while !netcode.is_connected() {
        let (packet, _) = netcode.update(Duration::from_secs(1)).unwrap();
        let mut packet = packet.to_vec();
        let event = filter.receive(address(2), &mut packet);
        if let PacketEvent::Reply(_, mut packet) | PacketEvent::Joined(_, _, mut packet) = event {
            netcode.process_packet(&mut packet);
        }
    }
    let (mut server, mut client, mut game) = (Server::new(Sum::default(), RATE).unwrap(), Client::new(5, RATE), Sum::default());
    server.join(5);
    let mut outbox = Outbox::new();
    outbox.join(5);
    let (mut now, mut last, mut received) = (Duration::ZERO, Vec::new(), filter.total().received);
    for event in events {
        let mut from = address(2);
        let mut packet = match event {
            Event::Bytes { from_client, bytes } => {
                from = address(if from_client { 2 } else { 3 });
                bytes
            }
            Event::Message(bytes) => match netcode.generate_payload_packet(&bytes) {
                Ok((_, packet)) => packet.to_vec(),
                Err(_) => continue,
            },
            Event::Inputs { sent, complete, partial, first, inputs } => {
                let partial = partial.map(|(tick, first, next)| ReceivedFragments { tick, first, next });
                let received = ReceivedStates { complete, partial };
                let bytes = ClientMessage { sent, received, first, inputs }.encode();
                netcode.generate_payload_packet(&bytes).unwrap().1.to_vec()
            }
            Event::Again { at, bits } => {
                let mut packet: Vec<u8> = last.clone();
                if let Some(byte) = packet.get_mut(usize::from(at)) {
                    *byte ^= bits;
                }
                packet
            }
            Event::Tick => {
                server.step(&Step::new(server.tick(), RATE));
                filter.advance(Duration::from_millis(16));
                let messages = outbox.messages(&server.snapshot(), 5, None);
                assert!((1..=8).contains(&messages.len()));
                for message in messages {
                    assert!(filter.seal(5, &message).is_some() || filter.players().count() == 0);
                    client.receive(now, &message, &mut game);
                }
                continue;
            }
            Event::ToClient(bytes) => {
                if let Some(message) = ServerMessage::decode(&bytes) {
                    assert_eq!(ServerMessage::decode(&message.encode()), Some(message));
                }
                client.receive(now, &bytes, &mut game);
                continue;
            }
            Event::Frame(ms) => {
                now += Duration::from_millis(ms.into());
                let _ = client.frame(now, &mut game, |tick| tick as u8);
                if let Some(message) = client.message() {
                    // What an honest client says reaches the server too, so that states are sent as differences.
                    outbox.receive(5, &ClientMessage::<u8>::decode(&message).expect("it was encoded"));
                }
                continue;
            }
        };
        received += 1;
        last = packet.clone();
        if let PacketEvent::Message(id, message) = filter.receive(from, &mut packet) {
            if let Some(message) = ClientMessage::decode(message) {
                outbox.receive(id, &message);
                server.receive(id, &message, SimTime::at_tick(server.tick(), RATE));
            }
        }
        assert_eq!(filter.total().received, received);
    }
});

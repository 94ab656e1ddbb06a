//! States that take several messages, at once and spread over several ticks.

use std::time::Duration;

use evenstep::history::Rewind;
use evenstep::{Rate, Step, Tick};
use evenstep_net::{
    Client, ClientMessage, Outbox, PlayerId, PredictedGame, ReceivedFragments, ReceivedStates, Server, ServerMessage,
    Snapshot,
};
use fastrand::Rng;
use proptest::prelude::*;
use simulated_network::{Jitter, LinkConditions, SimulatedNetwork};

const RATE: Rate = Rate::hz(60);
const PERIOD: Duration = Duration::from_nanos(16_666_667);

/// A game whose state has a given size, and changes in each tick at one place.
#[derive(Debug, Default)]
struct Map(Vec<u32>);

impl Rewind for Map {
    type Saved = Vec<u32>;
    type Input = ();

    fn save(&self) -> Vec<u32> {
        self.0.clone()
    }

    fn restore(&mut self, saved: &Vec<u32>) {
        self.0.clone_from(saved);
    }

    fn step(&mut self, step: &Step, (): &()) {
        let count = self.0.len().max(1);
        if let Some(tile) = self.0.get_mut(step.tick as usize % count) {
            *tile = tile.wrapping_mul(5).wrapping_add(1);
        }
    }
}

impl PredictedGame for Map {
    type PlayerInput = ();

    fn input(_: &[(PlayerId, ())]) {}
}

/// The server of a map of random numbers, which nothing makes smaller, and its outbox.
fn server(numbers: usize, players: PlayerId) -> (Server<Map>, Outbox) {
    let mut random = Rng::with_seed(5);
    let map = (0..numbers).map(|_| random.u32(..)).collect();
    let (mut server, mut outbox) = (Server::new(Map(map), RATE).unwrap(), Outbox::new());
    for id in 1..=players {
        server.join(id);
        outbox.join(id);
    }
    (server, outbox)
}

fn step(server: &mut Server<Map>) -> Snapshot {
    server.step(&Step::new(server.tick(), RATE));
    server.snapshot()
}

fn received(sent: u64, complete: Option<Tick>, partial: Option<ReceivedFragments>) -> ClientMessage<()> {
    ClientMessage {
        sent,
        received: ReceivedStates { complete, partial },
        first: 0,
        inputs: Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_client_that_has_nothing_gets_a_state_of_any_size_and_each_one_after_it_on_any_network(
        seed in any::<u64>(),
        numbers in 0_usize..40_000,
        (delay, jitter, loss) in (0_u64..150, 0_u64..40, 0_u8..30),
        goes_deaf in any::<bool>(),
    ) {
        let conditions = LinkConditions {
            delay: Duration::from_millis(delay),
            jitter: Jitter::Uniform(Duration::from_millis(jitter)),
            loss_percent: loss.into(),
            duplicate_percent: 5.into(),
            ..LinkConditions::default()
        };
        let deaf = LinkConditions { loss_percent: 100.into(), ..conditions };
        let mut network = SimulatedNetwork::new(seed, conditions);
        let (mut server, mut outbox) = server(numbers, 1);
        let (mut client, mut game) = (Client::<Map>::new(1, RATE), Map::default());
        let mut states = Vec::new();
        let mut confirmed = None;
        let mut times = 0;
        while times < 30 {
            prop_assert!(server.tick() < 3000, "{} states arrived", times);
            let snapshot = step(&mut server);
            if goes_deaf {
                let is_deaf = (150..350).contains(&server.tick());
                network.set_conditions(if is_deaf { deaf } else { conditions });
            }
            states.push(server.game().0.clone());
            let messages = outbox.messages(&snapshot, 1, None);
            prop_assert!((1..=8).contains(&messages.len()));
            for message in messages {
                prop_assert!(message.len() <= 1300);
                network.send(0, 1, message);
            }
            network.advance(PERIOD);
            while let Some((_, to, bytes)) = network.receive_any() {
                if to == 0 {
                    outbox.receive(1, &ClientMessage::<()>::decode(&bytes).unwrap());
                    continue;
                }
                client.receive(network.now(), &[9; 40], &mut game);
                client.receive(network.now(), &bytes, &mut game);
                if client.confirmed() != confirmed {
                    confirmed = client.confirmed();
                    times += 1;
                    // The client runs no steps, so the game is in the server's state.
                    let tick = confirmed.unwrap();
                    prop_assert!(game.0 == states[tick as usize - 1], "the state of tick {}", tick);
                    if goes_deaf && tick < 350 {
                        times = 0;
                    }
                }
            }
            let _ = client.frame(network.now(), &mut game, |_| ());
            if let Some(message) = client.message() {
                network.send(1, 0, message);
            }
        }
    }
}

proptest! {
    #[test]
    fn any_acknowledgements_of_a_client_cost_at_most_eight_messages_a_tick_and_change_nothing_for_others(
        acknowledged in prop::collection::vec((any::<Option<u8>>(), any::<Option<(u8, u16, u64)>>(), any::<bool>()), 1..150),
    ) {
        let (mut server, mut outbox) = server(6000, 2);
        let (mut other, mut alone) = (outbox.clone(), outbox.clone());
        // Ticks of the future, of ages ago, and of the present.
        for (sent, (complete, partial, is_near)) in acknowledged.into_iter().enumerate() {
            let snapshot = step(&mut server);
            let tick = |number: u8| match is_near {
                true => server.tick().saturating_sub(u64::from(number) % 4),
                false => (u64::from(number) << 56) | u64::from(number % 64),
            };
            let partial = partial.map(|(of, first, next)| ReceivedFragments { tick: tick(of), first, next });
            outbox.receive(1, &received(sent as u64, complete.map(tick), partial));
            let messages = outbox.messages(&snapshot, 1, None);
            prop_assert!((1..=8).contains(&messages.len()));
            prop_assert!(messages.iter().all(|message| message.len() <= 1300));
            let honest = received(sent as u64, Some(server.tick() - 1), None);
            outbox.receive(2, &honest);
            other.receive(2, &honest);
            prop_assert_eq!(outbox.messages(&snapshot, 2, None), other.messages(&snapshot, 2, None));
            alone.leave(1);
            prop_assert_eq!(alone.messages(&snapshot, 1, None), Vec::<Vec<u8>>::new());
        }
    }
}

#[test]
fn a_client_that_claims_to_have_lost_everything_is_sent_each_state_in_full_before_the_next() {
    let (mut server, mut outbox) = server(20_000, 1);
    let (mut ticks, mut sent) = (std::collections::BTreeMap::<Tick, usize>::new(), 0);
    for _ in 0..200 {
        let snapshot = step(&mut server);
        for message in outbox.messages(&snapshot, 1, None) {
            let message = ServerMessage::decode(&message).unwrap();
            *ticks.entry(message.tick).or_default() += usize::from(message.fragments > 0);
            sent = usize::from(message.fragments);
            // It says that it has this state, every fragment of it, and then nothing.
            let all = ReceivedFragments {
                tick: message.tick,
                first: u16::MAX,
                next: u64::MAX,
            };
            outbox.receive(1, &received(server.tick(), None, Some(all)));
            outbox.receive(1, &received(server.tick(), None, None));
        }
    }
    assert!(sent > 80, "{sent} fragments");
    let whole = ticks.values().rev().skip(1).filter(|count| **count > 0);
    assert!(
        whole.clone().count() > 10 && whole.clone().all(|count| *count == sent),
        "{ticks:?}"
    );
}

#[test]
fn a_state_of_a_megabyte_arrives_and_one_with_too_many_values_is_counted_and_not_sent() {
    let (mut server, mut outbox) = server(250_000, 1);
    let (mut client, mut game) = (Client::new(1, RATE), Map::default());
    while client.confirmed().is_none() {
        for message in outbox.messages(&step(&mut server), 1, None) {
            client.receive(Duration::ZERO, &message, &mut game);
        }
    }
    assert_eq!(game.0.len(), 250_000);
    let too_large = Server::new(Map(vec![0; 1 << 20]), RATE).err();
    assert!(too_large.is_some_and(|error| error.to_string().contains("1048576 values")));
    let (mut grown, mut outbox) = (Server::new(Grown::default(), RATE).unwrap(), Outbox::new());
    grown.join(1);
    outbox.join(1);
    grown.step(&Step::new(0, RATE));
    let snapshot = grown.snapshot();
    assert_eq!(
        (snapshot.total.unsent, outbox.messages(&snapshot, 1, None).len()),
        (1, 0)
    );
}

/// A game whose state grows beyond what is sent.
#[derive(Debug, Default)]
struct Grown(Vec<u8>);

impl Rewind for Grown {
    type Saved = Vec<u8>;
    type Input = ();

    fn save(&self) -> Vec<u8> {
        self.0.clone()
    }

    fn restore(&mut self, saved: &Vec<u8>) {
        self.0.clone_from(saved);
    }

    fn step(&mut self, _: &Step, (): &()) {
        self.0 = vec![0; 1 << 20];
    }
}

impl PredictedGame for Grown {
    type PlayerInput = ();

    fn input(_: &[(PlayerId, ())]) {}
}

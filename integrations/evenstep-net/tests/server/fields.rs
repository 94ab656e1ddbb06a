//! Rounded fields, and what a player may not see.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use evenstep::history::Rewind;
use evenstep::{FixedTimestep, SimTime, Step};
use evenstep_net::{
    Client, ClientMessage, Echo, Inbox, Outbox, PlayerId, PredictedGame, Quantized, QuantizedRotation, Server, View,
};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use simulated_network::{Jitter, LinkConditions, SimulatedNetwork};

use crate::world::RATE;

const MS: Duration = Duration::from_millis(1);

/// The server's address; clients have their player's.
const SERVER: PlayerId = PlayerId::MAX;

/// A unit of a player, which turns and flies by its player's input.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Unit {
    #[serde(with = "Quantized::<64>")]
    position: [f64; 2],
    #[serde(with = "Quantized::<1000>")]
    speed: f32,
    #[serde(with = "QuantizedRotation::<12>")]
    rotation: [f32; 4],
    exact: f64,
}

/// Units that see only those of their own team: players with even and with odd ids.
#[derive(Clone, Debug, Default)]
struct Teams {
    units: BTreeMap<PlayerId, Unit>,
    /// Each player sees everything.
    is_open: bool,
    /// All players that this game has heard from, by a state or by an input.
    heard_of: BTreeSet<PlayerId>,
}

impl Rewind for Teams {
    type Saved = BTreeMap<PlayerId, Unit>;
    type Input = Vec<(PlayerId, i8)>;

    fn save(&self) -> Self::Saved {
        self.units.clone()
    }

    fn restore(&mut self, saved: &Self::Saved) {
        self.units.clone_from(saved);
        self.heard_of.extend(saved.keys());
    }

    fn step(&mut self, step: &Step, players: &Self::Input) {
        self.heard_of.extend(players.iter().map(|(id, _)| *id));
        self.units
            .retain(|id, _| players.iter().any(|(player, _)| player == id));
        for (id, push) in players {
            let unit = self.units.entry(*id).or_default();
            let push = f64::from(*push);
            unit.speed = (unit.speed * 0.99 + (push * step.dt) as f32).clamp(-30.0, 30.0);
            unit.exact += f64::from(unit.speed) / 7.0;
            unit.position[0] += f64::from(unit.speed) * step.dt;
            unit.position[1] += (push / 3.0 - unit.position[1]) * step.dt;
            unit.rotation[step.tick as usize % 4] += (push * step.dt) as f32;
        }
    }
}

impl PredictedGame for Teams {
    type PlayerInput = i8;

    fn input(players: &[(PlayerId, i8)]) -> Self::Input {
        players.to_vec()
    }

    fn visible(&self, player: PlayerId, inputs: &[(PlayerId, i8)]) -> Option<View<Self>> {
        let is_seen = |id: PlayerId| id % 2 == player % 2;
        let units = self.units.iter().filter(|(id, _)| is_seen(**id));
        let view = || View {
            saved: units.map(|(id, unit)| (*id, unit.clone())).collect(),
            inputs: inputs.iter().filter(|(id, _)| is_seen(*id)).copied().collect(),
        };
        (!self.is_open).then(view)
    }
}

/// A server, clients and the network between them, on a virtual clock.
struct Match {
    network: SimulatedNetwork<PlayerId, Vec<u8>>,
    timestep: FixedTimestep,
    server: Server<Teams>,
    inbox: Inbox<i8>,
    outbox: Outbox,
    last_heard_from: BTreeMap<PlayerId, (u64, Duration)>,
    clients: BTreeMap<PlayerId, (Client<Teams>, Teams)>,
    /// What each player sees of the states after each tick.
    states: Vec<BTreeMap<PlayerId, Unit>>,
}

impl Match {
    fn new(seed: u64, conditions: LinkConditions, players: PlayerId, is_open: bool) -> Self {
        let game = || Teams {
            is_open,
            ..Teams::default()
        };
        let mut new = Self {
            network: SimulatedNetwork::new(seed, conditions),
            timestep: FixedTimestep::new(RATE),
            server: Server::new(game(), RATE).unwrap(),
            inbox: Inbox::new(),
            outbox: Outbox::new(),
            last_heard_from: BTreeMap::new(),
            clients: (1..=players).map(|id| (id, (Client::new(id, RATE), game()))).collect(),
            states: Vec::new(),
        };
        for id in 1..=players {
            new.inbox.join(id);
            new.outbox.join(id);
        }
        new
    }

    /// Advances the clock by a millisecond. Clients have 200 frames a second.
    fn pass(&mut self, input: fn(PlayerId, u64) -> i8) {
        self.network.advance(MS);
        let now = self.network.now();
        let frame = self.timestep.advance(MS);
        let simulated = frame.current_time().to_duration() + frame.overstep().to_duration();
        while let Some((from, to, bytes)) = self.network.receive_any() {
            if to == SERVER {
                let message = ClientMessage::decode(&bytes).expect("it was encoded");
                self.last_heard_from.insert(from, (message.sent, now));
                self.outbox.receive(from, &message);
                self.inbox.push(from, message, SimTime::at(simulated));
            } else if let Some((client, game)) = self.clients.get_mut(&to) {
                client.receive(now, &bytes, game);
            }
        }
        for step in frame.steps() {
            self.server.receive_all(&mut self.inbox);
            self.server.step(&step);
            self.states.push(self.server.game().units.clone());
            let snapshot = self.server.snapshot();
            for id in self.clients.keys() {
                let echo = self.last_heard_from.get(id).map(|(sent, received)| Echo {
                    sent: *sent,
                    received: received.as_nanos() as u64,
                    replied: now.as_nanos() as u64,
                    simulated: simulated.as_nanos() as u64,
                });
                for message in self.outbox.messages(&snapshot, *id, echo) {
                    self.network.send(SERVER, *id, message);
                }
            }
        }
        if now.as_millis().is_multiple_of(5) {
            for (id, (client, game)) in &mut self.clients {
                let _ = client.frame(now, game, |tick| input(*id, tick));
                if let Some(message) = client.message() {
                    self.network.send(*id, SERVER, message);
                }
            }
        }
    }
}

fn lossy(loss: u8) -> LinkConditions {
    LinkConditions {
        delay: 30 * MS,
        jitter: Jitter::Uniform(10 * MS),
        loss_percent: loss.into(),
        ..LinkConditions::default()
    }
}

/// Players hold an input for a while and release everything after four seconds.
fn input(id: PlayerId, tick: u64) -> i8 {
    if tick > 240 {
        0
    } else {
        (tick / (5 + id) * 37 + id) as i8
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn rounded_fields_have_the_same_bits_on_the_server_and_in_predictions_on_any_network(
        seed in any::<u64>(),
        loss in 0_u8..25,
    ) {
        let mut game = Match::new(seed, lossy(loss), 2, true);
        while game.server.tick() < 400 {
            game.pass(input);
        }
        for unit in game.server.game().units.values() {
            let is_whole = |value: f64| value == value.round();
            prop_assert!(unit.position.iter().all(|value| is_whole(value * 64.0)), "{:?}", unit);
            prop_assert!(!is_whole(unit.exact * 64.0), "{:?}", unit);
        }
        // A second after the last input all predictions are right, so the newest ones can be compared with what the server does.
        let corrections = |game: &Match| game.clients.values().map(|(client, _)| client.stats().corrections).sum::<u64>();
        let (before, begin) = (corrections(&game), game.server.tick());
        prop_assert!(before > 0);
        let mut predicted = Vec::new();
        while game.server.tick() < begin + 60 {
            game.pass(input);
            predicted.extend(game.clients.values().map(|(client, game)| (client.tick(), game.units.clone())));
        }
        prop_assert_eq!(corrections(&game), before);
        predicted.retain(|(tick, _)| *tick <= game.server.tick());
        prop_assert!(predicted.len() > 1000);
        for (tick, units) in predicted {
            prop_assert_eq!(&units, &game.states[tick as usize - 1]);
        }
        prop_assert!(game.clients.values().all(|(client, _)| client.stats().unstable == 0 && client.stats().malformed == 0));
    }

    #[test]
    fn a_client_is_sent_neither_units_nor_inputs_that_its_player_may_not_see(seed in any::<u64>(), loss in 0_u8..25) {
        let mut game = Match::new(seed, lossy(loss), 4, false);
        while game.server.tick() < 300 {
            game.pass(input);
        }
        prop_assert_eq!(game.server.game().units.len(), 4);
        for (id, (client, seen)) in &game.clients {
            let team: BTreeSet<PlayerId> = (1..=4).filter(|other| other % 2 == id % 2).collect();
            prop_assert_eq!(&seen.heard_of, &team);
            prop_assert!(client.stats().states > 100, "{:?}", client.stats());
        }
    }
}

#[test]
fn a_single_players_rounded_game_is_never_corrected_on_a_network_without_loss() {
    let mut game = Match::new(
        3,
        LinkConditions {
            delay: 30 * MS,
            ..LinkConditions::default()
        },
        1,
        true,
    );
    while game.server.tick() < 300 {
        game.pass(input);
    }
    let (client, _) = &game.clients[&1];
    let stats = client.stats();
    assert!(stats.states > 250, "{stats:?}");
    assert_eq!((stats.corrections, stats.malformed, stats.unstable), (0, 0, 0));
}

//! The checks of whether a game can be played over a network, and their errors.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::time::Duration;

use evenstep::history::Rewind;
use evenstep::{Rate, Step};
use evenstep_net::{Client, ClientMessage, GameError, Inbox, Outbox, PlayerId, PredictedGame, ReceivedStates, Server};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const RATE: Rate = Rate::hz(60);

/// A game that stores its inputs and counts its ticks.
#[derive(Clone, Debug, Default)]
struct Keeper<S, P> {
    state: S,
    player: PhantomData<P>,
}

/// How a state changes in a tick.
trait State: Clone + Default + Serialize + DeserializeOwned {
    fn step(&mut self, tick: u64) {
        let _ = tick;
    }
}

impl<S: State, P: Copy> Rewind for Keeper<S, P> {
    type Saved = S;
    type Input = Vec<(PlayerId, P)>;
    fn save(&self) -> S {
        self.state.clone()
    }
    fn restore(&mut self, saved: &S) {
        self.state = saved.clone();
    }
    fn step(&mut self, step: &Step, _: &Self::Input) {
        self.state.step(step.tick);
    }
}

impl<S: State, P: Copy + Default + Serialize + DeserializeOwned + Send + 'static> PredictedGame for Keeper<S, P> {
    type PlayerInput = P;
    fn input(players: &[(PlayerId, P)]) -> Vec<(PlayerId, P)> {
        players.to_vec()
    }
}

impl State for u8 {}
impl State for BTreeMap<u8, u8> {}

impl State for HashMap<u64, u64> {
    fn step(&mut self, tick: u64) {
        self.insert(tick, tick);
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct Inner {
    health: u8,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct Flattened {
    #[serde(flatten)]
    inner: Inner,
}

impl State for Flattened {}

#[derive(Clone, Default, Serialize, Deserialize)]
struct Skipped {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<u8>,
    health: u8,
}

impl State for Skipped {}

#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
}

impl Default for Untagged {
    fn default() -> Self {
        Self::Number(7)
    }
}

impl State for Untagged {}

fn refused<S: State, P: Copy + Default + Serialize + DeserializeOwned + Send + Debug + 'static>(
    state: S,
) -> Option<GameError> {
    let player = PhantomData::<P>;
    Server::new(Keeper { state, player }, RATE).err()
}

#[test]
fn a_game_whose_state_or_input_cannot_be_deserialized_is_refused() {
    assert_eq!(refused::<u8, u8>(1), None);
    assert_eq!(
        refused::<_, u8>((0..40).map(|key| (key, 0)).collect::<BTreeMap<u8, u8>>()),
        None
    );
    let flattened = refused::<_, u8>(Flattened::default()).unwrap();
    assert!(matches!(flattened, GameError::State(_)) && flattened.to_string().contains("flatten"));
    assert!(matches!(
        refused::<_, u8>(Untagged::default()),
        Some(GameError::State(_))
    ));
    assert!(refused::<_, u8>(Skipped::default()).is_some());
    let map: HashMap<u64, u64> = (0..40).map(|key| (key, 0)).collect();
    let differs = refused::<_, u8>(map).unwrap();
    assert!(differs == GameError::UnstableState && differs.to_string().contains("BTreeMap"));
    assert_eq!(refused::<u8, [u64; 6]>(1), None);
    let large = refused::<u8, ([[u8; 32]; 2], u8)>(1).unwrap();
    assert!(large == GameError::LargeInput(65) && large.to_string().contains("65 bytes"));
}

/// Runs a server and a client side by side for some ticks, in which the first player acts and the second watches.
fn watched<S: State, P: Copy + Default + Serialize + DeserializeOwned + Send + 'static>(
    ticks: u64,
    input: P,
) -> Client<Keeper<S, P>> {
    let player = PhantomData;
    let new = || Keeper::<S, P> {
        state: S::default(),
        player,
    };
    let (mut server, mut inbox) = (Server::new(new(), RATE).unwrap(), Inbox::new());
    let (mut client, mut game) = (Client::new(2, RATE), new());
    let mut outbox = Outbox::new();
    [1, 2].into_iter().for_each(|id| inbox.join(id));
    outbox.join(2);
    let mut now = Duration::ZERO;
    for tick in 0..ticks {
        let message = evenstep_net::ClientMessage {
            sent: 0,
            received: ReceivedStates::default(),
            first: tick,
            inputs: vec![input],
        };
        inbox.push(1, message, evenstep::SimTime::at_tick(tick, RATE));
        server.receive_all(&mut inbox);
        server.step(&Step::new(tick, RATE));
        now += Duration::from_nanos(RATE.period_nanos());
        let nanos = now.as_nanos() as u64;
        let echo = evenstep_net::Echo {
            sent: nanos,
            received: nanos,
            replied: nanos,
            simulated: nanos,
        };
        for message in outbox.messages(&server.snapshot(), 2, Some(echo)) {
            client.receive(now, &message, &mut game);
        }
        let _ = client.frame(now, &mut game, |_| P::default());
        let message = client
            .message()
            .and_then(|message| ClientMessage::<P>::decode(&message));
        message.into_iter().for_each(|message| outbox.receive(2, &message));
    }
    client
}

#[test]
fn a_nan_input_is_predicted_like_any_other() {
    let stats = watched::<u8, f32>(300, f32::NAN).stats();
    assert!(stats.states > 290, "{stats:?}");
    assert!(stats.corrections < 10, "{stats:?}");
}

#[test]
fn states_whose_order_differs_between_programs_are_counted() {
    let stats = watched::<HashMap<u64, u64>, u8>(300, 1).stats();
    assert!(stats.unstable > 200, "{stats:?}");
    let stats = watched::<u8, u8>(300, 1).stats();
    assert_eq!(stats.unstable, 0, "{stats:?}");
}

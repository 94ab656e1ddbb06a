//! A server and three clients for ten simulated seconds, over a network that delays, loses and reorders messages. Prints where each client
//! draws the ball, how often it was corrected, and how many inputs were late.
//!
//! `cargo run -p evenstep-network-examples --bin in_memory`

use std::time::Duration;

use evenstep::history::{Correction, Rewind};
use evenstep::{FixedTimestep, Inspect, Rate, Smoothed, Step};
use evenstep_net::{Client, ClientMessage, PlayerId, PredictedGame, Server, ServerMessage, TickInput};
use simulated_network::{Jitter, LinkConditions, SimulatedNetwork};

const RATE: Rate = Rate::hz(60);
const MS: Duration = Duration::from_millis(1);
const SERVER: PlayerId = 0;

#[derive(Clone, Copy, Default, Inspect)]
struct State {
    position: Smoothed<f64>,
    velocity: f64,
}

/// A ball on a spring that all players pull.
struct Ball {
    state: State,
    correction: Correction<f64>,
    drawn: f64,
}

impl Ball {
    fn new() -> Self {
        Self {
            state: State::default(),
            correction: Correction::new(150 * MS, 1.0),
            drawn: 0.0,
        }
    }

    fn position_at(&self, alpha: f64) -> f64 {
        self.correction.apply(self.state.position.at(alpha))
    }
}

impl Rewind for Ball {
    type Saved = State;
    type Input = f64;

    fn save(&self) -> State {
        self.state
    }

    fn restore(&mut self, saved: &State) {
        self.state = *saved;
    }

    fn step(&mut self, step: &Step, pull: &f64) {
        let State { position, velocity } = &mut self.state;
        position.step(|x| {
            *velocity += (pull - 9.0 * *x - *velocity) * step.dt;
            *x += *velocity * step.dt;
        });
    }
}

impl PredictedGame for Ball {
    type PlayerInput = i8;

    fn input(players: &[TickInput<i8>]) -> f64 {
        // Whoever has been silent for a quarter of a second lets go.
        let heard = players.iter().filter(|player| player.repeats < 15);
        heard.map(|player| f64::from(player.input)).sum()
    }

    fn before_correction(&mut self, alpha: f64) {
        self.drawn = self.position_at(alpha);
    }

    fn after_correction(&mut self, alpha: f64) {
        self.correction.correct(self.drawn, self.state.position.at(alpha));
    }
}

/// What is sent. Over a real network it is serialized, as `renet.rs` does.
#[derive(Clone)]
enum Packet {
    Inputs(ClientMessage<i8>),
    State(ServerMessage<State, i8>),
}

fn main() {
    let conditions = LinkConditions {
        delay: 40 * MS,
        jitter: Jitter::Uniform(10 * MS),
        loss_percent: 5.0,
        ..LinkConditions::default()
    };
    let mut network = SimulatedNetwork::new(1, conditions);
    let mut server = Server::new(Ball::new(), FixedTimestep::new(RATE));
    let mut clients = [1, 2, 3].map(|id| (id, Client::new(id, RATE), Ball::new(), 0.0));
    clients.iter().for_each(|(id, ..)| server.join(*id));

    for ms in 0..10_000_u32 {
        network.advance(MS);
        let now = network.now();
        while let Some((from, to, packet)) = network.receive_any() {
            match packet {
                Packet::Inputs(message) => {
                    if let Err(error) = server.receive(now, from, &message) {
                        println!("disconnect player {from}: {error}");
                    }
                }
                Packet::State(message) => {
                    let (_, client, ball, _) = &mut clients[to as usize - 1];
                    client.receive(now, message, ball);
                }
            }
        }
        if server.frame(now).step_count() > 0 {
            for id in server.inbox().players() {
                let message = server.message(now, id).map(Packet::State);
                message.map(|message| network.send(SERVER, id, message));
            }
        }
        // The clients draw at about 143 frames a second. Each player presses and releases a key again and again.
        for (id, client, ball, drawn) in clients.iter_mut().filter(|_| ms % 7 == 0) {
            ball.correction.advance(7 * MS);
            let holds = |tick: u64| (tick / (20 + 7 * *id)).is_multiple_of(2);
            let frame = client.frame(now, ball, |tick| i8::from(holds(tick)));
            if let Some(message) = client.message() {
                network.send(*id, SERVER, Packet::Inputs(message));
            }
            *drawn = ball.position_at(frame.alpha());
        }
    }

    println!("server: tick {}, {:?}", server.tick(), server.inbox().total());
    for (id, client, _, drawn) in &clients {
        println!(
            "client {id}: tick {}, the ball at {drawn:.3} m, {:?}",
            client.tick(),
            client.stats()
        );
    }
}

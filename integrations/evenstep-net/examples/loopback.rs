//! A server and three clients on the loopback for three seconds. Prints where each client draws the ball and what the server counted.
//!
//! `cargo run --release -p evenstep-net --example loopback`

use std::error::Error;
use std::net::UdpSocket;
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use evenstep::history::{Correction, Rewind};
use evenstep::{FixedTimestep, Overrun, Rate, Smoothed, Step};
use evenstep_net::renetcode::{ClientAuthentication, ServerAuthentication, ServerConfig};
use evenstep_net::{Client, Connection, Host, PlayerId, PredictedGame};
use serde::{Deserialize, Serialize};

const RATE: Rate = Rate::hz(60);
const PROTOCOL: u64 = 7;

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
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
        let correction = Correction::new(Duration::from_millis(150), 1.0);
        let (state, drawn) = (State::default(), 0.0);
        Self {
            state,
            correction,
            drawn,
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
        position.begin_step();
        *velocity += (pull - 9.0 * position.current() - *velocity) * step.dt;
        *position.current_mut() += *velocity * step.dt;
    }
}

impl PredictedGame for Ball {
    type PlayerInput = i8;

    fn input(players: &[(PlayerId, i8)]) -> f64 {
        players.iter().map(|(_, pull)| f64::from(*pull)).sum()
    }

    fn before_correction(&mut self, alpha: f64) {
        self.drawn = self.position_at(alpha);
    }

    fn after_correction(&mut self, alpha: f64) {
        self.correction.correct(self.drawn, self.state.position.at(alpha));
    }
}

/// Plays for three seconds, with a key that is repeatedly pressed and released.
fn play(id: PlayerId, mut connection: Connection) -> Result<String, Box<dyn Error + Send + Sync>> {
    let (mut client, mut ball) = (Client::new(id, RATE), Ball::new());
    let (begin, mut last) = (Instant::now(), Duration::ZERO);
    let mut drawn = 0.0;
    while last < Duration::from_secs(3) {
        let now = begin.elapsed();
        ball.correction.advance(now - last);
        last = now;
        connection.receive(now, |message| client.receive(now, message, &mut ball))?;
        let holds = |tick: u64| (tick / (20 + 7 * id)).is_multiple_of(2);
        let frame = client.frame(now, &mut ball, |tick| i8::from(holds(tick)));
        if let Some(message) = client.message() {
            connection.send(&message);
        }
        drawn = ball.position_at(frame.alpha());
        thread::sleep(Duration::from_millis(4));
    }
    Ok(format!(
        "client {id}: tick {}, the ball at {drawn:.3} m, {:?}",
        client.tick(),
        client.stats()
    ))
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let unix_time = UNIX_EPOCH.elapsed()?;
    let socket = UdpSocket::bind(("127.0.0.1", 0))?;
    let config = ServerConfig {
        current_time: unix_time,
        max_clients: 16,
        protocol_id: PROTOCOL,
        public_addresses: vec![socket.local_addr()?],
        authentication: ServerAuthentication::Unsecure,
    };
    let max_backlog = Duration::from_secs(1);
    let timestep = FixedTimestep::new(RATE).with_overrun(Overrun::Carry { max_backlog });
    let host = Host::spawn(socket, config, timestep, Ball::new)?;
    let client = |id| -> Result<_, Box<dyn Error + Send + Sync>> {
        let authentication = ClientAuthentication::Unsecure {
            protocol_id: PROTOCOL,
            client_id: id,
            server_addr: host.address(),
            user_data: None,
        };
        let connection = Connection::new(UdpSocket::bind(("127.0.0.1", 0))?, authentication, unix_time)?;
        Ok(thread::spawn(move || play(id, connection)))
    };
    let clients = (1..=3).map(client).collect::<Result<Vec<_>, _>>()?;
    for client in clients {
        println!("{}", client.join().map_err(|_| "a client panicked")??);
    }
    let report = host.stop()?;
    println!(
        "server: tick {}, {:?} of time lost",
        report.tick, report.simulation.clamped
    );
    for (id, counts) in &report.players {
        println!("  client {id}: {counts}");
    }
    println!("  in all: {}", report.total);
    Ok(())
}

//! What a state of 901 cubes costs on a network: the scene of G. Fiedler's *Snapshot Compression*, on Rapier at 60 Hz.
//!
//! `cargo run --release -p evenstep-net --example cubes`
//!
//! A cube of 1.5 m drives through a field of small ones and pushes them about. Each state is sent as its difference from one that is a
//! round trip of 100 ms older, and is decoded and compared bit for bit. The article goes from 17.4 Mbit/s to 256 kbit/s with rounded poses.
//! Times are of this machine, so they stand beside those of copying whole states in the same run.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;
use std::time::{Duration, Instant};

use evenstep::history::Rewind;
use evenstep::{Rate, Step};
use evenstep_net::{
    Client, ClientMessage, Outbox, PlayerId, PredictedGame, Quantized, QuantizedRotation, ReceivedStates, Server,
};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, Pose, RigidBody, RigidBodyBuilder, RigidBodyHandle, Rotation, Vector,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const RATE: Rate = Rate::hz(60);

/// The ticks from sending a state to its acknowledgement: 100 ms.
const ROUND_TRIP: usize = 6;

/// The first ticks, in which the cubes fall into place, are not counted, and the next ten seconds are.
const BEGIN: u64 = 120;
const TICKS: u64 = 600;

/// What is sent of a cube.
trait CubeState: Clone + Debug + PartialEq + Serialize + DeserializeOwned {
    const NAME: &str;
    fn of(body: &RigidBody) -> Self;
    fn put(&self, body: &mut RigidBody);
}

/// What a client needs to predict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Exact {
    position: [f32; 3],
    rotation: [f32; 4],
    velocity: [f32; 3],
    angular_velocity: [f32; 3],
}

/// The same, rounded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Rounded {
    #[serde(with = "Quantized::<512>")]
    position: [f32; 3],
    #[serde(with = "QuantizedRotation::<9>")]
    rotation: [f32; 4],
    #[serde(with = "Quantized::<128>")]
    velocity: [f32; 3],
    #[serde(with = "Quantized::<128>")]
    angular_velocity: [f32; 3],
}

/// What a client needs to draw, rounded as in the article.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Drawn {
    #[serde(with = "Quantized::<512>")]
    position: [f32; 3],
    #[serde(with = "QuantizedRotation::<9>")]
    rotation: [f32; 4],
}

fn put(body: &mut RigidBody, position: [f32; 3], rotation: [f32; 4], velocity: [f32; 3], angular_velocity: [f32; 3]) {
    let [x, y, z, w] = rotation;
    let pose = Pose::from_parts(Vector::from(position), Rotation::from_xyzw(x, y, z, w));
    body.set_position(pose, false);
    body.set_linvel(Vector::from(velocity), false);
    body.set_angvel(Vector::from(angular_velocity), false);
}

macro_rules! cube_states {
    ($($ty:ident $name:literal { $($field:ident)* } |$self:ident, $body:ident| $put:expr;)*) => {$(
        impl CubeState for $ty {
            const NAME: &str = $name;

            fn of(body: &RigidBody) -> Self {
                let position = body.translation().to_array();
                let rotation = body.rotation().to_array();
                let velocity = body.linvel().to_array();
                let angular_velocity = body.angvel().to_array();
                let all = Exact { position, rotation, velocity, angular_velocity };
                Self { $($field: all.$field),* }
            }

            fn put(&$self, $body: &mut RigidBody) {
                $put
            }
        }
    )*};
}

cube_states! {
    Exact "poses and velocities, exact" { position rotation velocity angular_velocity }
        |self, body| put(body, self.position, self.rotation, self.velocity, self.angular_velocity);
    Rounded "poses and velocities, rounded" { position rotation velocity angular_velocity }
        |self, body| put(body, self.position, self.rotation, self.velocity, self.angular_velocity);
    // Nothing is predicted from a pose alone, so the simulation continues from its own.
    Drawn "poses, rounded" { position rotation }
        |self, _body| ();
}

struct Cubes<S> {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
    /// The state that was restored last.
    restored: Vec<S>,
}

impl<S: CubeState> Cubes<S> {
    /// A field of small cubes around the one that drives.
    fn new(count: u16) -> Self {
        let mut world = PhysicsWorld::new();
        let ground = ColliderBuilder::cuboid(60.0, 1.0, 60.0);
        world.insert(
            RigidBodyBuilder::fixed().translation(Vector::new(0.0, -1.0, 0.0)),
            ground,
        );
        let side = f32::from(count).sqrt().ceil() as u16;
        let at = |index: u16| (f32::from(index) - f32::from(side - 1) / 2.0) * 0.5;
        let mut bodies = Vec::new();
        for index in 0..count {
            let (half, place) = match index {
                0 => (0.75, Vector::new(0.0, 2.0, 0.0)),
                _ => (0.2, Vector::new(at(index % side), 0.2, at(index / side))),
            };
            let body = RigidBodyBuilder::dynamic().translation(place);
            bodies.push(world.insert(body, ColliderBuilder::cuboid(half, half, half)).0);
        }
        let restored = Vec::new();
        Self {
            world,
            bodies,
            restored,
        }
    }
}

impl<S: CubeState> Rewind for Cubes<S> {
    type Saved = Vec<S>;
    type Input = ();

    fn save(&self) -> Vec<S> {
        self.bodies
            .iter()
            .map(|body| S::of(&self.world.bodies[*body]))
            .collect()
    }

    fn restore(&mut self, saved: &Vec<S>) {
        for (handle, state) in self.bodies.iter().zip(saved) {
            // To set what has not changed would cost the engine as much as a change.
            if S::of(&self.world.bodies[*handle]) != *state {
                state.put(&mut self.world.bodies[*handle]);
            }
        }
        self.restored.clone_from(saved);
    }

    fn step(&mut self, step: &Step, (): &()) {
        // The large cube drives along a winding line.
        let phase = step.tick as f32 / 60.0;
        let target = Vector::new(7.0 * (phase * 1.1).sin(), 0.8, 7.0 * (phase * 1.4).cos());
        let cube = &mut self.world.bodies[self.bodies[0]];
        let push = (target - cube.translation()) * 20.0 - cube.linvel() * 5.0;
        cube.apply_impulse(push * (3.0 / 60.0), true);
        self.world.step();
    }
}

impl<S: CubeState> PredictedGame for Cubes<S> {
    type PlayerInput = ();

    fn input(_: &[(PlayerId, ())]) {}
}

#[derive(Default)]
struct Costs {
    ticks: u64,
    /// Of all messages to the first client, in each second.
    seconds: BTreeMap<u64, usize>,
    /// Cubes whose state changed in a tick.
    changed: usize,
    /// To encode for all clients, and to copy the whole state for all clients.
    encoding: Duration,
    copying: Duration,
}

/// Runs a scene, and sends its states to clients whose round trips differ.
fn run<S: CubeState>(count: u16, players: PlayerId, ticks: u64) -> Result<Costs, Box<dyn std::error::Error>> {
    let (mut server, mut outbox) = (Server::new(Cubes::<S>::new(count), RATE)?, Outbox::new());
    for id in 1..=players {
        server.join(id);
        outbox.join(id);
    }
    let (mut client, mut game) = (Client::new(1, RATE), Cubes::<S>::new(0));
    let (mut costs, mut confirmed, mut before) = (Costs::default(), VecDeque::new(), Vec::new());
    for tick in 0..BEGIN + ticks {
        server.step(&Step::new(tick, RATE));
        let is_counted = tick >= BEGIN;
        let begin = Instant::now();
        let snapshot = server.snapshot();
        let messages: Vec<_> = (1..=players).map(|id| outbox.messages(&snapshot, id, None)).collect();
        costs.encoding += if is_counted { begin.elapsed() } else { Duration::ZERO };
        let bytes: usize = messages[0].iter().map(Vec::len).sum();
        for message in &messages[0] {
            client.receive(Duration::ZERO, message, &mut game);
        }
        let bits = |states: &[S]| states.iter().map(postcard::to_allocvec).collect::<Result<Vec<_>, _>>();
        let saved = bits(&server.game().save())?;
        // A state of several packets is complete only later, so only those that are complete are compared.
        if client.confirmed() == Some(server.tick()) && bits(&game.restored)? != saved {
            return Err(format!("the state of tick {} arrived with other bits", server.tick()).into());
        }
        if is_counted {
            let begin = Instant::now();
            let whole = postcard::to_allocvec(&server.game().save())?;
            let copies: usize = (0..players)
                .map(|_| whole.chunks(900).map(|part| part.to_vec().len()).sum::<usize>())
                .sum();
            costs.copying += begin.elapsed();
            assert!(copies > 0);
            costs.ticks += 1;
            *costs.seconds.entry(tick / 60).or_default() += bytes;
            costs.changed += saved.iter().zip(&before).filter(|(one, other)| one != other).count();
        }
        before = saved;
        confirmed.push_front(client.confirmed());
        confirmed.truncate(16);
        for id in 1..=players {
            // Round trips from 100 to 200 ms.
            let round_trip = ROUND_TRIP - 1 + (id as usize - 1) % 7;
            let complete = confirmed.get(round_trip).copied().flatten();
            let received = ReceivedStates {
                complete,
                partial: None,
            };
            let message = ClientMessage::<()> {
                sent: tick,
                received,
                first: 0,
                inputs: Vec::new(),
            };
            outbox.receive(id, &message);
        }
    }
    Ok(costs)
}

fn print_bandwidth<S: CubeState>() -> Result<(), Box<dyn std::error::Error>> {
    let costs = run::<S>(901, 1, TICKS)?;
    let kilobits = |bytes: f64| bytes * 8.0 / 1000.0;
    let total: usize = costs.seconds.values().sum();
    let seconds = costs.ticks as f64 / 60.0;
    let most = costs.seconds.values().max().copied().unwrap_or_default();
    println!(
        "| {} | {:.0} | {:.0} | {:.0} | {:.0} |",
        S::NAME,
        costs.changed as f64 / costs.ticks as f64,
        total as f64 / costs.ticks as f64,
        kilobits(total as f64 / seconds),
        kilobits(most as f64),
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "901 cubes at 60 Hz, one client, 100 ms round trip. All states in packets, without the 53 bytes of netcode and UDP.\n"
    );
    println!("| state | cubes that change, mean | bytes a tick | kbit/s, mean | kbit/s, most in a second |");
    println!("|---|---|---|---|---|");
    print_bandwidth::<Drawn>()?;
    print_bandwidth::<Rounded>()?;
    print_bandwidth::<Exact>()?;
    println!("\nPoses and velocities, exact, for clients with round trips of 100 to 200 ms.\n");
    println!("| cubes | players | kB/s a player | encoding, ms a tick | ms a tick and player | times copying |");
    println!("|---|---|---|---|---|---|");
    for count in [101, 301, 901] {
        for players in [2, 8, 64] {
            let costs = run::<Exact>(count, players, 180)?;
            let total: usize = costs.seconds.values().sum();
            let ms = costs.encoding.as_secs_f64() * 1000.0 / costs.ticks as f64;
            println!(
                "| {count} | {players} | {:.1} | {ms:.2} | {:.3} | {:.1} |",
                total as f64 * 60.0 / costs.ticks as f64 / 1000.0,
                ms / players as f64,
                costs.encoding.as_secs_f64() / costs.copying.as_secs_f64(),
            );
        }
    }
    Ok(())
}

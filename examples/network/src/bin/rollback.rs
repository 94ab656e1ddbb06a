//! Two peers that roll back: players push a ball by Rapier, each sees its own push at once, and no sound is played twice. Two threads stand
//! for two machines that communicate over UDP; in a game each is a program with one `play`.
//!
//! `cargo run -p evenstep-network-examples --bin rollback`

use std::net::UdpSocket;
use std::thread;
use std::time::Duration;

use evenstep::history::{Correction, Rewind};
use evenstep::poses::{Pose2, Rot2};
use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Overrun, Rate, Smoothing, Step};
use evenstep_ggrs::ggrs::{self, DesyncDetection, PlayerType, PredictRepeatLast, SessionBuilder, UdpNonBlockingSocket};
use evenstep_ggrs::{InputStatus, Notice, Rollback, RollbackGame};
use evenstep_physics::{BodyDef, BodyKey, BodyKind, Contact, ContactKind, PhysicsError, PhysicsSystem, StepHandler};
use evenstep_physics::{Rapier2d, SavedSystem, Shape, World};

struct Setup;

impl ggrs::Config for Setup {
    type Input = i8;
    type InputPredictor = PredictRepeatLast;
    type State = (); // a Rollback keeps the states
    type Address = std::net::SocketAddr;
}

/// Two boxes that players push, and a ball between them. What is named is the data of each body.
struct Pitch {
    physics: PhysicsSystem<Rapier2d, &'static str>,
    players: [BodyKey; 2],
    ball: BodyKey,
    sounds: Vec<&'static str>,
    // What is drawn, which is not part of the state.
    drawn: [f64; 2],
    correction: Correction<[f64; 2]>,
}

impl Pitch {
    fn new() -> Result<Self, PhysicsError> {
        let mut physics = PhysicsSystem::new(Rapier2d::new([0.0, -9.81]), FixedTimestep::new(Rate::hz(60)));
        let mut add = |shape, kind, x, y, name| {
            let at = Pose2::new([x, y], Rot2::IDENTITY);
            physics
                .world_mut()
                .create(&BodyDef::new(shape).of_kind(kind).at(at).with_friction(0.2), name)
        };
        add(Shape::Box([20.0, 1.0]), BodyKind::Fixed, 0.0, -1.0, "floor")?;
        let players = [
            add(Shape::Box([0.5, 0.5]), BodyKind::Dynamic, -3.0, 0.5, "left")?,
            add(Shape::Box([0.5, 0.5]), BodyKind::Dynamic, 3.0, 0.5, "right")?,
        ];
        let ball = add(Shape::Ball(0.4), BodyKind::Dynamic, 0.0, 0.4, "ball")?;
        let correction = Correction::new(Duration::from_millis(150), 3.0); // beyond 3 m it snaps
        Ok(Self {
            physics,
            players,
            ball,
            sounds: Vec::new(),
            drawn: [0.0; 2],
            correction,
        })
    }

    fn ball_at(&mut self, alpha: f64) -> [f64; 2] {
        let ball = self.physics.poses_at(alpha).find(|body| *body.data == "ball");
        ball.map_or([0.0; 2], |body| body.pose.position.map(f64::from))
    }
}

/// A step: pushes before the engine's step, contacts after it.
struct Playing<'a> {
    pushes: &'a [i8],
    players: [BodyKey; 2],
    sounds: &'a mut Vec<&'static str>,
}

impl StepHandler<Rapier2d, &'static str> for Playing<'_> {
    type Error = PhysicsError;

    fn step(&mut self, world: &mut World<Rapier2d, &'static str>, _: &Step) -> Result<(), PhysicsError> {
        for (player, push) in self.players.iter().zip(self.pushes) {
            let [_, up] = world.motion(*player)?.velocity;
            world.set_velocity(*player, [4.0 * f32::from(*push), up])?; // metres a second
        }
        Ok(())
    }

    fn contact(
        &mut self,
        world: &mut World<Rapier2d, &'static str>,
        contact: &Contact<Rapier2d>,
    ) -> Result<(), PhysicsError> {
        if let (ContactKind::Begin, [Some(one), Some(other)]) = (contact.kind, contact.keys())
            && [*world.data(one)?, *world.data(other)?].contains(&"ball")
        {
            self.sounds.push("thump");
        }
        Ok(())
    }
}

impl Rewind for Pitch {
    type Saved = SavedSystem<Rapier2d, &'static str>; // bodies, contacts, sleep: the engine whole
    type Input = Vec<i8>;

    fn save(&self) -> Self::Saved {
        self.physics.save().expect("Rapier can be saved")
    }

    fn save_into(&self, saved: &mut Self::Saved) {
        self.physics.save_into(saved).expect("a state of this game"); // reuses its memory
    }

    fn restore(&mut self, saved: &Self::Saved) {
        self.physics.restore(saved).expect("a state of this game");
    }

    fn step(&mut self, step: &Step, pushes: &Vec<i8>) {
        let mut playing = Playing {
            pushes,
            players: self.players,
            sounds: &mut self.sounds,
        };
        self.physics
            .run_step(step, &mut playing)
            .expect("bodies that are there");
    }
}

impl RollbackGame for Pitch {
    type PlayerInput = i8;
    type Event = &'static str;

    fn input(players: &[(i8, InputStatus)]) -> Vec<i8> {
        players.iter().map(|(push, _)| *push).collect()
    }

    fn checksum(&self) -> u64 {
        self.physics.hash()
    }

    fn take_events(&mut self, events: &mut Vec<&'static str>) {
        events.append(&mut self.sounds);
    }

    fn before_rollback(&mut self, alpha: f64) {
        let ball = self.ball_at(alpha);
        self.drawn = self.correction.apply(ball);
    }

    fn after_rollback(&mut self, alpha: f64) {
        let now = self.ball_at(alpha);
        self.correction.correct(self.drawn, now);
    }
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Plays until `ticks` are confirmed, and answers with where the ball is then.
fn play(own: usize, ports: [u16; 2], ticks: u64) -> Result<[f32; 2], Failure> {
    let other = 1 - own;
    let mut session = SessionBuilder::<Setup>::new()
        .with_desync_detection_mode(DesyncDetection::On { interval: 30 })
        .add_player(PlayerType::Local, own)?
        .add_player(PlayerType::Remote(([127, 0, 0, 1], ports[other]).into()), other)?
        .start_p2p_session(UdpNonBlockingSocket::bind_to_port(ports[own])?)?;
    let (clock, mut frames) = (MonotonicClock::new(), FrameClock::unfiltered()); // no filter: the tick rate is the network's
    let catch_up = Overrun::Carry {
        max_backlog: Duration::from_millis(500),
    };
    let mut timestep = FixedTimestep::new(Rate::hz(60)).with_overrun(catch_up);
    let (mut game, mut rollback) = (Pitch::new()?, Rollback::new());
    while rollback.confirmed() < ticks {
        thread::sleep(Duration::from_millis(4)); // the display
        let time = frames.begin_frame(clock.now());
        let frame = timestep.advance(time.delta);
        let read = |step: &Step, player: usize| if step.tick % 90 < 60 { 1 - 2 * player as i8 } else { 0 }; // the keys
        let frame = rollback.run(&mut session, &mut game, &mut timestep, frame, read)?;
        while let Some(notice) = rollback.next_notice(frame.shown_time(Smoothing::Interpolate)) {
            match notice {
                Notice::Happened { event, .. } => println!("{own}: {event}"),
                Notice::Retracted { event, .. } => println!("{own}: no {event} after all"),
            }
        }
        game.correction.advance(time.delta);
        let ball = game.ball_at(frame.alpha());
        let _drawn_at = game.correction.apply(ball);
        if session
            .events()
            .any(|event| matches!(event, ggrs::GgrsEvent::DesyncDetected { .. }))
        {
            return Err("the machines have different states".into());
        }
    }
    // A moment more, so that the other machine hears of the last inputs.
    for _ in 0..50 {
        thread::sleep(Duration::from_millis(4));
        session.poll_remote_clients();
    }
    Ok(game.physics.pose(game.ball)?.position)
}

fn main() -> Result<(), Failure> {
    let (one, two) = (UdpSocket::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?);
    let ports = [one.local_addr()?.port(), two.local_addr()?.port()]; // free ones
    drop((one, two));
    let other = thread::spawn(move || play(1, ports, 120));
    let ball = play(0, ports, 120)?;
    other.join().expect("no panic")?;
    println!("the ball is at {ball:?}");
    Ok(())
}

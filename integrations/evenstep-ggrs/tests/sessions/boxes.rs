//! Boxes on a physics engine, two of which players push, for tests and benches.

use evenstep::Vector as _;
use evenstep::history::Rewind;
use evenstep::poses::{Pose2, Pose3, Quat, Rot2};
use evenstep::{FixedTimestep, Rate, Step};
use evenstep_ggrs::{InputStatus, RollbackGame};
use evenstep_physics::engine::{BodyMotion, PhysicsVector as _, PoseOf, VectorOf};
use evenstep_physics::{BodyDef, BodyKey, BodyKind, Contact, ContactKind, Engine, PhysicsError, PhysicsSystem};
use evenstep_physics::{Box2d, Rapier2d, Rapier3d, SavedSystem, Shape, World};

/// An engine on which boxes can slide along a line.
pub(crate) trait Flat: Engine<Motion: Default> {
    fn new(gravity: f32) -> Self;
    fn pose(x: f32, y: f32) -> PoseOf<Self>;
    fn vector(x: f32, y: f32, z: f32) -> VectorOf<Self>;
}

impl Flat for Box2d {
    fn new(gravity: f32) -> Self {
        Self::new([0.0, gravity]).expect("a world")
    }

    fn pose(x: f32, y: f32) -> Pose2 {
        Pose2::new([x, y], Rot2::IDENTITY)
    }

    fn vector(x: f32, y: f32, _: f32) -> [f32; 2] {
        [x, y]
    }
}

impl Flat for Rapier2d {
    fn new(gravity: f32) -> Self {
        Self::new([0.0, gravity])
    }

    fn pose(x: f32, y: f32) -> Pose2 {
        Pose2::new([x, y], Rot2::IDENTITY)
    }

    fn vector(x: f32, y: f32, _: f32) -> [f32; 2] {
        [x, y]
    }
}

impl Flat for Rapier3d {
    fn new(gravity: f32) -> Self {
        Self::new([0.0, gravity, 0.0])
    }

    fn pose(x: f32, y: f32) -> Pose3 {
        Pose3::new([x, y, 0.0], Quat::IDENTITY)
    }

    fn vector(x: f32, y: f32, z: f32) -> [f32; 3] {
        [x, y, z]
    }
}

/// The game. Its events are the indices of boxes that begin to touch.
pub(crate) struct Boxes<E: Flat> {
    pub(crate) system: PhysicsSystem<E, usize>,
    keys: Vec<BodyKey>,
    outbox: Vec<(usize, usize)>,
    /// The hashes of the state after each tick, if they are recorded.
    pub(crate) hashes: Option<Vec<u64>>,
}

impl<E: Flat> Boxes<E> {
    /// Boxes on a floor without friction, between two walls.
    pub(crate) fn new(count: usize) -> Self {
        let mut system = PhysicsSystem::new(E::new(-10.0), FixedTimestep::new(Rate::hz(60)));
        let half = count as f32;
        let walls = [
            ((0.0, -1.0), (half + 9.0, 1.0)),
            ((-half - 5.0, 9.0), (1.0, 10.0)),
            ((half + 5.0, 9.0), (1.0, 10.0)),
        ];
        let box_def = |(x, y): (f32, f32), (width, height): (f32, f32)| {
            BodyDef::new(Shape::Box(E::vector(width, height, 5.0)))
                .at(E::pose(x, y))
                .with_friction(0.0)
                .with_restitution(1.0)
        };
        for (centre, size) in walls {
            let def = box_def(centre, size).of_kind(BodyKind::Fixed);
            system.world_mut().create(&def, usize::MAX).expect("a wall");
        }
        let keys = (0..count).map(|n| {
            let x = 2.0 * n as f32 - half;
            let speed = [1.0, -1.5, 0.7][n % 3];
            let motion = E::Motion::at(E::pose(x, 0.5)).with_velocity(E::vector(speed, 0.0, 0.0));
            let def = BodyDef::new(Shape::Box(E::vector(0.5, 0.5, 0.5)))
                .with_friction(0.0)
                .with_restitution(1.0)
                .moving(motion);
            system.world_mut().create(&def, n).expect("a box")
        });
        let keys = keys.collect();
        Self {
            system,
            keys,
            outbox: Vec::new(),
            hashes: None,
        }
    }

    /// The number of boxes that move.
    pub(crate) fn moving(&self) -> usize {
        let is_moving = |key: &&BodyKey| {
            let motion = self.system.world().motion(**key).expect("a box");
            motion.velocity().components().iter().any(|speed| speed.abs() > 1e-3)
        };
        self.keys.iter().filter(is_moving).count()
    }
}

/// A step of the game.
struct Playing<'a> {
    pushes: &'a [i8],
    players: &'a [BodyKey],
    outbox: &'a mut Vec<(usize, usize)>,
}

impl<E: Flat> evenstep_physics::StepHandler<E, usize> for Playing<'_> {
    type Error = PhysicsError;

    fn step(&mut self, world: &mut World<E, usize>, _: &Step) -> Result<(), PhysicsError> {
        for (push, player) in self.pushes.iter().zip(self.players) {
            let push = f32::from(*push) * 0.1;
            let velocity = world.motion(*player)?.velocity();
            if push * velocity.components()[0] < 0.5 && push != 0.0 {
                world.set_velocity(*player, velocity.plus(E::vector(push, 0.0, 0.0), 1.0))?;
            }
        }
        Ok(())
    }

    fn contact(&mut self, world: &mut World<E, usize>, contact: &Contact<E>) -> Result<(), PhysicsError> {
        if let (ContactKind::Begin, [Some(first), Some(second)]) = (contact.kind, contact.keys()) {
            self.outbox.push((*world.data(first)?, *world.data(second)?));
        }
        Ok(())
    }
}

impl<E: Flat> Rewind for Boxes<E> {
    type Saved = SavedSystem<E, usize>;
    type Input = Vec<i8>;

    fn save(&self) -> Self::Saved {
        self.system.save().expect("an engine that can be copied")
    }

    fn save_into(&self, saved: &mut Self::Saved) {
        self.system.save_into(saved).expect("its own state");
    }

    fn restore(&mut self, saved: &Self::Saved) {
        self.system.restore(saved).expect("its own state");
    }

    fn step(&mut self, step: &Step, pushes: &Vec<i8>) {
        let mut playing = Playing {
            pushes,
            players: &self.keys[..2],
            outbox: &mut self.outbox,
        };
        self.system.run_step(step, &mut playing).expect("a step");
        if let Some(hashes) = &mut self.hashes {
            hashes.truncate(step.tick as usize);
            hashes.push(self.system.hash());
        }
    }
}

impl<E: Flat> RollbackGame for Boxes<E> {
    type PlayerInput = i8;
    type Event = (usize, usize);

    fn input(players: &[(i8, InputStatus)]) -> Vec<i8> {
        players.iter().map(|(push, _)| *push).collect()
    }

    fn checksum(&self) -> u64 {
        self.system.hash()
    }

    fn take_events(&mut self, events: &mut Vec<(usize, usize)>) {
        events.append(&mut self.outbox);
    }
}

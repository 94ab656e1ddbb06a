//! The common implementation of all scenes on a physics engine.

use evenstep::Vector as _;
use evenstep::inspect::{self, Dump};
use evenstep::{FixedTimestep, PositionVelocity, Rate, Step, Tick};
use evenstep_physics::engine::{BodyMotion, PhysicsVector, VectorOf};
use evenstep_physics::{BodyDef, BodyKey, BodyKind, PhysicsSystem, SavedSystem, Shape};

pub(super) use super::rules::Role;
use super::rules::Rules;
use super::scene_engine::{SceneEngine, SceneMotion as _};
use crate::{Block, Outcome, SavedScene, Scene, SceneError, SceneState};

/// A scene on a physics engine. Its channels are the positions of the followed bodies.
pub(super) struct PhysicsScene<E: SceneEngine> {
    pub(super) system: PhysicsSystem<E, Role<VectorOf<E>>>,
    followed: Vec<BodyKey>,
    /// The last positions and velocities of the followed bodies.
    channels: Vec<PositionVelocity<f64>>,
    rules: Rules,
    outcome: Outcome,
    /// A buffer for the balls inscribed in blocks: centres and radii.
    inscribed_balls: Vec<(VectorOf<E>, f32)>,
}

/// A saved copy of a scene.
struct SavedPhysicsScene<E: SceneEngine> {
    system: SavedSystem<E, Role<VectorOf<E>>>,
    channels: Vec<PositionVelocity<f64>>,
    rules: Rules,
    outcome: Outcome,
}

impl<E: SceneEngine> PhysicsScene<E> {
    /// An empty scene with gravity in m/s². It follows the first body that moves.
    pub(super) fn new(rate: Rate, gravity: f32) -> Result<Self, SceneError> {
        Ok(Self::on(E::with_gravity(gravity)?, rate, 1))
    }

    /// A scene in an empty world of an engine, which follows the first bodies that move.
    pub(super) fn on(engine: E, rate: Rate, followed: usize) -> Self {
        Self {
            system: PhysicsSystem::new(engine, FixedTimestep::new(rate)),
            followed: Vec::new(),
            channels: vec![PositionVelocity::default(); 2 * followed],
            rules: Rules::default(),
            outcome: Outcome::Running,
            inscribed_balls: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, def: &BodyDef<E::Motion>, role: Role<VectorOf<E>>) -> Result<BodyKey, SceneError> {
        self.rules.awaited += u32::from(matches!(role, Role::Passer));
        let moves = !matches!(role, Role::Scenery | Role::Gate);
        let body = self.system.world_mut().create(def, role)?;
        if moves && 2 * self.followed.len() < self.channels.len() {
            self.followed.push(body);
            self.update_channels();
        }
        Ok(body)
    }

    /// Adds a fixed box: a wall, or a gate.
    pub(super) fn add_fixed(
        &mut self,
        (x, y): (f32, f32),
        half: (f32, f32),
        role: Role<VectorOf<E>>,
    ) -> Result<BodyKey, SceneError> {
        let def = BodyDef::new(Shape::Box(E::Motion::half(half.0, half.1)))
            .of_kind(BodyKind::Fixed)
            .moving(E::Motion::resting(x, y, 0.0))
            .with_restitution(0.3);
        self.add(&def, role)
    }

    /// Adds a wide floor whose surface is at height 0. The penetration of blocks into it is measured.
    pub(super) fn add_floor(&mut self) -> Result<(), SceneError> {
        self.rules.floor = Some(0.0);
        self.add_fixed((0.0, -5.0), (200.0, 5.0), Role::Scenery).map(|_| ())
    }

    /// Adds walls around a field, by its half extents.
    pub(super) fn add_border(&mut self, (x, y): (f32, f32)) -> Result<(), SceneError> {
        for side in [-1.0, 1.0] {
            self.add_fixed((0.0, side * (y + 1.0)), (x + 2.0, 1.0), Role::Scenery)?;
            self.add_fixed((side * (x + 1.0), 0.0), (1.0, y + 2.0), Role::Scenery)?;
        }
        Ok(())
    }

    /// Reads the followed bodies into the channels.
    fn update_channels(&mut self) {
        for (body, channel) in self.followed.iter().zip(self.channels.as_chunks_mut::<2>().0) {
            let Ok(motion) = self.system.world().motion(*body) else {
                continue;
            };
            let (position, velocity) = (motion.position(), motion.velocity());
            for (axis, channel) in channel.iter_mut().enumerate() {
                *channel = PositionVelocity {
                    position: f64::from(position.components()[axis]),
                    velocity: f64::from(velocity.components()[axis]),
                };
            }
        }
    }

    /// Updates the deepest penetration of blocks into the floor and into each other. Between two blocks, their inscribed balls are
    /// measured, which never overlap more than the blocks.
    fn measure_penetration(&mut self) {
        let Some(floor) = self.rules.floor else { return };
        self.inscribed_balls.clear();
        for (_, role, pose) in self.system.world().iter() {
            if let Role::Block(half) = role {
                let motion = E::Motion::at(pose);
                let lowest = motion.position().components()[1] - motion.reach_down(half);
                self.rules.deepest = self.rules.deepest.max(floor - lowest);
                let radius = half.components().iter().copied().fold(f32::INFINITY, f32::min);
                self.inscribed_balls.push((motion.position(), radius));
            }
        }
        let left = |ball: &(VectorOf<E>, f32)| ball.0.components()[0] - ball.1;
        self.inscribed_balls
            .sort_by(|one, other| left(one).total_cmp(&left(other)));
        for (index, (centre, radius)) in self.inscribed_balls.iter().enumerate() {
            let right = centre.components()[0] + radius;
            for (other, others) in self.inscribed_balls[index + 1..]
                .iter()
                .take_while(|ball| left(ball) < right)
            {
                let gap = other.plus(*centre, -1.0).length();
                self.rules.deepest = self.rules.deepest.max(radius + others - gap);
            }
        }
    }
}

impl<E: SceneEngine + 'static> SceneState for PhysicsScene<E> {
    fn hash(&self) -> u64 {
        inspect::hash(&(&self.system, &self.rules))
    }

    fn dump(&self, tick: Tick) -> Dump {
        let mut dump = Dump::new(tick, &self.system);
        dump.append("rules", &Dump::new(tick, &self.rules));
        dump
    }

    fn save(&self) -> Option<SavedScene> {
        let saved = SavedPhysicsScene {
            system: self.system.save().ok()?,
            channels: self.channels.clone(),
            rules: self.rules.clone(),
            outcome: self.outcome,
        };
        Some(SavedScene(Box::new(saved)))
    }

    fn restore(&mut self, saved: &SavedScene) {
        let Some(saved) = saved.0.downcast_ref::<SavedPhysicsScene<E>>() else {
            return;
        };
        if self.system.restore(&saved.system).is_ok() {
            self.channels.clone_from(&saved.channels);
            self.rules = saved.rules.clone();
            self.outcome = saved.outcome;
        }
    }
}

impl<E: SceneEngine + 'static> Scene for PhysicsScene<E> {
    fn step(&mut self, step: &Step) {
        if self.outcome != Outcome::Running {
            return;
        }
        let was_awaited = self.rules.awaited > 0;
        if self.system.run_step(step, &mut self.rules).is_err() {
            self.outcome = Outcome::Ended("the engine refused a step");
        } else if was_awaited && self.rules.awaited == 0 {
            self.outcome = Outcome::Ended("all came through the gate");
        }
        self.update_channels();
        self.measure_penetration();
    }

    fn outcome(&self) -> Outcome {
        self.outcome
    }

    fn read(&self) -> Vec<PositionVelocity<f64>> {
        self.channels.clone()
    }

    fn nudge(&mut self, by: [f64; 2]) {
        let Some(first) = self.followed.first() else { return };
        let by = E::Motion::vector(by[0] as f32, by[1] as f32);
        let world = self.system.world_mut();
        // A body that no longer exists, or a velocity that is not finite, is ignored.
        let _ = world
            .motion(*first)
            .and_then(|motion| world.set_velocity(*first, motion.velocity().plus(by, 1.0)));
    }

    fn blocks(&self) -> Vec<Block> {
        let block = |role: &Role<VectorOf<E>>, pose| {
            let Role::Block(half) = role else { return None };
            let motion = E::Motion::at(pose);
            let lowest = motion.position().components()[1] - motion.reach_down(half);
            let (pose, half) = motion.flat(half);
            let depth = self.rules.floor.map_or(f32::NEG_INFINITY, |floor| floor - lowest);
            Some(Block { pose, half, depth })
        };
        let bodies = self.system.world().iter();
        bodies.filter_map(|(_, role, pose)| block(role, pose)).collect()
    }

    fn deepest(&self) -> Option<f32> {
        self.rules.floor.map(|_| self.rules.deepest)
    }
}

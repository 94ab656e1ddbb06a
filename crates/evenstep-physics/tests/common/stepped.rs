//! A system that is stepped one by one at any rate, and strategies for random bodies.

use evenstep::{FixedTimestep, Rate, Step};
use evenstep_physics::engine::{BodyMotion, PhysicsVector, VectorOf};
use evenstep_physics::{BodyKey, Engine, PhysicsError, PhysicsSystem, World};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::common::TestEngine;

/// A system at any rate, stepped one by one.
pub(crate) struct Stepped<E: Engine> {
    pub(crate) physics: PhysicsSystem<E, ()>,
    rate: Rate,
    tick: u64,
}

impl<E: TestEngine<Motion: Default>> Stepped<E> {
    pub(crate) fn new(gravity: f32, rate: u32) -> Self {
        let rate = Rate::hz(rate);
        Self {
            physics: PhysicsSystem::new(E::fresh(gravity), FixedTimestep::new(rate)),
            rate,
            tick: 0,
        }
    }

    /// A body whose extent is one metre.
    pub(crate) fn body(&mut self, mass: f32, velocity: VectorOf<E>) -> BodyKey {
        let def = E::unit_box().with_density(mass);
        let motion = E::Motion::default().with_velocity(velocity);
        self.physics.world_mut().create(&def.moving(motion), ()).unwrap()
    }

    pub(crate) fn step(&mut self, mut act: impl FnMut(&mut World<E, ()>)) {
        let step = Step::new(self.tick, self.rate);
        let mut game = |world: &mut World<E, ()>, _: &Step| {
            act(world);
            Ok::<_, PhysicsError>(())
        };
        self.physics.run_step(&step, &mut game).unwrap();
        self.tick += 1;
    }

    /// Whether the body is too slow for the engine to move it further.
    pub(crate) fn is_asleep(&mut self, body: BodyKey) -> bool {
        let handle = self.physics.world().handle(body).unwrap();
        !self.physics.world_mut().engine_mut().is_awake(handle)
    }

    pub(crate) fn motion(&self, body: BodyKey) -> E::Motion {
        self.physics.world().motion(body).unwrap()
    }
}

/// A size from a thousandth to a thousand, with equal probability for each order of magnitude.
pub(crate) fn any_size() -> impl Strategy<Value = f32> {
    (-3.0..3.0_f32).prop_map(|order| libm::powf(10.0, order))
}

pub(crate) fn any_rate() -> impl Strategy<Value = u32> {
    (1.0..3.0_f32).prop_map(|order| libm::powf(10.0, order) as u32)
}

pub(crate) fn any_velocity() -> impl Strategy<Value = (f32, f32)> {
    (-30.0..30.0_f32, -30.0..30.0_f32)
}

pub(crate) fn check<S: Strategy>(cases: u32, strategy: &S, test: impl Fn(S::Value)) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let ran = TestRunner::new(config).run(strategy, |values| {
        test(values);
        Ok(())
    });
    ran.unwrap_or_else(|error| panic!("{error}"));
}

pub(crate) fn spin_of<M: BodyMotion>(motion: &M) -> f32 {
    *motion.angular_velocity().components().last().unwrap()
}

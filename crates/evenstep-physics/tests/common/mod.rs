//! One set of tests for every engine.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::time::Duration;

use evenstep::{FixedTimestep, Pose2, Pose3, Quat, Rate, Rot2};
use evenstep_physics::{BodyDef, BodyKey, BodyKind, BodyMotion, Engine, PhysicsSystem, PoseOf, Shape, VectorOf};

pub(crate) const RATE: Rate = Rate::hz(60);

/// An engine in the way that tests need it: upright, whatever its dimension.
pub(crate) trait Bench: Engine + Sized {
    /// Solver iterations in a step, each of which integrates.
    const SUB_STEPS: u32;
    fn fresh(gravity: f32) -> Self;
    fn vector(x: f32, y: f32) -> VectorOf<Self>;
    fn pose(x: f32, y: f32) -> PoseOf<Self>;

    fn unit_box() -> BodyDef<Self::Motion>
    where
        Self::Motion: Default,
    {
        BodyDef::new(Shape::Box(Self::half(0.5, 0.5)))
    }
    fn half(x: f32, y: f32) -> VectorOf<Self>;
}

impl Bench for evenstep_physics::Box2d {
    const SUB_STEPS: u32 = 4;
    fn fresh(gravity: f32) -> Self {
        Self::new([0.0, gravity]).unwrap()
    }
    fn vector(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }
    fn pose(x: f32, y: f32) -> Pose2 {
        Pose2::new([x, y], Rot2::IDENTITY)
    }
    fn half(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }
}

impl Bench for evenstep_physics::Rapier2d {
    const SUB_STEPS: u32 = 4;
    fn fresh(gravity: f32) -> Self {
        Self::new([0.0, gravity])
    }
    fn vector(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }
    fn pose(x: f32, y: f32) -> Pose2 {
        Pose2::new([x, y], Rot2::IDENTITY)
    }
    fn half(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }
}

impl Bench for evenstep_physics::Rapier3d {
    const SUB_STEPS: u32 = 4;
    fn fresh(gravity: f32) -> Self {
        Self::new([0.0, gravity, 0.0])
    }
    fn vector(x: f32, y: f32) -> [f32; 3] {
        [x, y, 0.0]
    }
    fn pose(x: f32, y: f32) -> Pose3 {
        Pose3::new([x, y, 0.0], Quat::IDENTITY)
    }
    fn half(x: f32, y: f32) -> [f32; 3] {
        [x, y, x]
    }
}

pub(crate) type System<E> = PhysicsSystem<E, u32>;

/// A system at 60 Hz that keeps up with ten frames a second.
pub(crate) fn system<E: Bench>(gravity: f32) -> System<E> {
    PhysicsSystem::new(E::fresh(gravity), FixedTimestep::new(RATE).with_max_steps(30))
}

pub(crate) fn y<M: BodyMotion>(motion: &M) -> f32 {
    use evenstep_physics::Amount;
    motion.position().components()[1]
}

/// A floor and a heap of boxes above it.
pub(crate) fn heap<E: Bench>(count: u32) -> (System<E>, Vec<BodyKey>)
where
    E::Motion: Default,
{
    let mut physics = system::<E>(-10.0);
    let floor = BodyDef::new(Shape::Box(E::half(40.0, 1.0)))
        .of_kind(BodyKind::Fixed)
        .at(E::pose(0.0, -1.0));
    physics.world_mut().create(&floor, 0).unwrap();
    let create = |n: u32| {
        let (column, row) = ((n % 5) as f32, (n / 5) as f32);
        let def = E::unit_box().at(E::pose(column * 1.2 + 0.3 * (row % 2.0), 0.8 + row * 1.1));
        physics.world_mut().create(&def, n + 1).unwrap()
    };
    let keys = (0..count).map(create).collect();
    (physics, keys)
}

pub(crate) fn frames(rate: &str) -> Duration {
    Duration::from_secs_f64(rate.parse::<Rate>().unwrap().period_secs_f64())
}

/// Tests that take an engine, for every engine.
#[macro_export]
macro_rules! for_every_engine {
    ($($test:ident)*) => {
        mod box2d {
            $(#[test] fn $test() { super::$test::<evenstep_physics::Box2d>() })*
        }
        mod rapier2d {
            $(#[test] fn $test() { super::$test::<evenstep_physics::Rapier2d>() })*
        }
        mod rapier3d {
            $(#[test] fn $test() { super::$test::<evenstep_physics::Rapier3d>() })*
        }
    };
}

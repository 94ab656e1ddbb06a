//! Boxes that slide over a floor without friction, or sleep on it.

use std::hint::black_box;
use std::time::Duration;

use evenstep::poses::{Motion2, Pose2, Rot2};
use evenstep::{FixedTimestep, Rate};
use evenstep_physics::{BodyDef, BodyKind, Engine, PhysicsSystem, Shape};

pub(crate) const RATE: Rate = Rate::hz(60);
/// The length of a frame: slightly longer than a step, so that every frame has one.
pub(crate) const FRAME: Duration = Duration::from_nanos(16_666_667);
pub(crate) const SPACING: f32 = 1.5;

/// The positions and velocities of the boxes.
pub(crate) fn start(n: usize, awake: bool) -> ([f32; 2], [f32; 2]) {
    ([n as f32 * SPACING, 0.5], [if awake { 1.0 } else { 0.0 }, 0.0])
}

pub(crate) fn width(bodies: usize) -> f32 {
    bodies as f32 * SPACING + 1_000.0
}

pub(crate) fn system<E: Engine<Motion = Motion2>>(engine: E, bodies: usize, awake: bool) -> PhysicsSystem<E> {
    let mut physics = PhysicsSystem::new(engine, FixedTimestep::new(RATE));
    let floor = BodyDef::new(Shape::Box([width(bodies), 1.0]))
        .with_friction(0.0)
        .of_kind(BodyKind::Fixed);
    let floor = floor.at(Pose2::new([0.0, -1.0], Rot2::IDENTITY));
    physics.world_mut().create(&floor, ()).expect("a floor");
    for n in 0..bodies {
        let (position, velocity) = start(n, awake);
        let motion = Motion2 {
            pose: Pose2::new(position, Rot2::IDENTITY),
            velocity,
            angular_velocity: 0.0,
        };
        let def = BodyDef::new(Shape::Box([0.5, 0.5])).with_friction(0.0).moving(motion);
        physics.world_mut().create(&def, ()).expect("a box");
    }
    for _ in 0..200 {
        physics.update(FRAME, |_, _| {}).expect("a step");
    }
    physics
}

pub(crate) fn run_system<E: Engine<Motion = Motion2>>(physics: &mut PhysicsSystem<E>, frames: usize, awake: bool) {
    for _ in 0..frames {
        physics.update(FRAME, |_, _| {}).expect("a step");
        if awake {
            physics.poses().for_each(|body| {
                black_box(body.pose);
            });
        } else {
            physics.moved_poses(|body| {
                black_box(body.pose);
            });
        }
    }
}

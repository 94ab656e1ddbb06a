//! What [`PhysicsSystem`] adds to an engine: a step of a heap of boxes and reading the poses to draw, beside Rapier's own step and poses; and
//! saving and restoring, beside cloning and assigning the engine's sets.

use std::hint::black_box;
use std::time::Duration;

use evenstep::poses::{Pose2, Rot2};
use evenstep::{FixedTimestep, Rate};
use evenstep_benches::Comparison;
use evenstep_physics::rapier2d::prelude::PhysicsWorld;
use evenstep_physics::{BodyDef, BodyKind, PhysicsError, PhysicsSystem, Rapier2d, Shape};

const HERTZ: u32 = 60;

/// Steps of one call.
const STEPS: usize = 4;

/// Boxes that have fallen for half a second between two walls, and go on to settle.
fn heap(boxes: usize) -> Result<PhysicsSystem<Rapier2d>, PhysicsError> {
    let mut physics = PhysicsSystem::new(Rapier2d::new([0.0, -9.81]), FixedTimestep::new(Rate::hz(HERTZ)));
    let columns = (boxes as f64).sqrt() as usize;
    let width = columns as f32 * 1.1;
    let walls = [
        ([0.0, -1.0], [width, 1.0]),
        ([-1.0, width], [1.0, width]),
        ([width + 1.0, width], [1.0, width]),
    ];
    for (position, half) in walls {
        let wall = BodyDef::new(Shape::Box(half)).of_kind(BodyKind::Fixed);
        physics
            .world_mut()
            .create(&wall.at(Pose2::new(position, Rot2::IDENTITY)), ())?;
    }
    for n in 0..boxes {
        let (column, row) = ((n % columns) as f32, (n / columns) as f32);
        // Each row is a little beside the one below.
        let position = [0.6 + 1.1 * column + 0.05 * (row % 3.0), 0.6 + 1.2 * row];
        let def = BodyDef::new(Shape::Box([0.5, 0.5])).at(Pose2::new(position, Rot2::IDENTITY));
        physics.world_mut().create(&def, ())?;
    }
    for _ in 0..HERTZ / 2 {
        physics.update(Duration::from_secs(1) / HERTZ, |_, _| {})?;
    }
    Ok(physics)
}

/// The engine's sets, as a program copies them that saves Rapier by hand.
fn clone_of(from: &PhysicsWorld) -> PhysicsWorld {
    PhysicsWorld {
        gravity: from.gravity,
        integration_parameters: from.integration_parameters,
        islands: from.islands.clone(),
        broad_phase: from.broad_phase.clone(),
        narrow_phase: from.narrow_phase.clone(),
        bodies: from.bodies.clone(),
        colliders: from.colliders.clone(),
        impulse_joints: from.impulse_joints.clone(),
        multibody_joints: from.multibody_joints.clone(),
        soft_bodies: from.soft_bodies.clone(),
        ..PhysicsWorld::default()
    }
}

fn main() -> Result<(), PhysicsError> {
    for boxes in [100, 1000, 4000] {
        let (mut alone, mut system) = (heap(boxes)?, heap(boxes)?);
        let title = format!("a step of {boxes} boxes and their poses");
        let comparison = Comparison::new(&title, STEPS)
            .entry("Rapier alone", || {
                let world = alone.world_mut().engine_mut().world_mut();
                for _ in 0..STEPS {
                    world.step();
                    world.bodies.iter().for_each(|(_, body)| {
                        black_box(body.position());
                    });
                }
            })
            .entry("PhysicsSystem", || {
                for _ in 0..STEPS {
                    let update = system.update(Duration::from_nanos(16_666_667), |_, _| {});
                    black_box(update.expect("Rapier steps"));
                    system.poses().for_each(|body| {
                        black_box(body.pose);
                    });
                }
            });
        print!("{}", comparison.run());

        let (by_hand, mut system) = (heap(boxes)?, heap(boxes)?);
        let (mut into, saved) = (system.save()?, system.save()?);
        let (by_hand, other) = (by_hand.world().engine().world(), &heap(boxes)?);
        let comparison = Comparison::new("save it", 1)
            .entry("Rapier's sets, cloned", || {
                black_box(clone_of(by_hand));
            })
            .entry("PhysicsSystem::save", || {
                black_box(other.save().expect("Rapier is saved"));
            })
            .entry("PhysicsSystem::save_into", || {
                system.save_into(&mut into).expect("it is of this system");
            });
        print!("{}", comparison.run());
        let mut target = clone_of(by_hand);
        let comparison = Comparison::new("restore it", 1)
            .entry("Rapier's sets, cloned", || {
                target = clone_of(by_hand);
            })
            .entry("PhysicsSystem::restore", || {
                system.restore(&saved).expect("it is of this system");
            });
        print!("{}", comparison.run());
    }
    Ok(())
}

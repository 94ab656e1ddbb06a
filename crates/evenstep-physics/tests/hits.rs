//! Every hit of Box2D is reported, with a unit normal.

use evenstep::FixedTimestep;
use evenstep::poses::{Motion2, Pose2, Rot2};
use evenstep_physics::{BodyDef, BodyKind, Box2d, Contact, ContactKind, PhysicsSystem, Shape};

use crate::common::{RATE, contacts};

/// Throws a large rotated box at the corner of another box, so that corner meets corner, initially this far apart. Box2D divides the
/// offset between the corners by a distance that it computed differently, so the length of the normal is only nearly 1.
fn thrown(apart: [f32; 2], turned: f32) -> PhysicsSystem<Box2d, ()> {
    const HALF: [f32; 2] = [0.37, 0.41];
    const LARGE: [f32; 2] = [7.3, 5.1];
    let engine = Box2d::new([0.0, 0.0]).unwrap();
    let mut physics = PhysicsSystem::<_, ()>::new(engine, FixedTimestep::new(RATE));
    let world = physics.world_mut();
    let still = BodyDef::new(Shape::Box(HALF)).of_kind(BodyKind::Fixed);
    world.create(&still, ()).unwrap();
    let rotation = Rot2::from_radians(turned);
    let Rot2 { cos, sin } = rotation;
    let corner = [sin * LARGE[1] - cos * LARGE[0], -sin * LARGE[0] - cos * LARGE[1]];
    let mut thrown = BodyDef::new(Shape::Box(LARGE));
    thrown.motion = Motion2 {
        pose: Pose2::new([0, 1].map(|axis| HALF[axis] + apart[axis] - corner[axis]), rotation),
        velocity: [-5.0, -5.0],
        ..Motion2::default()
    };
    world.create(&thrown, ()).unwrap();
    physics
}

/// The normal and the impulse of each hit in the next frames.
fn hits(physics: &mut PhysicsSystem<Box2d, ()>, frames: u32) -> Vec<([f32; 2], f32)> {
    let hit = |contact: &Contact<Box2d>| match contact.kind {
        ContactKind::Hit { normal, impulse, .. } => Some((normal, impulse)),
        _ => None,
    };
    contacts(physics, "60", frames).iter().filter_map(hit).collect()
}

#[test]
fn a_corner_that_hits_a_corner_is_reported_with_a_normal_of_length_1_and_a_force() {
    let mut count = 0;
    for across in 1..16 {
        for up in 1..16 {
            let apart = [across, up].map(|part| 0.0007 * part as f32);
            let turned = 0.01 * (across + up) as f32 * if across % 2 == 0 { 1.0 } else { -1.0 };
            for (normal, impulse) in hits(&mut thrown(apart, turned), 3) {
                let length = (normal[0] * normal[0] + normal[1] * normal[1]).sqrt();
                assert!((length - 1.0).abs() < 1e-5, "{apart:?}: {normal:?} has length {length}");
                assert!(impulse > 0.0, "{apart:?}: {impulse} N·s");
                count += 1;
            }
        }
    }
    assert!(count >= 15 * 15, "{count} hits");
}

#[test]
fn hits_have_their_impulses_in_a_world_that_the_program_puts_in_the_place_of_another() {
    let [mut physics, mut other] = [0.02, 0.04].map(|turned| thrown([0.007, 0.007], turned));
    assert_eq!(hits(&mut physics, 10).len(), 1);
    let [world, another] = [&mut physics, &mut other].map(|physics| physics.world_mut().engine_mut().world_mut());
    std::mem::swap(world, another);
    let seen = hits(&mut physics, 10);
    assert!(matches!(seen[..], [(_, impulse)] if impulse > 0.0), "{seen:?}");
}

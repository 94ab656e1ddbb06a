//! Calls beyond the limits of the engines reach what they promise or return an error.

use evenstep_physics::engine::{BodyMotion, PhysicsVector, PoseOf};
use evenstep_physics::{BodyDef, BodyKind, PhysicsError, Shape};

use crate::common::{TestEngine, run, system, y};

for_every_engine! {
    a_target_is_reached_exactly_from_any_distance_and_at_any_angle
    sizes_places_and_speeds_are_refused_or_simulated
    a_velocity_moves_every_body_but_a_fixed_one_which_refuses_it
    a_body_that_flies_for_long_does_not_stop_the_simulation
    a_teleport_wakes_what_it_touched_and_what_it_touches_now
}

fn a_target_is_reached_exactly_from_any_distance_and_at_any_angle<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let lift = E::unit_box().of_kind(BodyKind::Kinematic);
    let key = physics.world_mut().create(&lift, 0).unwrap();
    for (x, y) in [(0.001, 0.0), (1.0, 0.0), (60.0, -3.0), (-5000.0, 90_000.0), (0.0, 0.0)] {
        physics.world_mut().move_to(key, E::pose(x, y)).unwrap();
        for _ in 0..3 {
            run(&mut physics, 1);
            assert_eq!(physics.world().motion(key).unwrap().pose(), E::pose(x, y));
        }
        assert_eq!(physics.pose(key).unwrap(), E::pose(x, y));
    }
}

#[test]
fn a_target_at_any_angle_is_reached_exactly() {
    use evenstep::poses::{Pose2, Rot2};
    fn turn<E: TestEngine<Motion: Default>>(target: fn(f32) -> PoseOf<E>) {
        let mut physics = system::<E>(0.0);
        let lift = E::unit_box().of_kind(BodyKind::Kinematic);
        let key = physics.world_mut().create(&lift, 0).unwrap();
        for radians in [0.01, 0.5, 0.776, 1.5, 3.1, -3.1, 0.0] {
            let target = target(radians);
            physics.world_mut().move_to(key, target).unwrap();
            run(&mut physics, 1);
            assert_eq!(physics.world().motion(key).unwrap().pose(), target);
        }
    }
    let plane = |radians| Pose2::new([radians, 0.0], Rot2::from_radians(radians));
    turn::<evenstep_physics::Box2d>(plane);
    #[cfg(feature = "rapier2d")]
    turn::<evenstep_physics::Rapier2d>(plane);
    #[cfg(feature = "rapier3d")]
    turn::<evenstep_physics::Rapier3d>(|radians| {
        use evenstep::poses::{Pose3, Quat};
        let axis = [0.48, -0.6, 0.64].map(|part| part * radians);
        Pose3::new([radians, 0.0, 0.0], Quat::from_scaled_axis(axis))
    });
}

fn sizes_places_and_speeds_are_refused_or_simulated<E: TestEngine<Motion: Default>>() {
    const NUMBERS: [f32; 14] = [
        1e-38,
        1e-20,
        1e-10,
        1e-5,
        1e-3,
        1e-2,
        1.0,
        1e3,
        1e5,
        1e6,
        1e9,
        1e20,
        3e38,
        f32::MAX,
    ];
    let mut outcomes = String::new();
    for number in NUMBERS {
        for kind in [BodyKind::Dynamic, BodyKind::Fixed, BodyKind::Kinematic] {
            let mut physics = system::<E>(-10.0);
            let ball = BodyDef::new(Shape::Ball(0.5)).of_kind(kind).at(E::pose(0.2, 0.8));
            let key = physics.world_mut().create(&ball, 0).unwrap();
            let world = physics.world_mut();
            let shapes = [
                Shape::Ball(number),
                Shape::Box(E::half(number, number)),
                Shape::Box(E::half(number, 1.0)),
            ];
            let created = shapes.map(|shape| world.create(&BodyDef::new(shape).of_kind(kind), 1).is_ok());
            let there = E::Motion::at(E::pose(number, -number));
            let placed = world.create(&E::unit_box().of_kind(kind).moving(there), 2).is_ok();
            run(&mut physics, 3);
            let world = physics.world_mut();
            let fast = E::vector(number, 0.0);
            let sent = world.set_velocity(key, fast).is_ok();
            if sent {
                assert_eq!(world.motion(key).unwrap().velocity(), fast);
            }
            run(&mut physics, 2);
            let world = physics.world_mut();
            let teleported = world.teleport(key, there).is_ok();
            if teleported {
                assert_eq!(world.motion(key).unwrap().pose(), there.pose());
            }
            run(&mut physics, 2);
            let world = physics.world_mut();
            let moved = world.move_to(key, there.pose()).is_ok();
            run(&mut physics, 1);
            if moved {
                assert_eq!(physics.world().motion(key).unwrap().pose(), there.pose());
            }
            let broken = physics.world_mut().take_non_finite().len();
            outcomes +=
                &format!("{number:e} {kind:?}: {created:?} {placed} {sent} {teleported} {moved}, {broken} broken\n");
            assert_eq!(broken, 0, "{outcomes}");
        }
    }
    assert!(
        outcomes.contains("1e0 Kinematic: [true, true, true] true true true true"),
        "{outcomes}"
    );
}

fn a_velocity_moves_every_body_but_a_fixed_one_which_refuses_it<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let wall = physics
        .world_mut()
        .create(&E::unit_box().of_kind(BodyKind::Fixed), 0)
        .unwrap();
    let moving = E::Motion::default().with_velocity(E::vector(1.0, 0.0));
    let world = physics.world_mut();
    assert!(matches!(
        world.set_velocity(wall, E::vector(1.0, 0.0)),
        Err(PhysicsError::InvalidValue { field: "velocity", .. })
    ));
    assert!(world.teleport(wall, moving).is_err());
    assert!(world.teleport(wall, E::Motion::default()).is_ok());
    let handle = world.engine_mut().native_lift(5.0, 0.0);
    world.engine_mut().native_box(Some(handle), 0.0, 0.0, false);
    let lift = world.adopt(handle, 2).unwrap();
    world.set_velocity(lift, E::vector(6.0, 0.0)).unwrap();
    assert_eq!(world.motion(lift).unwrap().velocity(), E::vector(6.0, 0.0));
    run(&mut physics, 10);
    let way = physics.world().motion(lift).unwrap().position().components()[0] - 5.0;
    assert!((way - 1.0).abs() < 1e-3, "{way} m");
}

#[cfg(feature = "rapier2d")]
#[test]
fn a_body_that_rapier_moves_by_poses_refuses_a_velocity_and_reaches_a_target() {
    use evenstep::poses::Motion2;
    use evenstep_physics::Rapier2d;
    use evenstep_physics::rapier2d::prelude::RigidBodyBuilder;
    let mut physics = system::<Rapier2d>(0.0);
    let world = physics.world_mut();
    let lift = RigidBodyBuilder::kinematic_position_based();
    let lift = world.engine_mut().world_mut().bodies.insert(lift);
    let lift = world.adopt(lift, 0).unwrap();
    let moving = Motion2::default().with_velocity([1.0, 0.0]);
    for refused in [world.set_velocity(lift, [1.0, 0.0]), world.teleport(lift, moving)] {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("KinematicVelocityBased"), "{error}");
    }
    assert_eq!(world.motion(lift), Ok(Motion2::default()));
    world.move_to(lift, Rapier2d::pose(3.0, 0.0)).unwrap();
    run(&mut physics, 1);
    assert_eq!(physics.world().motion(lift).unwrap().pose, Rapier2d::pose(3.0, 0.0));
    assert_eq!(physics.world_mut().set_velocity(lift, [0.0; 2]), Ok(()));
    run(&mut physics, 5);
    assert_eq!(physics.world().motion(lift).unwrap().pose, Rapier2d::pose(3.0, 0.0));
}

fn a_body_that_flies_for_long_does_not_stop_the_simulation<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let key = physics.world_mut().create(&E::unit_box(), 0).unwrap();
    let fast = E::Motion::at(E::pose(99_000.0, 0.0)).with_velocity(E::vector(399.0, 0.0));
    physics.world_mut().teleport(key, fast).unwrap();
    run(&mut physics, 1200);
    assert!(physics.world().motion(key).unwrap().is_finite());
}

/// A box that sleeps on a platform or near the way of one.
fn a_teleport_wakes_what_it_touched_and_what_it_touches_now<E: TestEngine<Motion: Default>>() {
    for kind in [BodyKind::Dynamic, BodyKind::Fixed, BodyKind::Kinematic] {
        // Far away; sideways by a gap that is larger than the reach of contacts; from afar to the box.
        for leaves in [Some(-20.0), Some(1.05), None] {
            let mut physics = system::<E>(-10.0);
            let floor = BodyDef::new(Shape::Box(E::half(40.0, 1.0))).of_kind(BodyKind::Fixed);
            physics.world_mut().create(&floor.at(E::pose(0.0, -1.0)), 0).unwrap();
            let support = E::unit_box().of_kind(if leaves.is_some() { kind } else { BodyKind::Fixed });
            let support = physics.world_mut().create(&support.at(E::pose(0.0, 0.5)), 1).unwrap();
            let sleeper = physics
                .world_mut()
                .create(&E::unit_box().at(E::pose(0.0, 1.5)), 2)
                .unwrap();
            let other = physics
                .world_mut()
                .create(&E::unit_box().of_kind(kind).at(E::pose(20.0, 0.5)), 3)
                .unwrap();
            run(&mut physics, 400);
            let handle = physics.world().handle(sleeper).unwrap();
            assert!(!physics.world_mut().engine_mut().is_awake(handle), "{kind:?}");
            let world = physics.world_mut();
            let (moved, there) = match leaves {
                Some(x) => (support, E::pose(x, 0.5)),
                None => (other, E::pose(0.6, 1.8)),
            };
            world.teleport(moved, E::Motion::at(there)).unwrap();
            let before = physics.world().motion(sleeper).unwrap().pose();
            run(&mut physics, 1);
            assert!(
                physics.world().motion(sleeper).unwrap().pose() != before,
                "moved {kind:?}, leaves: {leaves:?}"
            );
            assert!(
                physics.world_mut().engine_mut().is_awake(handle),
                "{kind:?}, leaves: {leaves:?}"
            );
        }
    }
}

#[test]
fn a_bar_that_turns_throws_a_ball_as_fast_as_its_end_moves() {
    use evenstep::poses::{Pose2, Rot2};
    fn throw<E: TestEngine<Motion: Default>>(turned: fn(f32) -> PoseOf<E>) {
        let mut physics = system::<E>(-10.0);
        let bar = BodyDef::new(Shape::Box(E::half(2.0, 0.1))).of_kind(BodyKind::Kinematic);
        let bar = physics.world_mut().create(&bar, 0).unwrap();
        let ball = BodyDef::new(Shape::Ball(0.2)).at(E::pose(1.5, 0.3));
        let ball = physics.world_mut().create(&ball, 1).unwrap();
        let mut height = |target: Option<f32>| {
            if let Some(radians) = target {
                physics.world_mut().move_to(bar, turned(radians)).unwrap();
            }
            run(&mut physics, 1);
            y(&physics.world().motion(ball).unwrap())
        };
        for radians in [0.0, 0.1, 0.2] {
            height(Some(radians));
        }
        let speed = (height(None) - height(None)) * -60.0;
        // A tenth of a radian in a step is 6 radians a second, 1.5 m from the axis.
        assert!((6.0..12.0).contains(&speed), "{speed} m/s");
    }
    let plane = |radians| Pose2::new([0.0, 0.0], Rot2::from_radians(radians));
    throw::<evenstep_physics::Box2d>(plane);
    #[cfg(feature = "rapier2d")]
    throw::<evenstep_physics::Rapier2d>(plane);
    #[cfg(feature = "rapier3d")]
    throw::<evenstep_physics::Rapier3d>(|radians| {
        use evenstep::poses::{Pose3, Quat};
        Pose3::new([0.0; 3], Quat::from_scaled_axis([0.0, 0.0, radians]))
    });
}

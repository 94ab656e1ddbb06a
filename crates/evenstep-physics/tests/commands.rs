//! The program's commands to bodies, on every engine.

use crate::common::{System, TestEngine, frames, heap, run, system, y};
use evenstep::Step;
use evenstep_physics::controller::Wind;
use evenstep_physics::engine::{BodyMotion, PhysicsVector};
use evenstep_physics::{BodyKind, Drag, PhysicsError, World, Wrench};

for_every_engine! {
    setting_a_velocity_keeps_the_pose_bit_identical
    a_rotation_is_set_bit_identically
    a_zero_force_wakes_no_body
    neither_the_order_of_calls_nor_the_division_of_ticks_into_frames_changes_a_bit
    a_force_for_a_frame_keeps_the_programs_own_force
    a_lift_carries_the_bodies_on_it
    a_force_at_a_point_has_a_torque
    a_torque_acts_as_long_as_it_is_held
    the_gravity_scale_scales_gravity_and_a_new_scale_wakes
    only_a_body_with_restitution_bounces
    a_fixed_body_takes_no_velocity
    a_controller_is_detached_once
    a_body_has_one_name_in_all_messages
}

fn setting_a_velocity_keeps_the_pose_bit_identical<E: TestEngine<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(30);
    run(&mut physics, 50);
    for key in keys {
        let before = physics.world().motion(key).unwrap();
        physics.world_mut().set_velocity(key, E::vector(1.0, 2.0)).unwrap();
        let after = physics.world().motion(key).unwrap();
        assert_eq!(after, before.with_velocity(E::vector(1.0, 2.0)));
    }
}

fn a_rotation_is_set_bit_identically<E: TestEngine<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(30);
    run(&mut physics, 50);
    let mut copy = system::<E>(-10.0);
    for key in keys {
        let motion = E::Motion::at(physics.world().motion(key).unwrap().pose());
        let created = copy.world_mut().create(&E::unit_box().moving(motion), 0).unwrap();
        assert_eq!(copy.world().motion(created), Ok(motion));
        physics.world_mut().teleport(key, motion).unwrap();
        assert_eq!(physics.world().motion(key), Ok(motion));
    }
}

fn a_zero_force_wakes_no_body<E: TestEngine<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(1);
    run(&mut physics, 400);
    let handle = physics.world().handle(keys[0]).unwrap();
    let is_awake = |physics: &mut System<E>| physics.world_mut().engine_mut().is_awake(handle);
    assert!(!is_awake(&mut physics));
    let world = physics.world_mut();
    world.apply_force_for_frame(keys[0], Wrench::ZERO).unwrap();
    world.apply_force(keys[0], Wrench::ZERO).unwrap();
    world.apply_impulse(keys[0], Wrench::ZERO).unwrap();
    world.set_constant_force(keys[0], Wrench::ZERO).unwrap();
    let repeated = allocation_counter::measure(|| {
        for _ in 0..100 {
            world.apply_force_for_frame(keys[0], Wrench::ZERO).unwrap();
        }
    });
    assert_eq!(repeated.count_total, 0, "nothing is kept of it");
    run(&mut physics, 3);
    assert!(!is_awake(&mut physics));
    physics
        .world_mut()
        .apply_force_for_frame(keys[0], Wrench::linear(E::vector(1.0, 0.0)))
        .unwrap();
    run(&mut physics, 3);
    assert!(is_awake(&mut physics));
}

/// A program pushes sleeping boxes at one another, in different orders. At the tick before, it applies drag to them, in a different order
/// too; drag wakes no box.
fn neither_the_order_of_calls_nor_the_division_of_ticks_into_frames_changes_a_bit<E: TestEngine<Motion: Default>>() {
    let play = |rate: &str, drag: [usize; 5], pushes: [usize; 5]| {
        let (mut physics, keys) = heap::<E>(5);
        let handles: Vec<_> = keys.iter().map(|key| physics.world().handle(*key).unwrap()).collect();
        let mut seen = Vec::new();
        while seen.len() < 120 {
            let script = |world: &mut World<E, u32>, step: &Step| match step.tick {
                399 => assert!(handles.iter().all(|body| !world.engine_mut().is_awake(*body))),
                400 => drag.iter().for_each(|n| {
                    let still = Drag::new(E::vector(0.0, 0.0), 1.0, 1.0);
                    world.apply_drag(keys[*n], still).unwrap();
                }),
                401 => pushes.iter().for_each(|n| {
                    let aside = Wrench::linear(E::vector(8.0 - 4.0 * *n as f32, 3.0));
                    world.apply_impulse(keys[*n], aside).unwrap();
                }),
                402.. => seen.push(keys.iter().map(|key| world.motion(*key).unwrap()).collect::<Vec<_>>()),
                _ => {}
            };
            physics.update(frames(rate), script).unwrap();
        }
        seen.truncate(120);
        seen
    };
    let (up, down) = ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0]);
    let expected = play("20", up, up);
    for (rate, drag, pushes) in [("20", down, up), ("20", up, down), ("7", down, up), ("144", down, up)] {
        assert_eq!(play(rate, drag, pushes), expected, "{rate} {drag:?} {pushes:?}");
    }
}

fn a_force_for_a_frame_keeps_the_programs_own_force<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let key = physics.world_mut().create(&E::unit_box(), 0).unwrap();
    let handle = physics.world().handle(key).unwrap();
    // Rapier keeps a force until it is reset; Box2D keeps it for one step.
    let keeps = {
        let mut alone = system::<E>(0.0);
        let key = alone.world_mut().create(&E::unit_box(), 0).unwrap();
        let handle = alone.world().handle(key).unwrap();
        alone.world_mut().engine_mut().native_push(handle, 60.0);
        run(&mut alone, 60);
        alone.world().motion(key).unwrap().velocity().components()[0]
    };
    physics.world_mut().engine_mut().native_push(handle, 60.0);
    for _ in 0..60 {
        physics
            .world_mut()
            .apply_force_for_frame(key, Wrench::linear(E::vector(30.0, 0.0)))
            .unwrap();
        run(&mut physics, 1);
    }
    let ticks = physics.timestep().tick() as f32;
    let expected = keeps + 30.0 * ticks / 60.0;
    let speed = physics.world().motion(key).unwrap().velocity().components()[0];
    assert!((speed - expected).abs() < 0.6, "{speed} instead of {expected}");
}

fn a_lift_carries_the_bodies_on_it<E: TestEngine<Motion: Default>>() {
    for own in [true, false] {
        let mut physics = system::<E>(-10.0);
        let lift = if own {
            let engine = physics.world_mut().engine_mut();
            let handle = engine.native_lift(0.0, 0.0);
            engine.native_box(Some(handle), 0.0, 0.0, false);
            physics.world_mut().adopt(handle, 0).unwrap()
        } else {
            let def = E::unit_box().of_kind(BodyKind::Kinematic);
            physics.world_mut().create(&def, 0).unwrap()
        };
        let rider = physics
            .world_mut()
            .create(&E::unit_box().at(E::pose(0.0, 1.0)), 1)
            .unwrap();
        for _ in 0..120 {
            let ride = |world: &mut World<E, u32>, step: &Step| {
                world.move_to(lift, E::pose(0.0, 0.02 * step.tick as f32)).unwrap();
            };
            physics.update(frames("60"), ride).unwrap();
        }
        let height = 0.02 * (physics.timestep().tick() - 1) as f32;
        let [lift_y, rider_y] = [lift, rider].map(|key| y(&physics.world().motion(key).unwrap()));
        assert!((lift_y - height).abs() < 1e-3, "{lift_y} instead of {height}");
        assert!((rider_y - height - 1.0).abs() < 0.05, "{rider_y} on {height}");
        run(&mut physics, 30);
        let stopped = y(&physics.world().motion(lift).unwrap());
        assert!((stopped - height).abs() < 1e-3, "it stays at {stopped}");
        let falling = physics.world_mut().move_to(rider, E::pose(0.0, 0.0));
        assert!(falling.unwrap_err().to_string().contains("kinematic"));
    }
}

fn a_torque_acts_as_long_as_it_is_held<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let key = physics.world_mut().create(&E::unit_box(), 0).unwrap();
    let spin = |physics: &System<E>| {
        let motion = physics.world().motion(key).unwrap();
        *motion.angular_velocity().components().last().unwrap()
    };
    // The torque of a force at half a metre, without the force: a couple.
    let torque = |newtons: f32| Wrench::angular(E::Motion::torque(E::vector(0.5, 0.0), E::vector(0.0, newtons)));
    physics.world_mut().apply_impulse(key, torque(0.5)).unwrap();
    run(&mut physics, 3);
    // A box of 1 kg with an edge of 1 m has a moment of inertia of 1/6 kg·m².
    assert!((spin(&physics) - 0.25 * 6.0).abs() < 1e-4, "{}", spin(&physics));
    let start = physics.timestep().tick();
    physics.world_mut().set_constant_force(key, torque(-0.2)).unwrap();
    run(&mut physics, 60);
    physics.world_mut().set_constant_force(key, Wrench::ZERO).unwrap();
    let held = (physics.timestep().tick() - start) as f32 / 60.0;
    let expected = 1.5 - 0.1 * 6.0 * held;
    run(&mut physics, 10);
    assert!(
        (spin(&physics) - expected).abs() < 1e-3,
        "{} {expected}",
        spin(&physics)
    );
    let place = physics.world().motion(key).unwrap().position();
    assert!(place.length() < 1e-5, "it turns on the spot: {place:?}");
}

fn a_force_at_a_point_has_a_torque<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let key = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(3.0, 4.0)), 0)
        .unwrap();
    let world = physics.world_mut();
    let wrench = world.at_point(key, E::vector(0.0, 2.0), E::vector(3.5, 4.0)).unwrap();
    assert_eq!(
        *wrench.angular.components().last().unwrap(),
        1.0,
        "half a metre times 2 N"
    );
    world.apply_impulse(key, wrench).unwrap();
    run(&mut physics, 2);
    let motion = physics.world().motion(key).unwrap();
    assert!((motion.velocity().components()[1] - 2.0).abs() < 1e-4);
    assert!(*motion.angular_velocity().components().last().unwrap() > 1.0);
}

fn the_gravity_scale_scales_gravity_and_a_new_scale_wakes<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let scales = [1.0, 0.0, -0.5, 3.0];
    let keys = scales.map(|scale| {
        let def = E::unit_box().at(E::pose(30.0 * scale, 0.0));
        let key = physics.world_mut().create(&def, 0).unwrap();
        physics.world_mut().set_gravity_scale(key, scale).unwrap();
        key
    });
    run(&mut physics, 30);
    let ticks = physics.timestep().tick() as f32;
    for (key, scale) in keys.into_iter().zip(scales) {
        let speed = physics.world().motion(key).unwrap().velocity().components()[1];
        let expected = -10.0 * scale * ticks / 60.0;
        assert!((speed - expected).abs() < 1e-3, "{speed} instead of {expected}");
    }
    let nan = physics.world_mut().set_gravity_scale(keys[0], f32::NAN).unwrap_err();
    assert!(nan.to_string().contains("gravity scale"), "{nan}");
    let gone = physics.world_mut().remove(keys[1]);
    assert!(gone.is_ok());
    let stale = physics.world_mut().set_gravity_scale(keys[1], 1.0);
    assert_eq!(stale, Err(PhysicsError::StaleKey(keys[1])));

    let (mut physics, keys) = heap::<E>(1);
    run(&mut physics, 400);
    let handle = physics.world().handle(keys[0]).unwrap();
    for (scale, wakes) in [(1.0, false), (-1.0, true)] {
        physics.world_mut().set_gravity_scale(keys[0], scale).unwrap();
        run(&mut physics, 2);
        assert_eq!(
            physics.world_mut().engine_mut().is_awake(handle),
            wakes,
            "scale {scale}"
        );
    }
}

fn only_a_body_with_restitution_bounces<E: TestEngine<Motion: Default>>() {
    for (restitution, bounces) in [(0.0, false), (1.0, true)] {
        let (mut physics, _) = heap::<E>(0);
        let def = E::unit_box().with_restitution(restitution).at(E::pose(0.0, 4.0));
        let key = physics.world_mut().create(&def, 1).unwrap();
        let mut most = f32::MIN;
        for step in 0..120 {
            run(&mut physics, 1);
            if step > 60 {
                most = most.max(y(&physics.world().motion(key).unwrap()));
            }
        }
        // It rests at half a metre. Rapier takes the mean of two bodies.
        assert_eq!(most > 0.8, bounces, "{restitution}: {most} m");
    }
}

fn a_fixed_body_takes_no_velocity<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let world = physics.world_mut();
    for (kind, moves) in [
        (BodyKind::Fixed, false),
        (BodyKind::Kinematic, true),
        (BodyKind::Dynamic, true),
    ] {
        let key = world.create(&E::unit_box().of_kind(kind), 0).unwrap();
        let set = world.set_velocity(key, E::vector(1.0, 0.0));
        assert_eq!(set.is_ok(), moves, "{kind:?}: {set:?}");
    }
}

fn a_controller_is_detached_once<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let key = physics.world_mut().create(&E::unit_box(), 0).unwrap();
    let wind = || Wind::new(E::vector(5.0, 0.0), 1.0);
    let (first, second) = (physics.attach(wind(), &[key]), physics.attach(wind(), &[key]));
    for controller in [second, first] {
        assert!(physics.detach(controller));
        assert!(!physics.detach(controller));
    }
    run(&mut physics, 60);
    assert_eq!(physics.world().motion(key), Ok(E::Motion::default()));
}

fn a_body_has_one_name_in_all_messages<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let key = physics.world_mut().create(&E::unit_box(), 0).unwrap();
    assert_eq!(format!("{key:?}"), key.to_string());
    assert!(key.to_string().starts_with("body "), "{key}");
    assert!(!format!("{:?}", physics.world().engine()).is_empty());
}

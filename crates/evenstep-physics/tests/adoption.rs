//! Bodies of the engine's own API in the world, and what the program does to bodies through that API.

mod common;

use common::{Bench, RATE, System, frames, heap, system, y};
use evenstep::{FixedTimestep, Step};
use evenstep_physics::engine::{BodyMotion, PhysicsVector};
use evenstep_physics::{
    BodyDef, BodyKind, Contact, ContactKind, Engine, Game, PhysicsError, PhysicsSystem, Shape, World, Wrench,
};

for_every_engine! {
    a_body_of_the_engines_own_api_is_adopted_and_released
    what_stood_on_a_fixed_body_that_is_teleported_away_falls
    a_body_moved_through_the_engine_is_drawn_where_it_is
    the_key_of_a_body_destroyed_through_the_engine_is_stale_and_reported
    a_force_that_is_held_leaves_the_programs_own_force_alone
    contacts_of_shapes_of_the_engines_own_api_are_reported_with_terrain_too
    a_sensor_reports_who_comes_and_goes
    gravity_is_saved_and_restored
    a_chain_of_hinges_goes_on_to_the_same_bits_when_it_is_restored
    a_velocity_that_is_set_leaves_every_bit_of_the_pose_alone
    a_rotation_reaches_the_engine_with_every_bit
    a_force_of_zero_wakes_nobody
    what_stands_on_a_lift_is_carried
    a_force_at_a_point_turns
    the_engines_own_run_of_adopted_bodies_is_the_same_at_any_frame_rate
}

fn x<M: BodyMotion>(motion: &M) -> f32 {
    motion.position().components()[0]
}

fn run<E: Bench>(physics: &mut System<E>, ticks: u32) {
    for _ in 0..ticks {
        physics.update(frames("59"), |_, _| {}).unwrap();
    }
}

fn a_body_of_the_engines_own_api_is_adopted_and_released<E: Bench<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let engine = physics.world_mut().engine_mut();
    let handle = engine.own_body(0.0, 50.0);
    engine.own_box(Some(handle), -1.0, 0.0, false);
    engine.own_box(Some(handle), 1.0, 0.0, false);
    let key = physics.world_mut().adopt(handle, 5).unwrap();
    assert_eq!(physics.world().key(handle), Some(key));
    assert_eq!(physics.world().handle(key), Ok(handle));
    let twice = physics.world_mut().adopt(handle, 6).unwrap_err().to_string();
    assert!(twice.contains("handle") && twice.contains(&key.to_string()), "{twice}");
    physics
        .world_mut()
        .apply_impulse(key, Wrench::linear(E::vector(3.0, 0.0)))
        .unwrap();
    run(&mut physics, 60);
    let motion = physics.world().motion(key).unwrap();
    assert!(
        (motion.velocity().components()[0] - 1.5).abs() < 0.01,
        "3 N·s on 2 kg: {motion:?}"
    );
    assert!(y(&motion) < 46.0 && physics.poses().count() == 1);

    assert_eq!(physics.world_mut().release(key), Ok((handle, 5)));
    assert!(physics.world_mut().release(key).is_err() && physics.world().motion(key).is_err());
    assert!(physics.world().engine().motion(handle).is_some(), "the body stays");
    run(&mut physics, 5);
    assert_eq!(physics.poses().count(), 0);
    let again = physics.world_mut().adopt(handle, 7).unwrap();
    assert_ne!(again, key);
    physics.world_mut().engine_mut().own_destroy(handle);
    assert!(physics.world_mut().adopt(handle, 8).is_err());
}

fn what_stood_on_a_fixed_body_that_is_teleported_away_falls<E: Bench<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(1);
    run(&mut physics, 400);
    let handle = physics.world().handle(keys[0]).unwrap();
    assert!(!physics.world_mut().engine_mut().is_awake(handle), "it sleeps");
    let floor = physics.world().keys().next().unwrap();
    let away = E::Motion::at(E::pose(0.0, -500.0));
    physics.world_mut().teleport(floor, away).unwrap();
    run(&mut physics, 60);
    assert!(y(&physics.world().motion(keys[0]).unwrap()) < -2.0);
}

fn a_body_moved_through_the_engine_is_drawn_where_it_is<E: Bench<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(2);
    run(&mut physics, 10);
    let handle = physics.world().handle(keys[0]).unwrap();
    physics.world_mut().engine_mut().own_move(handle, 100.0, 50.0);
    let drawn = |physics: &System<E>| x(&E::Motion::at(physics.pose(keys[0]).unwrap()));
    assert_eq!(drawn(&physics), 100.0);
    let place = physics.poses().find(|body| body.key == keys[0]).unwrap().pose;
    assert_eq!(x(&E::Motion::at(place)), 100.0);
    let mut moved = Vec::new();
    physics.moved_poses(|body| moved.push(body.key));
    assert!(moved.contains(&keys[0]));
    for _ in 0..20 {
        physics.update(frames("144"), |_, _| {}).unwrap();
        assert!((drawn(&physics) - 100.0).abs() < 0.01, "{}", drawn(&physics));
    }
    // The same inside of a step.
    let frame = |world: &mut World<E, u32>, _: &Step| world.engine_mut().own_move(handle, -100.0, 50.0);
    physics.update(frames("30"), frame).unwrap();
    assert!((drawn(&physics) + 100.0).abs() < 0.01, "{}", drawn(&physics));
}

fn the_key_of_a_body_destroyed_through_the_engine_is_stale_and_reported<E: Bench<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(3);
    run(&mut physics, 10);
    let handle = physics.world().handle(keys[1]).unwrap();
    physics.world_mut().engine_mut().own_destroy(handle);
    assert!(physics.world().motion(keys[1]).is_err() && physics.pose(keys[1]).is_err());
    assert!(physics.poses().all(|body| body.key != keys[1]));
    assert_eq!(physics.world_mut().take_destroyed(), [(keys[1], 2)]);
    assert_eq!(physics.world_mut().take_destroyed(), []);
    let reused = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(0.0, 30.0)), 9)
        .unwrap();
    run(&mut physics, 10);
    assert!(physics.world().contains(reused) && !physics.world().contains(keys[1]));
    assert!(physics.world_mut().remove(keys[1]).is_err());
}

fn a_force_that_is_held_leaves_the_programs_own_force_alone<E: Bench<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let key = physics.world_mut().create(&E::unit_box(), 0).unwrap();
    let handle = physics.world().handle(key).unwrap();
    // Rapier keeps a force until it is reset, Box2D for a step.
    let keeps = {
        let mut alone = system::<E>(0.0);
        let key = alone.world_mut().create(&E::unit_box(), 0).unwrap();
        let handle = alone.world().handle(key).unwrap();
        alone.world_mut().engine_mut().own_push(handle, 60.0);
        run(&mut alone, 60);
        alone.world().motion(key).unwrap().velocity().components()[0]
    };
    physics.world_mut().engine_mut().own_push(handle, 60.0);
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

/// Gathers contacts.
struct Gather<E: Engine>(Vec<Contact<E>>);

impl<E: Bench> Game<E, u32> for Gather<E> {
    type Error = PhysicsError;

    fn step(&mut self, _: &mut World<E, u32>, _: &Step) -> Result<(), PhysicsError> {
        Ok(())
    }

    fn contact(&mut self, _: &mut World<E, u32>, contact: &Contact<E>) -> Result<(), PhysicsError> {
        self.0.push(*contact);
        Ok(())
    }
}

fn contacts_of_shapes_of_the_engines_own_api_are_reported_with_terrain_too<E: Bench<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let engine = physics.world_mut().engine_mut();
    engine.own_box(None, 0.0, 0.0, false);
    let handle = engine.own_body(0.0, 3.0);
    engine.own_box(Some(handle), 0.0, 0.0, false);
    let key = physics.world_mut().adopt(handle, 1).unwrap();
    let mut game = Gather(Vec::new());
    for _ in 0..90 {
        physics.update_with(frames("60"), &mut game).unwrap();
    }
    let begun: Vec<_> = game
        .0
        .iter()
        .filter(|contact| contact.kind == ContactKind::Begin)
        .collect();
    assert_eq!(begun.len(), 1, "{:?}", game.0);
    let parties = [begun[0].first, begun[0].second];
    let own = parties.iter().find(|party| party.key == Some(key)).unwrap();
    let terrain = parties.iter().find(|party| party.key.is_none()).unwrap();
    assert_eq!(own.body, Some(handle));
    assert_ne!(own.shape, terrain.shape);
    physics
        .world_mut()
        .teleport(key, E::Motion::at(E::pose(0.0, 40.0)))
        .unwrap();
    physics.update_with(frames("59"), &mut game).unwrap();
    physics.update_with(frames("59"), &mut game).unwrap();
    let ended = game.0.iter().filter(|contact| contact.kind == ContactKind::End);
    assert_eq!(ended.filter(|contact| contact.keys().contains(&Some(key))).count(), 1);
}

fn a_sensor_reports_who_comes_and_goes<E: Bench<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    physics.world_mut().engine_mut().own_box(None, 0.0, 0.0, true);
    let handle = physics.world_mut().engine_mut().own_body(0.0, 5.0);
    physics.world_mut().engine_mut().own_box(Some(handle), 0.0, 0.0, false);
    let key = physics.world_mut().adopt(handle, 1).unwrap();
    let mut game = Gather(Vec::new());
    for _ in 0..150 {
        physics.update_with(frames("60"), &mut game).unwrap();
    }
    let kinds: Vec<_> = game.0.iter().map(|contact| contact.kind).collect();
    assert_eq!(kinds, [ContactKind::SensorBegin, ContactKind::SensorEnd]);
    assert!(
        game.0
            .iter()
            .all(|contact| contact.first.key.is_none() && contact.second.key == Some(key))
    );
}

fn gravity_is_saved_and_restored<E: Bench<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let key = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(0.0, 50.0)), 0)
        .unwrap();
    run(&mut physics, 3);
    let saved = physics.save().unwrap();
    run(&mut physics, 60);
    let expected = (physics.hash(), physics.timestep().tick());
    physics.world_mut().engine_mut().own_gravity(30.0);
    run(&mut physics, 60);
    physics.restore(&saved).unwrap();
    run(&mut physics, 60);
    assert_eq!((physics.hash(), physics.timestep().tick()), expected);
    assert!(physics.world().motion(key).is_ok());
}

fn a_chain_of_hinges_goes_on_to_the_same_bits_when_it_is_restored<E: Bench<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let place = |n: usize| E::pose(2.0 * n as f32, 20.0);
    let first = BodyDef::new(Shape::Box(E::half(0.5, 0.5)))
        .of_kind(BodyKind::Fixed)
        .at(place(0));
    let mut keys = vec![physics.world_mut().create(&first, 0).unwrap()];
    for n in 1..8 {
        keys.push(
            physics
                .world_mut()
                .create(&E::unit_box().at(place(n)), n as u32)
                .unwrap(),
        );
    }
    let handles: Vec<_> = keys.iter().map(|key| physics.world().handle(*key).unwrap()).collect();
    for pair in handles.windows(2).take(6) {
        physics.world_mut().engine_mut().own_hinge(pair[0], pair[1], 2.0);
    }
    run(&mut physics, 20);
    let saved = physics.save().unwrap();
    let script = |physics: &mut System<E>| {
        (0..60)
            .map(|_| (run(physics, 1), physics.hash()).1)
            .collect::<Vec<u64>>()
    };
    let expected = script(&mut physics);
    let hung = y(&physics.world().motion(keys[6]).unwrap());
    assert!(hung > -5.0, "the chain holds: {hung}");
    // Another joint, so that the engine lists other ones than it did.
    let handles = [keys[6], keys[7]].map(|key| physics.world().handle(key).unwrap());
    physics.world_mut().engine_mut().own_hinge(handles[0], handles[1], 2.0);
    physics.world_mut().remove(keys[2]).unwrap();
    run(&mut physics, 30);
    physics.restore(&saved).unwrap();
    assert_eq!(script(&mut physics), expected);
}

fn a_velocity_that_is_set_leaves_every_bit_of_the_pose_alone<E: Bench<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(30);
    run(&mut physics, 50);
    for key in keys {
        let before = physics.world().motion(key).unwrap();
        physics.world_mut().set_velocity(key, E::vector(1.0, 2.0)).unwrap();
        let after = physics.world().motion(key).unwrap();
        assert_eq!(after, before.with_velocity(E::vector(1.0, 2.0)));
    }
}

fn a_rotation_reaches_the_engine_with_every_bit<E: Bench<Motion: Default>>() {
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

fn a_force_of_zero_wakes_nobody<E: Bench<Motion: Default>>() {
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
    run(&mut physics, 3);
    assert!(!is_awake(&mut physics));
    physics
        .world_mut()
        .apply_force_for_frame(keys[0], Wrench::linear(E::vector(1.0, 0.0)))
        .unwrap();
    run(&mut physics, 3);
    assert!(is_awake(&mut physics));
}

fn what_stands_on_a_lift_is_carried<E: Bench<Motion: Default>>() {
    for own in [true, false] {
        let mut physics = system::<E>(-10.0);
        let lift = if own {
            let engine = physics.world_mut().engine_mut();
            let handle = engine.own_lift(0.0, 0.0);
            engine.own_box(Some(handle), 0.0, 0.0, false);
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

fn a_force_at_a_point_turns<E: Bench<Motion: Default>>() {
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
    assert!(
        world
            .at_point(key, E::vector(f32::NAN, 0.0), E::vector(0.0, 0.0))
            .is_err()
    );
    assert!(
        world
            .at_point(key, E::vector(1.0, 0.0), E::vector(0.0, f32::INFINITY))
            .is_err()
    );
    run(&mut physics, 2);
    let motion = physics.world().motion(key).unwrap();
    assert!((motion.velocity().components()[1] - 2.0).abs() < 1e-4);
    assert!(*motion.angular_velocity().components().last().unwrap() > 1.0);
}

fn the_engines_own_run_of_adopted_bodies_is_the_same_at_any_frame_rate<E: Bench<Motion: Default>>() {
    let build = || {
        let mut engine = E::fresh(-10.0);
        engine.own_box(None, 0.0, 0.0, false);
        let bodies: Vec<E::Handle> = (0..4)
            .map(|n| engine.own_body(0.3 * n as f32, 3.0 + 1.5 * n as f32))
            .collect();
        for body in &bodies {
            engine.own_box(Some(*body), 0.0, 0.0, false);
            engine.own_box(Some(*body), 1.0, 0.0, false);
        }
        (engine, bodies)
    };
    let hash = |rate: &str| {
        let (engine, bodies) = build();
        let mut physics = PhysicsSystem::<E, u32>::new(engine, FixedTimestep::new(RATE).with_max_steps(30));
        for body in bodies {
            physics.world_mut().adopt(body, 0).unwrap();
        }
        while physics.timestep().tick() < 120 {
            let left = 120 - physics.timestep().tick();
            physics
                .timestep_mut()
                .set_max_steps(u32::try_from(left.min(30)).unwrap());
            physics.update(frames(rate), |_, _| {}).unwrap();
        }
        physics.world().iter().for_each(|(key, _, pose)| {
            assert_eq!(physics.world().motion(key).unwrap().pose(), pose);
        });
        physics.hash()
    };
    let expected = {
        let (engine, bodies) = build();
        let mut alone = PhysicsSystem::<E, u32>::new(engine, FixedTimestep::new(RATE));
        for body in &bodies {
            alone.world_mut().adopt(*body, 0).unwrap();
        }
        let mut report = evenstep_physics::engine::Report::default();
        for _ in 0..120 {
            let dt = RATE.period_secs_f64() as f32;
            alone.world_mut().engine_mut().step(dt, &[], &mut report).unwrap();
        }
        alone.hash()
    };
    for rate in ["10", "60", "75", "240"] {
        assert_eq!(hash(rate), expected, "at {rate} Hz");
    }
}

/// Tests of the program's own hooks, for both of Rapier's crates.
macro_rules! hooks_of_rapier {
    ($name:ident, $engine:ident, $rapier:ident, $up:expr) => {
        mod $name {
            use evenstep_physics::$rapier::prelude::{
                ActiveHooks, ColliderBuilder, PairFilterContext, PhysicsHooks, SolverFlags,
            };

            use super::*;

            /// Lets through all but fixed bodies' colliders with an even `user_data`.
            struct Even;

            impl PhysicsHooks for Even {
                fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
                    let floor = &context.colliders[context.collider1];
                    (floor.user_data % 2 == 0).then(SolverFlags::default)
                }
            }

            #[test]
            fn the_programs_own_hooks_filter_contacts() {
                let height = |number: u128| {
                    let engine = evenstep_physics::$engine::fresh(-10.0).with_hooks(Even);
                    let mut physics = PhysicsSystem::<_, u32>::new(engine, FixedTimestep::new(RATE));
                    let floor = $up(ColliderBuilder::ball(50.0))
                        .user_data(number)
                        .active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS);
                    physics
                        .world_mut()
                        .engine_mut()
                        .world_mut()
                        .colliders
                        .insert(floor);
                    let def = evenstep_physics::$engine::unit_box().at(evenstep_physics::$engine::pose(0.0, 1.0));
                    let key = physics.world_mut().create(&def, 0).unwrap();
                    (0..60).for_each(|_| physics.update(frames("60"), |_, _| {}).unwrap());
                    y(&physics.world().motion(key).unwrap())
                };
                assert!(height(2) > 0.0 && height(3) < -3.0);
            }
        }
    };
}

hooks_of_rapier!(hooks_in_the_plane, Rapier2d, rapier2d, |ball: ColliderBuilder| {
    ball.translation(evenstep_physics::rapier2d::prelude::Vector::new(0.0, -50.0))
});
hooks_of_rapier!(hooks_in_space, Rapier3d, rapier3d, |ball: ColliderBuilder| {
    ball.translation(evenstep_physics::rapier3d::prelude::Vector::new(0.0, -50.0, 0.0))
});

#[test]
fn all_that_can_be_set_on_box2ds_world_is_saved() {
    let mut physics = system::<evenstep_physics::Box2d>(-10.0);
    let seen = |physics: &mut System<evenstep_physics::Box2d>| {
        let world = physics.world_mut().engine_mut().world_mut();
        let thresholds = [
            world.gravity().unwrap().y,
            world.restitution_threshold().unwrap(),
            world.hit_event_threshold().unwrap(),
            world.maximum_linear_speed().unwrap(),
            world.contact_recycle_distance().unwrap(),
        ];
        let switches = [
            world.is_sleeping_enabled().unwrap(),
            world.is_continuous_enabled().unwrap(),
            world.is_warm_starting_enabled().unwrap(),
        ];
        (thresholds, switches)
    };
    let before = seen(&mut physics);
    let saved = physics.save().unwrap();
    let world = physics.world_mut().engine_mut().world_mut();
    world.set_gravity([1.0, 2.0]).unwrap();
    world.set_restitution_threshold(3.0).unwrap();
    world.set_hit_event_threshold(4.0).unwrap();
    world.set_maximum_linear_speed(50.0).unwrap();
    world.set_contact_recycle_distance(0.06).unwrap();
    world.enable_sleeping(false).unwrap();
    world.enable_continuous(false).unwrap();
    world.enable_warm_starting(false).unwrap();
    let changed = seen(&mut physics);
    assert!((0..5).all(|at| changed.0[at] != before.0[at]) && (0..3).all(|at| changed.1[at] != before.1[at]));
    physics.restore(&saved).unwrap();
    assert_eq!(seen(&mut physics), before);
}

#[test]
fn all_that_can_be_set_on_rapiers_world_is_saved() {
    let mut physics = system::<evenstep_physics::Rapier2d>(-10.0);
    let seen = |physics: &System<evenstep_physics::Rapier2d>| {
        let world = physics.world().engine().world();
        // All fields, by their names.
        format!("{:?} {:?}", world.gravity, world.integration_parameters)
    };
    run(&mut physics, 1);
    let (before, saved) = (seen(&physics), physics.save().unwrap());
    let world = physics.world_mut().engine_mut().world_mut();
    world.gravity.x = 4.0;
    world.integration_parameters.num_solver_iterations += 3;
    world.integration_parameters.length_unit = 7.0;
    assert_ne!(seen(&physics), before);
    physics.restore(&saved).unwrap();
    assert_eq!(seen(&physics), before);
}

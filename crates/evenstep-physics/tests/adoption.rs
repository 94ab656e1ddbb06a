//! Adopted bodies, edits through the engine's own API, and its hooks.

use crate::common::{System, TestEngine, contacts, frames, heap, run, system, y};
use evenstep::Step;
use evenstep_physics::engine::{BodyMotion, PhysicsVector};
use evenstep_physics::{BodyDef, ContactKind, Shape, World, Wrench};

for_every_engine! {
    a_body_of_the_engines_own_api_is_adopted_and_released
    a_removed_body_is_not_adopted_again
    a_body_moved_through_the_engine_is_drawn_as_teleported
    the_key_of_a_body_destroyed_through_the_engine_is_stale_and_reported
    contacts_of_shapes_of_the_engines_own_api_are_reported_with_terrain_too
    a_sensor_reports_bodies_that_enter_and_leave
    a_body_without_mass_is_adopted_only_if_its_axes_are_locked
    a_handle_of_another_engine_is_rejected
}

fn x<M: BodyMotion>(motion: &M) -> f32 {
    motion.position().components()[0]
}

fn a_body_of_the_engines_own_api_is_adopted_and_released<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let engine = physics.world_mut().engine_mut();
    let handle = engine.native_body(0.0, 50.0);
    engine.native_box(Some(handle), -1.0, 0.0, false);
    engine.native_box(Some(handle), 1.0, 0.0, false);
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
    physics.world_mut().engine_mut().native_destroy(handle);
    assert!(physics.world_mut().adopt(handle, 8).is_err());
}

fn a_removed_body_is_not_adopted_again<E: TestEngine<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(1);
    run(&mut physics, 60);
    let handle = physics.world().handle(keys[0]).unwrap();
    physics.world_mut().remove(keys[0]).unwrap();
    for step in 0..5 {
        assert!(physics.world_mut().adopt(handle, 2).is_err(), "after {step} steps");
        run(&mut physics, 1);
    }
}

fn a_body_moved_through_the_engine_is_drawn_as_teleported<E: TestEngine<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(2);
    run(&mut physics, 10);
    let handle = physics.world().handle(keys[0]).unwrap();
    physics.world_mut().engine_mut().native_move(handle, 100.0, 50.0);
    let drawn = |physics: &System<E>| x(&E::Motion::at(physics.pose(keys[0]).unwrap()));
    assert_eq!(drawn(&physics), 100.0);
    let place = physics.poses().find(|body| body.key == keys[0]).unwrap().pose;
    assert_eq!(x(&E::Motion::at(place)), 100.0);
    for _ in 0..20 {
        physics.update(frames("144"), |_, _| {}).unwrap();
        assert!((drawn(&physics) - 100.0).abs() < 0.01, "{}", drawn(&physics));
    }
    // The same calls inside a step.
    let frame = |world: &mut World<E, u32>, _: &Step| world.engine_mut().native_move(handle, -100.0, 50.0);
    physics.update(frames("30"), frame).unwrap();
    assert!((drawn(&physics) + 100.0).abs() < 0.01, "{}", drawn(&physics));
}

fn the_key_of_a_body_destroyed_through_the_engine_is_stale_and_reported<E: TestEngine<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(3);
    run(&mut physics, 10);
    let handle = physics.world().handle(keys[1]).unwrap();
    physics.world_mut().engine_mut().native_destroy(handle);
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

fn contacts_of_shapes_of_the_engines_own_api_are_reported_with_terrain_too<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let engine = physics.world_mut().engine_mut();
    let ground = engine.native_box(None, 0.0, 0.0, false);
    let handle = engine.native_body(0.0, 3.0);
    let above = engine.native_box(Some(handle), 0.0, 1.0, false);
    let below = engine.native_box(Some(handle), 0.0, 0.0, false);
    let key = physics.world_mut().adopt(handle, 1).unwrap();
    let seen = contacts(&mut physics, "60", 90);
    let begun: Vec<_> = seen
        .iter()
        .filter(|contact| contact.kind == ContactKind::Begin)
        .collect();
    assert_eq!(begun.len(), 1, "{seen:?}");
    let parties = [begun[0].first, begun[0].second];
    let own = parties.iter().find(|party| party.key == Some(key)).unwrap();
    let terrain = parties.iter().find(|party| party.key.is_none()).unwrap();
    assert_eq!(own.body, Some(handle));
    assert_eq!((own.shape, terrain.shape), (below, ground));
    assert!(
        seen.iter()
            .all(|contact| contact.first.shape != above && contact.second.shape != above)
    );
    physics
        .world_mut()
        .teleport(key, E::Motion::at(E::pose(0.0, 40.0)))
        .unwrap();
    let ended = contacts(&mut physics, "60", 2);
    assert_eq!(ended.len(), 1, "{ended:?}");
    assert!(ended[0].kind == ContactKind::End && ended[0].keys().contains(&Some(key)));
}

fn a_sensor_reports_bodies_that_enter_and_leave<E: TestEngine<Motion: Default>>() {
    for is_sensor_first in [true, false] {
        let mut physics = system::<E>(-10.0);
        let sensor = |physics: &mut System<E>| {
            physics.world_mut().engine_mut().native_box(None, 0.0, 0.0, true);
        };
        if is_sensor_first {
            sensor(&mut physics);
        }
        let key = physics
            .world_mut()
            .create(&E::unit_box().at(E::pose(0.0, 5.0)), 1)
            .unwrap();
        if !is_sensor_first {
            sensor(&mut physics);
        }
        let seen = contacts(&mut physics, "60", 150);
        let kinds: Vec<_> = seen.iter().map(|contact| contact.kind).collect();
        assert_eq!(kinds, [ContactKind::SensorBegin, ContactKind::SensorEnd]);
        assert!(
            seen.iter()
                .all(|contact| contact.first.key.is_none() && contact.second.key == Some(key)),
            "{seen:?}"
        );
    }
}

fn a_body_without_mass_is_adopted_only_if_its_axes_are_locked<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let engine = physics.world_mut().engine_mut();
    let empty = engine.native_body(0.0, 0.0);
    let kinematic = engine.native_lift(5.0, 0.0);
    let point = engine.native_point_mass(10.0, 0.0, false);
    let upright = engine.native_point_mass(15.0, 0.0, true);
    let before = (physics.hash(), physics.world().len());
    for (body, field) in [(empty, "mass"), (point, "inertia")] {
        let error = physics.world_mut().adopt(body, 0).unwrap_err().to_string();
        assert!(error.contains(field) && error.contains(&format!("{body:?}")), "{error}");
        assert_eq!(physics.world().key(body), None);
    }
    let dust = BodyDef::new(Shape::Ball(1e-20)).with_density(1e-20);
    let error = physics.world_mut().create(&dust, 0).unwrap_err().to_string();
    assert!(error.contains("mass"), "{error}");
    assert_eq!((physics.hash(), physics.world().len()), before);
    for body in [kinematic, upright] {
        physics.world_mut().adopt(body, 0).unwrap();
    }
    physics
        .world_mut()
        .engine_mut()
        .native_box(Some(empty), 0.0, 0.0, false);
    physics.world_mut().adopt(empty, 0).unwrap();
    run(&mut physics, 10);
    assert_eq!(physics.world_mut().take_non_finite(), []);
}

fn a_handle_of_another_engine_is_rejected<E: TestEngine<Motion: Default>>() {
    let (mut physics, _) = heap::<E>(3);
    let (other, keys) = heap::<E>(9);
    // More bodies than exist here: Rapier's handles do not identify their world.
    let foreign = other.world().handle(keys[8]).unwrap();
    let before = (physics.hash(), physics.world().len());
    let error = physics.world_mut().adopt(foreign, 0).unwrap_err().to_string();
    assert!(
        error.contains("handle") && error.contains(&format!("{foreign:?}")),
        "{error}"
    );
    assert_eq!(physics.world().key(foreign), None);
    assert_eq!((physics.hash(), physics.world().len()), before);
}

#[cfg(feature = "rapier2d")]
#[test]
fn the_programs_own_hooks_filter_contacts_in_rapier() {
    use crate::common::RATE;
    use evenstep::FixedTimestep;
    use evenstep_physics::rapier2d::prelude::{
        ActiveHooks, ColliderBuilder, PairFilterContext, PhysicsHooks, SolverFlags, Vector,
    };
    use evenstep_physics::{PhysicsSystem, Rapier2d};

    /// Allows contacts only if the `user_data` of the fixed body's collider is even.
    struct Even;

    impl PhysicsHooks for Even {
        fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
            let floor = &context.colliders[context.collider1];
            floor.user_data.is_multiple_of(2).then(SolverFlags::default)
        }
    }

    let height = |number: u128| {
        let engine = Rapier2d::fresh(-10.0).with_hooks(Even);
        let mut physics = PhysicsSystem::<_, u32>::new(engine, FixedTimestep::new(RATE));
        let floor = ColliderBuilder::ball(50.0)
            .translation(Vector::new(0.0, -50.0))
            .user_data(number)
            .active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS);
        let world = physics.world_mut();
        world.engine_mut().world_mut().colliders.insert(floor);
        let def = Rapier2d::unit_box().at(Rapier2d::pose(0.0, 1.0));
        let key = world.create(&def, 0).unwrap();
        run(&mut physics, 60);
        y(&physics.world().motion(key).unwrap())
    };
    assert!(height(2) > 0.0 && height(3) < -3.0);
}

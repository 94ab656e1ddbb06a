//! Saving and restoring states, on every engine.

use std::time::Duration;

use crate::common::{OnContact, System, TestEngine, contacts, frames, heap, run, system, y};
use evenstep::inspect::{self, Dump};
use evenstep::{Smoothing, Step, Vector as _};
use evenstep_physics::controller::Controller;
use evenstep_physics::engine::BodyMotion as _;
use evenstep_physics::{BodyDef, BodyKey, BodyKind, Contact, ContactKind, Drag, PhysicsError, Shape, World, Wrench};

for_every_engine! {
    a_restored_system_continues_bit_identically_and_keeps_its_keys
    the_state_of_a_controller_is_restored
    a_restored_chain_of_hinges_continues_bit_identically
    undelivered_contacts_are_saved_and_restored
    what_waits_for_its_step_or_its_frame_is_saved
    after_every_change_a_new_copy_and_a_reused_one_are_restored_to_the_same
    a_state_that_was_saved_in_a_frame_is_the_state_of_its_tick
    save_into_allocates_nothing_outside_the_engine
    the_body_and_the_component_in_which_two_systems_differ_are_named
}

fn run_to<E: TestEngine>(physics: &mut System<E>, tick: u64) {
    while physics.timestep().tick() < tick {
        physics.update(frames("75"), |_, _| {}).unwrap();
    }
}

fn a_restored_system_continues_bit_identically_and_keeps_its_keys<E: TestEngine<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(20);
    physics
        .world_mut()
        .set_constant_force(keys[3], Wrench::linear(E::vector(4.0, 0.0)))
        .unwrap();
    run_to(&mut physics, 40);
    physics
        .world_mut()
        .apply_force_for_frame(keys[5], Wrench::linear(E::vector(0.0, 30.0)))
        .unwrap();
    physics.update(Duration::from_millis(3), |_, _| {}).unwrap(); // part of a step's force is carried
    let mut saved = physics.save().unwrap();
    let script = |physics: &mut System<E>| {
        let start = physics.timestep().tick();
        (start + 1..start + 60)
            .map(|tick| {
                run_to(physics, tick);
                physics.hash()
            })
            .collect::<Vec<u64>>()
    };
    let expected = script(&mut physics);

    physics.world_mut().remove(keys[0]).unwrap();
    physics.world_mut().remove(keys[7]).unwrap();
    let later = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(0.0, 60.0)), 99)
        .unwrap();
    run_to(&mut physics, 150);
    physics.restore(&saved).unwrap();
    assert_eq!(physics.world().data(keys[7]), Ok(&8));
    assert_eq!(physics.world().data(later), Err(PhysicsError::StaleKey(later)));
    assert_eq!(script(&mut physics), expected);

    physics.restore(&saved).unwrap();
    let replacement = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(0.0, 60.0)), 100)
        .unwrap();
    assert_ne!(replacement, later);
    assert!(physics.world().data(later).is_err());

    let (mut other, _) = heap::<E>(1);
    assert_eq!(other.restore(&saved), Err(PhysicsError::ForeignState));
    assert_eq!(other.save_into(&mut saved), Err(PhysicsError::ForeignState));
}

/// A controller that pushes harder in every step.
#[derive(Clone)]
struct Ramp(f32);

impl<E: TestEngine> Controller<E, u32> for Ramp {
    fn control(&mut self, world: &mut World<E, u32>, body: BodyKey, _: &Step) {
        self.0 += 1.0;
        world.apply_force(body, Wrench::linear(E::vector(self.0, 0.0))).unwrap();
    }
}

fn the_body_and_the_component_in_which_two_systems_differ_are_named<E: TestEngine<Motion: Default>>() {
    let ([(mut here, keys), (mut there, _)], tick) = ([heap::<E>(5), heap::<E>(5)], 30);
    for physics in [&mut here, &mut there] {
        run_to(physics, tick);
    }
    assert_eq!(inspect::hash(&here), inspect::hash(&there));
    let saved = [&here, &there].map(|physics| inspect::hash(&physics.save().unwrap()));
    assert_eq!(saved[0], saved[1]);

    let velocity = here.world().motion(keys[3]).unwrap().velocity();
    let velocity = velocity.plus(E::vector(1e-3, 0.0), 1.0);
    here.world_mut().set_velocity(keys[3], velocity).unwrap();
    let desync = Dump::new(tick, &here).compare(&Dump::new(tick, &there)).unwrap();
    let paths: Vec<_> = desync
        .differences
        .iter()
        .map(|difference| difference.path.as_str())
        .collect();
    assert_eq!(paths, [format!("bodies[{}].velocity[0]", keys[3].index())]);

    for physics in [&mut here, &mut there] {
        run_to(physics, tick + 1);
    }
    let [here, there] = [&here, &there].map(|physics| Dump::new(tick + 1, &physics.save().unwrap()));
    let desync = here.compare(&there).unwrap();
    let path = format!("bodies[{}].pose.position[0]", keys[3].index());
    assert!(
        desync.differences.iter().any(|difference| difference.path == path),
        "{desync}"
    );
}

fn the_state_of_a_controller_is_restored<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let key = physics.world_mut().create(&E::unit_box(), 0).unwrap();
    physics.attach(Ramp(0.0), &[key]);
    run_to(&mut physics, 10);
    let saved = physics.save().unwrap();
    run_to(&mut physics, 20);
    let expected = physics.hash();
    run_to(&mut physics, 30);
    physics.restore(&saved).unwrap();
    run_to(&mut physics, 20);
    assert_eq!(physics.hash(), expected);
}

fn a_restored_chain_of_hinges_continues_bit_identically<E: TestEngine<Motion: Default>>() {
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
        physics.world_mut().engine_mut().native_hinge(pair[0], pair[1], 2.0);
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
    // Another joint, so that the engine's list of joints differs from the saved one.
    let handles = [keys[6], keys[7]].map(|key| physics.world().handle(key).unwrap());
    physics
        .world_mut()
        .engine_mut()
        .native_hinge(handles[0], handles[1], 2.0);
    physics.world_mut().remove(keys[2]).unwrap();
    run(&mut physics, 30);
    physics.restore(&saved).unwrap();
    assert_eq!(script(&mut physics), expected);
}

/// A command that waits for a step or a frame, or that acts until it is replaced.
type Command<E> = fn(&mut World<E, u32>, [BodyKey; 2]) -> Result<(), PhysicsError>;

fn what_waits_for_its_step_or_its_frame_is_saved<E: TestEngine<Motion: Default>>() {
    let commands: [Command<E>; 8] = [
        |world, [body, _]| world.apply_force(body, Wrench::linear(E::vector(300.0, 0.0))),
        |world, [body, _]| world.apply_force_for_frame(body, Wrench::linear(E::vector(300.0, 0.0))),
        |world, [body, _]| world.apply_impulse(body, Wrench::linear(E::vector(5.0, 0.0))),
        |world, [body, _]| world.set_constant_force(body, Wrench::linear(E::vector(300.0, 0.0))),
        |world, [body, _]| world.apply_drag(body, Drag::new(E::vector(0.0, 0.0), 5.0, 0.0)),
        |world, [body, _]| world.set_gravity_scale(body, 3.0),
        |world, [body, _]| world.set_velocity(body, E::vector(0.0, 5.0)),
        |world, [_, lift]| world.move_to(lift, E::pose(9.0, 1.0)),
    ];
    for (command, is_begun) in commands
        .iter()
        .enumerate()
        .flat_map(|command| [(command, false), (command, true)])
    {
        let (number, command) = command;
        let mut physics = system::<E>(-10.0);
        let lift = E::unit_box().of_kind(BodyKind::Kinematic).at(E::pose(9.0, 0.0));
        let keys = [E::unit_box(), lift].map(|def| physics.world_mut().create(&def, 0).unwrap());
        run(&mut physics, 5);
        let idle = physics.save().unwrap();
        command(physics.world_mut(), keys).unwrap();
        if is_begun {
            let _ = physics.advance(Duration::from_millis(1));
        }
        let saved = physics.save().unwrap();
        let hashes = [&saved, &idle, &saved].map(|state| {
            physics.restore(state).unwrap();
            run(&mut physics, 3);
            physics.hash()
        });
        // The force for a frame that was begun is discarded with it.
        if !is_begun || number != 1 {
            assert_ne!(hashes[0], hashes[1], "command {number} does nothing, begun: {is_begun}");
        }
        assert_eq!(
            hashes[0], hashes[2],
            "command {number} is not restored, begun: {is_begun}"
        );
        if is_begun {
            continue;
        }
        let mut unsaved = system::<E>(-10.0);
        let keys = [
            E::unit_box(),
            E::unit_box().of_kind(BodyKind::Kinematic).at(E::pose(9.0, 0.0)),
        ]
        .map(|def| unsaved.world_mut().create(&def, 0).unwrap());
        run(&mut unsaved, 5);
        command(unsaved.world_mut(), keys).unwrap();
        run(&mut unsaved, 3);
        assert_eq!(
            hashes[0],
            unsaved.hash(),
            "command {number} acts as without saving, begun: {is_begun}"
        );
    }
}

fn undelivered_contacts_are_saved_and_restored<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    physics.world_mut().engine_mut().native_box(None, 0.0, 0.0, false);
    physics.world_mut().engine_mut().native_box(None, 50.0, 0.0, false);
    let falling = [0.0, 50.0].map(|x| {
        let def = E::unit_box().at(E::pose(x, 3.0));
        physics.world_mut().create(&def, 0).unwrap()
    });
    let mut failing = OnContact(|_: &mut World<E, u32>, _: &Contact<E>| Err(PhysicsError::ForeignState));
    loop {
        let frame = physics.advance(frames("60"));
        if physics.run(frame, &mut failing).is_err() {
            break;
        }
    }
    let saved = physics.save().unwrap();
    // Every engine discards the bodies that were created later, and assigns their handles again.
    run(&mut physics, 30);
    for _ in 0..2 {
        physics.restore(&saved).unwrap();
        let mut taken = contacts(&mut physics, "60", 1);
        taken.retain(|contact| contact.kind == ContactKind::Begin);
        assert_eq!(
            taken.len(),
            1,
            "one failed, the other is still to be handed over: {taken:?}"
        );
        let own = falling.map(|key| taken[0].keys().contains(&Some(key)));
        assert!(own[0] != own[1], "{taken:?}");
        for party in [taken[0].first, taken[0].second] {
            let body = party.key.map(|key| physics.world().handle(key).unwrap());
            assert!(
                body.is_none() || party.body == body,
                "it has the handle of now: {party:?}"
            );
            assert!(physics.world_mut().engine_mut().has_shape(party.shape), "{party:?}");
        }
    }
}

/// What a program does before it saves.
type Change<E> = fn(&mut System<E>, [BodyKey; 2]);

/// Restored from either copy, the world draws, reports and simulates alike: a reused copy keeps nothing of the state before the change.
fn after_every_change_a_new_copy_and_a_reused_one_are_restored_to_the_same<E: TestEngine<Motion: Default>>() {
    let changes: [Change<E>; 13] = [
        |_, _| {},
        |physics, [body, _]| {
            let handle = physics.world().handle(body).unwrap();
            physics.world_mut().engine_mut().native_move(handle, 3.0, 9.0);
        },
        |physics, [body, _]| {
            let handle = physics.world().handle(body).unwrap();
            physics.world_mut().engine_mut().native_destroy(handle);
        },
        |physics, [body, _]| _ = physics.world_mut().remove(body).unwrap(),
        |physics, [_, other]| _ = physics.world_mut().release(other).unwrap(),
        |physics, [body, _]| {
            let pose = E::pose(3.0, 9.0);
            physics.world_mut().teleport(body, E::Motion::at(pose)).unwrap();
        },
        |physics, [body, _]| physics.world_mut().set_previous(body, E::pose(3.0, 9.0)).unwrap(),
        |physics, [body, _]| physics.world_mut().set_smoothing(body, Smoothing::None).unwrap(),
        |physics, [body, _]| {
            let force = Wrench::linear(E::vector(3.0, 0.0));
            physics.world_mut().apply_force_for_frame(body, force).unwrap();
        },
        |physics, [body, _]| {
            let force = Wrench::linear(E::vector(3.0, 0.0));
            physics.world_mut().set_constant_force(body, force).unwrap();
        },
        |physics, [body, _]| _ = physics.attach(Ramp(0.0), &[body]),
        |physics, _| physics.timestep_mut().step_once(),
        |physics, _| {
            _ = physics
                .world_mut()
                .create(&E::unit_box().at(E::pose(9.0, 0.5)), 9)
                .unwrap()
        },
    ];
    let go_on = |physics: &mut System<E>| -> Vec<String> {
        let frame = |_| {
            let contacts = contacts(physics, "144", 1).len();
            let drawn: Vec<_> = physics.poses().map(|body| (body.key, *body.data, body.pose)).collect();
            let destroyed = physics.world_mut().take_destroyed();
            format!("{:?}", (physics.hash(), contacts, drawn, destroyed))
        };
        (0..6).map(frame).collect()
    };
    let mut all = std::collections::HashSet::new();
    for (number, change) in changes.iter().enumerate() {
        let (mut physics, keys) = heap::<E>(5);
        run(&mut physics, 10);
        let mut reused = physics.save().unwrap();
        change(&mut physics, [keys[0], keys[1]]);
        let new = physics.save().unwrap();
        physics.save_into(&mut reused).unwrap();
        let unsaved = go_on(&mut physics);
        for (saved, name) in [(&new, "new"), (&reused, "reused")] {
            physics.restore(saved).unwrap();
            assert_eq!(go_on(&mut physics), unsaved, "change {number}, of a {name} copy");
        }
        assert!(all.insert(unsaved), "change {number} changes nothing");
    }
}

/// Saved between `advance` and `run`: the timestep is at the end of the frame and the world at its begin. The steps of the frame never run.
fn a_state_that_was_saved_in_a_frame_is_the_state_of_its_tick<E: TestEngine<Motion: Default>>() {
    let (mut physics, _) = heap::<E>(5);
    run(&mut physics, 10);
    let frame = physics.advance(3 * frames("60"));
    let saved = physics.save().unwrap();
    let mut idle = |_: &mut World<E, u32>, _: &Step| Ok::<_, PhysicsError>(());
    physics.run(frame, &mut idle).unwrap();
    let (tick, hash) = (physics.timestep().tick(), physics.hash());
    physics.restore(&saved).unwrap();
    let mut steps = 0;
    while physics.timestep().tick() < tick {
        physics.update(frames("60"), |_, _| steps += 1).unwrap();
    }
    assert_eq!(physics.hash(), hash, "at tick {tick}, {steps} steps after the restore");
}

fn save_into_allocates_nothing_outside_the_engine<E: TestEngine<Motion: Default>>() {
    let (mut physics, keys) = heap::<E>(20);
    physics.world_mut().set_smoothing(keys[0], Smoothing::Hermite).unwrap();
    for key in &keys[..5] {
        let push = Wrench::linear(E::vector(1.0, 0.0));
        physics.world_mut().set_constant_force(*key, push).unwrap();
    }
    run(&mut physics, 40);
    let mut saved = physics.save().unwrap();
    let mut engines_own = physics.world().engine().save().unwrap();
    run(&mut physics, 1);
    let with_ours = allocation_counter::measure(|| physics.save_into(&mut saved).unwrap());
    let alone = allocation_counter::measure(|| physics.world().engine().save_into(&mut engines_own).unwrap());
    assert_eq!(with_ours.count_total, alone.count_total);
}

/// A coin that is picked up. Box2D itself cannot be saved for two steps after a body was destroyed that was in a sensor.
#[test]
fn a_world_is_saved_after_a_coin_was_picked_up() {
    let mut physics = system::<evenstep_physics::Box2d>(0.0);
    physics.world_mut().engine_mut().native_box(None, 0.0, 0.0, true);
    let coin = physics.world_mut().create(&BodyDef::new(Shape::Ball(0.3)), 1).unwrap();
    for _ in 0..5 {
        physics.update(frames("60"), |_, _| {}).unwrap();
    }
    physics.world_mut().remove(coin).unwrap();
    for _ in 0..4 {
        physics.save().unwrap();
        physics.update(frames("60"), |_, _| {}).unwrap();
    }
}

#[test]
fn all_settings_of_a_box2d_world_are_saved() {
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

#[cfg(feature = "rapier2d")]
#[test]
fn all_settings_of_a_rapier_world_are_saved() {
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

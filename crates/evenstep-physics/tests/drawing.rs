//! Interpolated and extrapolated poses, on every engine.

use std::time::Duration;

use crate::common::{RATE, System, TestEngine, system};
use evenstep::{FixedTimestep, Rate, Smoothing, Step};
use evenstep_physics::engine::{BodyMotion, PhysicsVector};
use evenstep_physics::{BodyKey, PhysicsError, PhysicsSystem, World};

for_every_engine! {
    new_and_teleported_bodies_do_not_streak
    what_is_spawned_moving_is_drawn_on_its_way
    code_inside_a_step_never_reads_an_interpolated_state
    every_smoothing_has_its_own_drawn_time
}

fn new_and_teleported_bodies_do_not_streak<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let key = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(50.0, 60.0)), 0)
        .unwrap();
    let drawn = |physics: &System<E>| {
        E::Motion::at(physics.pose(key).unwrap())
            .position()
            .components()
            .to_vec()
    };
    physics.update(Duration::from_millis(25), |_, _| {}).unwrap();
    assert_eq!(drawn(&physics)[..2], [50.0, 60.0]);

    let moving = E::Motion::at(E::pose(0.0, 0.0)).with_velocity(E::vector(6.0, 0.0));
    physics.world_mut().teleport(key, moving).unwrap();
    physics.update(Duration::from_millis(4), |_, _| {}).unwrap();
    for _ in 0..50 {
        physics.update(Duration::from_millis(7), |_, _| {}).unwrap();
        assert!(drawn(&physics)[0] < 3.0, "{:?}", drawn(&physics));
    }
}

fn what_is_spawned_moving_is_drawn_on_its_way<E: TestEngine<Motion: Default>>() {
    const VELOCITY: f32 = 10.0;
    let horizon = Duration::from_millis(100);
    let ways = [
        Smoothing::Interpolate,
        Smoothing::Hermite,
        Smoothing::Extrapolate { horizon },
        Smoothing::None,
    ];
    let orders = ["in a step", "between frames", "drawn so before", "drawn so after"];
    for (smoothing, order) in ways.into_iter().flat_map(|way| orders.map(|order| (way, order))) {
        for (rate, display) in [(20, 60), (20, 240), (60, 144), (60, 60), (144, 60), (144, 240)] {
            let mut physics = PhysicsSystem::new(E::fresh(0.0), FixedTimestep::new(Rate::hz(rate)));
            let create = |world: &mut World<E, ()>, x: f32| {
                let motion = E::Motion::at(E::pose(x, 0.0)).with_velocity(E::vector(VELOCITY, 0.0));
                world.create(&E::unit_box().moving(motion), ()).unwrap()
            };
            let x = |pose| E::Motion::at(pose).position().components()[0];
            let gun = create(physics.world_mut(), 0.0);
            physics.world_mut().set_smoothing(gun, smoothing).unwrap();
            let shoot = |world: &mut World<E, ()>| {
                let muzzle = x(world.motion(gun).unwrap().pose()) + 2.0;
                let before = E::pose(muzzle - VELOCITY / rate as f32, 0.0);
                let shot = create(world, muzzle);
                if order == "drawn so after" {
                    world.set_previous(shot, before).unwrap();
                    world.set_smoothing(shot, smoothing).unwrap();
                } else {
                    world.set_smoothing(shot, smoothing).unwrap();
                    world.set_previous(shot, before).unwrap();
                }
                shot
            };
            let mut shot: Option<BodyKey> = None;
            for frame in 0..display {
                if order != "in a step" && frame == display / 2 {
                    shot = Some(shoot(physics.world_mut()));
                }
                physics
                    .update(Duration::from_secs(1) / display, |world, _| {
                        if order == "in a step" && shot.is_none() && frame >= display / 2 {
                            shot = Some(shoot(world));
                        }
                    })
                    .unwrap();
                if let Some(shot) = shot {
                    let distance = x(physics.pose(shot).unwrap()) - x(physics.pose(gun).unwrap());
                    let case = format!("{smoothing:?}, {order}, {rate} steps at {display} Hz");
                    assert!((distance - 2.0).abs() < 1e-4, "{case}: {distance}");
                }
            }
            assert!(shot.is_some());
        }
    }
    let mut physics = system::<E>(0.0);
    let key = physics.world_mut().create(&E::unit_box(), 0).unwrap();
    for wrong in [f32::NAN, f32::INFINITY, 2e9] {
        let refused = physics.world_mut().set_previous(key, E::pose(wrong, 0.0));
        assert!(matches!(refused, Err(PhysicsError::InvalidValue { .. })), "{refused:?}");
    }
    physics.world_mut().remove(key).unwrap();
    assert!(physics.world_mut().set_previous(key, E::pose(0.0, 0.0)).is_err());
}

fn code_inside_a_step_never_reads_an_interpolated_state<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let key = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(0.0, 50.0)), 0)
        .unwrap();
    let mut last = None;
    for _ in 0..100 {
        physics
            .update(Duration::from_millis(11), |world: &mut World<E, u32>, _: &Step| {
                let handle = world.handle(key).unwrap();
                let truth = world.engine_mut().motion(handle).unwrap();
                assert_eq!(world.motion(key).unwrap(), truth);
                assert_ne!(last.replace(truth), Some(truth));
            })
            .unwrap();
        let _ = physics.poses().count();
    }
}

fn every_smoothing_has_its_own_drawn_time<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let (speed, period) = (6.0, RATE.period_secs_f64());
    let horizon = Duration::from_secs(1);
    // By how many steps each drawn pose is later than the interpolated pose. Without smoothing, this depends on alpha.
    let ways = [
        (Smoothing::Interpolate, 0.0),
        (Smoothing::Hermite, 0.0),
        (Smoothing::Extrapolate { horizon }, 1.0),
        (Smoothing::None, f64::NAN),
    ];
    let keys = ways.map(|(smoothing, _)| {
        let motion = E::Motion::at(E::pose(0.0, 0.0)).with_velocity(E::vector(speed as f32, 0.0));
        let key = physics.world_mut().create(&E::unit_box().moving(motion), 0).unwrap();
        physics.world_mut().set_smoothing(key, smoothing).unwrap();
        // The bodies are far above each other.
        let apart = E::Motion::at(E::pose(0.0, 10.0 * key_height(smoothing))).with_velocity(motion.velocity());
        physics.world_mut().teleport(key, apart).unwrap();
        key
    });
    for _ in 0..40 {
        physics.update(Duration::from_millis(7), |_, _| {}).unwrap();
        if physics.frame().tick() < 2 {
            continue;
        }
        let shown = physics.frame().shown_time(Smoothing::Interpolate).as_secs_f64();
        for ((_, later), key) in ways.iter().zip(keys) {
            let steps = if later.is_nan() {
                1.0 - physics.frame().alpha()
            } else {
                *later
            };
            let expected = speed * (shown + steps * period);
            let x = f64::from(E::Motion::at(physics.pose(key).unwrap()).position().components()[0]);
            assert!((x - expected).abs() < 1e-4, "{x} instead of {expected}");
        }
    }
}

fn key_height(smoothing: Smoothing) -> f32 {
    match smoothing {
        Smoothing::None => 0.0,
        Smoothing::Interpolate => 1.0,
        Smoothing::Extrapolate { .. } => 2.0,
        _ => 3.0,
    }
}

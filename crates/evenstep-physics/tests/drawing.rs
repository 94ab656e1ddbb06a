//! Interpolated and extrapolated poses, on every engine.

use std::time::Duration;

use crate::common::{RATE, System, TestEngine, system};
use evenstep::{Smoothing, Step};
use evenstep_physics::World;
use evenstep_physics::engine::{BodyMotion, PhysicsVector};

for_every_engine! {
    new_and_teleported_bodies_do_not_streak
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

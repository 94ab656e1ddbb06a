//! Several calls write the velocity of a kinematic body: the last one before a step counts.

use evenstep_physics::engine::{BodyMotion, PhysicsVector};
use evenstep_physics::{BodyKey, BodyKind};

use crate::common::{System, TestEngine, run, system};

for_every_engine! {
    a_released_body_stays_where_its_target_was
    the_last_of_random_calls_counts
}

fn platform<E: TestEngine<Motion: Default>>() -> (System<E>, BodyKey) {
    let mut physics = system::<E>(0.0);
    let def = E::unit_box().of_kind(BodyKind::Kinematic);
    let key = physics.world_mut().create(&def, 0).unwrap();
    (physics, key)
}

fn x<E: TestEngine>(physics: &System<E>, key: BodyKey) -> f32 {
    physics.world().motion(key).unwrap().position().components()[0]
}

fn a_released_body_stays_where_its_target_was<E: TestEngine<Motion: Default>>() {
    for steps in [0, 1, 2] {
        let (mut physics, key) = platform::<E>();
        physics.world_mut().move_to(key, E::pose(0.1, 0.0)).unwrap();
        run(&mut physics, steps);
        let from = x(&physics, key);
        let (handle, _) = physics.world_mut().release(key).unwrap();
        run(&mut physics, 5);
        let key = physics.world_mut().adopt(handle, 1).unwrap();
        assert_eq!(x(&physics, key), from);
    }
}

fn the_last_of_random_calls_counts<E: TestEngine<Motion: Default>>() {
    use proptest::prelude::*;
    // A call of each kind with a number, and whether a step follows.
    let calls = prop::collection::vec((0..3_u8, -3.0..3.0_f32, any::<bool>()), 1..20);
    crate::stepped::check(30, &calls, |calls| {
        let (mut physics, key) = platform::<E>();
        let (mut at, mut speed) = (0.0_f32, 0.0_f32);
        for (call, number, steps) in calls {
            let world = physics.world_mut();
            let target = match call {
                0 => {
                    world.move_to(key, E::pose(number, 0.0)).unwrap();
                    Some(number)
                }
                1 => {
                    world.set_velocity(key, E::vector(number, 0.0)).unwrap();
                    speed = number;
                    None
                }
                _ => {
                    world.teleport(key, E::Motion::at(E::pose(number, 0.0))).unwrap();
                    (at, speed) = (number, 0.0);
                    None
                }
            };
            if steps {
                run(&mut physics, 1);
                match target {
                    Some(target) => (at, speed) = (target, 0.0),
                    None => at += speed / 60.0,
                }
                assert!(
                    (x(&physics, key) - at).abs() < 1e-3,
                    "{} instead of {at}",
                    x(&physics, key)
                );
            }
        }
    });
}

//! Saves of worlds in which bodies are removed, and saves within a frame.

use std::time::Duration;

use evenstep::Step;
use evenstep_physics::{BodyDef, Box2d, PhysicsError, Shape, World};

use crate::common::{TestEngine, heap, system};

const FRAME: Duration = Duration::from_nanos(16_666_667);

for_every_engine! {
    a_state_that_was_saved_in_a_frame_is_the_state_of_its_tick
}

/// A coin that is picked up. Box2D itself cannot be saved for two steps after a body was destroyed that was in a sensor.
#[test]
fn a_world_is_saved_after_a_coin_was_picked_up() {
    let mut physics = system::<Box2d>(0.0);
    physics.world_mut().engine_mut().native_box(None, 0.0, 0.0, true);
    let coin = physics.world_mut().create(&BodyDef::new(Shape::Ball(0.3)), 1).unwrap();
    for _ in 0..5 {
        physics.update(FRAME, |_, _| {}).unwrap();
    }
    physics.world_mut().remove(coin).unwrap();
    for _ in 0..4 {
        physics.save().unwrap();
        physics.update(FRAME, |_, _| {}).unwrap();
    }
}

/// Saved between `begin_frame` and `run`: the timestep is at the end of the frame and the world at its begin. The steps of the frame never run.
fn a_state_that_was_saved_in_a_frame_is_the_state_of_its_tick<E: TestEngine<Motion: Default>>() {
    let (mut physics, _) = heap::<E>(5);
    crate::common::run(&mut physics, 10);
    let frame = physics.begin_frame(3 * FRAME);
    let saved = physics.save().unwrap();
    let mut idle = |_: &mut World<E, u32>, _: &Step| Ok::<_, PhysicsError>(());
    physics.run(frame, &mut idle).unwrap();
    let (tick, hash) = (physics.timestep().tick(), physics.hash());
    physics.restore(&saved).unwrap();
    let mut steps = 0;
    while physics.timestep().tick() < tick {
        physics.update(FRAME, |_, _| steps += 1).unwrap();
    }
    assert_eq!(physics.hash(), hash, "at tick {tick}, {steps} steps after the restore");
}

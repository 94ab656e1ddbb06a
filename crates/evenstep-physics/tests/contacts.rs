//! Contacts and sensors around removals, saves and restores.
use std::time::Duration;

use evenstep::Step;
use evenstep_physics::engine::BodyMotion;
use evenstep_physics::{
    BodyDef, BodyKey, BodyKind, Box2d, Contact, ContactKind, PhysicsError, Shape, StepHandler, World,
};

use crate::common::{System, TestEngine, heap, system};

const FRAME: Duration = Duration::from_nanos(16_666_667);

for_every_engine! {
    a_touch_that_ends_has_begun
    what_ends_after_a_save_ends_after_a_restore
    a_state_that_was_saved_in_a_frame_is_the_state_of_its_tick
}

/// Counts touches of platforms, and removes a body at the first contact.
#[derive(Default)]
struct Touches {
    removes: Option<BodyKey>,
    of: [i64; 2],
    log: Vec<String>,
}

impl<E: TestEngine<Motion: Default>> StepHandler<E, u32> for Touches {
    type Error = PhysicsError;
    fn step(&mut self, _: &mut World<E, u32>, _: &Step) -> Result<(), PhysicsError> {
        Ok(())
    }
    fn contact(&mut self, world: &mut World<E, u32>, contact: &Contact<E>) -> Result<(), PhysicsError> {
        let (name, by) = match contact.kind {
            ContactKind::Begin => ("begin", 1),
            ContactKind::End => ("end", -1),
            ContactKind::SensorBegin => ("enter", 0),
            ContactKind::SensorEnd => ("leave", 0),
            _ => return Ok(()),
        };
        let mut data = contact.keys().map(|key| key.map(|key| *world.data(key).unwrap()));
        data.sort();
        self.log.push(format!("{name} {data:?} at tick {}", contact.tick));
        for platform in data.into_iter().flatten().filter(|data| *data < 2) {
            self.of[platform as usize] += by;
        }
        if let Some(key) = self.removes.take() {
            world.remove(key)?;
        }
        Ok(())
    }
}

fn frames<E: TestEngine<Motion: Default>>(physics: &mut System<E>, touches: &mut Touches, count: u32) {
    for _ in 0..count {
        let frame = physics.begin_frame(FRAME);
        physics.run(frame, touches).unwrap();
    }
}

/// A bullet hits two platforms in one step and is removed at the first contact. The second begin is discarded, but its end is delivered: a program that
/// counts touches of a platform (is somebody on it?) has -1.
fn a_touch_that_ends_has_begun<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    for (data, at) in [(0, -0.6), (1, 0.6)] {
        let platform = E::unit_box().of_kind(BodyKind::Kinematic).at(E::pose(at, 0.0));
        physics.world_mut().create(&platform, data).unwrap();
    }
    let bullet = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(0.0, 1.2)), 2)
        .unwrap();
    let mut touches = Touches {
        removes: Some(bullet),
        ..Touches::default()
    };
    frames(&mut physics, &mut touches, 60);
    assert_eq!(
        touches.of,
        [0, 0],
        "touches of the platforms, on which nothing is; {:?}",
        touches.log
    );
}

/// A bullet is removed at its contact, and the tick's state is saved, as for rollback. What the program sees of the next ticks is the same after a restore.
/// Box2D reports the end of the contact in the next step, and its snapshot does not contain it.
fn what_ends_after_a_save_ends_after_a_restore<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    physics
        .world_mut()
        .create(&E::unit_box().of_kind(BodyKind::Fixed), 1)
        .unwrap();
    let falling = E::Motion::at(E::pose(0.0, 1.2)).with_velocity(E::vector(0.0, -3.0));
    let bullet = physics.world_mut().create(&E::unit_box().moving(falling), 2).unwrap();
    let mut touches = Touches {
        removes: Some(bullet),
        ..Touches::default()
    };
    while touches.log.is_empty() {
        frames(&mut physics, &mut touches, 1);
    }
    let saved = physics.save().unwrap();
    let (mut lived, mut restored) = (Touches::default(), Touches::default());
    frames(&mut physics, &mut lived, 5);
    physics.restore(&saved).unwrap();
    frames(&mut physics, &mut restored, 5);
    assert_eq!(restored.log, lived.log);
}

/// "Saves the whole state." Box2D cannot be saved for two steps after a body was removed that was in a sensor: a coin that is picked up.
#[test]
fn a_world_is_saved_after_a_coin_was_picked_up() {
    let mut physics = system::<Box2d>(0.0);
    physics.world_mut().engine_mut().native_box(None, 0.0, 0.0, true);
    let coin = physics.world_mut().create(&BodyDef::new(Shape::Ball(0.3)), 1).unwrap();
    frames(&mut physics, &mut Touches::default(), 5);
    physics.world_mut().remove(coin).unwrap();
    let saves: Vec<_> = (0..4)
        .map(|_| {
            let saved = physics.save().map(|_| ()).map_err(|error| error.to_string());
            frames(&mut physics, &mut Touches::default(), 1);
            saved
        })
        .collect();
    assert!(saves.iter().all(Result::is_ok), "{saves:?}");
}

/// Saved between `begin_frame` and `run`: the timestep is at the end of the frame and the world at its begin. The steps of the frame never run.
fn a_state_that_was_saved_in_a_frame_is_the_state_of_its_tick<E: TestEngine<Motion: Default>>() {
    let (mut physics, _) = heap::<E>(5);
    frames(&mut physics, &mut Touches::default(), 10);
    let frame = physics.begin_frame(3 * FRAME);
    let saved = physics.save().unwrap();
    physics.run(frame, &mut Touches::default()).unwrap();
    let (tick, hash) = (physics.timestep().tick(), physics.hash());
    physics.restore(&saved).unwrap();
    let mut steps = 0;
    while physics.timestep().tick() < tick {
        physics.update(FRAME, |_, _| steps += 1).unwrap();
    }
    assert_eq!(physics.hash(), hash, "at tick {tick}, {steps} steps after the restore");
}

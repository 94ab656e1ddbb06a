//! The cost of `PhysicsSystem::update`, compared with a loop written by hand on the engine itself: one step a frame, then the
//! blended poses of all bodies. The boxes slide over a floor without friction, so that all stay awake and in contact, or
//! they sleep.

mod sliding;
mod world;

use std::cell::RefCell;
use std::hint::black_box;

use boxdd::BodyId;
use evenstep::Blend;
use evenstep::poses::{Motion2, Pose2, Rot2};
use evenstep_benches::Comparison;
use evenstep_physics::engine::{Action, HandleMut, Report};
use evenstep_physics::{BodyDef, Box2d, Engine, PhysicsError, PhysicsSystem, Rapier2d};
use rapier2d::prelude::{Pose, RigidBodyHandle};
use rustc_hash::FxHashMap;
use sliding::{run_system, system};

fn main() {
    world::run();
    print!("{}", share(10_000));
    for awake in [true, false] {
        for bodies in [100, 1_000, 10_000] {
            let frames = if awake { 20_000 / bodies } else { 20_000 };
            let state = if awake { "awake" } else { "asleep" };
            let title = |engine| format!("{engine}, {bodies} bodies {state}: a frame");
            print!("{}", box2d(&title("Box2D"), bodies, awake, frames));
            print!("{}", rapier(&title("Rapier 2D"), bodies, awake, frames));
        }
    }
}

/// The share of evenstep-physics in a frame with Box2D.
fn share(bodies: usize) -> String {
    let physics = RefCell::new(system(Box2d::new([0.0, -10.0]).expect("a world"), bodies, true));
    let mut reporting = system(Reporting::default(), bodies, true);
    Comparison::new(&format!("Box2D, {bodies} bodies awake: what of a frame is ours"), 1)
        .entry("a frame", || run_system(&mut physics.borrow_mut(), 1, true))
        .entry("Box2D alone: a step and its events", || {
            let mut physics = physics.borrow_mut();
            let world = physics.world_mut().engine_mut().world_mut();
            let step = world.step(1.0 / 60.0, 4).expect("a step");
            for event in step.body_events().expect("events").iter() {
                black_box(event);
            }
            black_box(step.contact_events().expect("events").is_empty());
        })
        .entry("evenstep-physics, on an engine that only says that all moved", || {
            run_system(&mut reporting, 1, true)
        })
        .run()
}

/// An engine that does nothing, but reports that all bodies moved except the first one, the floor.
#[derive(Default)]
struct Reporting {
    bodies: u32,
    steps: u32,
}

impl Reporting {
    fn pose(&self, slot: u32) -> Pose2 {
        Pose2::new([slot as f32, self.steps as f32], Rot2::IDENTITY)
    }
}

impl Engine for Reporting {
    type Motion = Motion2;
    type Handle = u32;
    type ShapeHandle = u32;
    type Saved = ();

    fn create(&mut self, _: &BodyDef<Motion2>) -> Result<u32, PhysicsError> {
        self.bodies += 1;
        Ok(self.bodies - 1)
    }

    fn destroy(&mut self, _: u32) {}

    fn adopt(&mut self, _: u32, _: u32) {}

    fn release(&mut self, _: u32) {}

    fn slot(&self, body: u32) -> Option<u32> {
        Some(body)
    }

    fn motion(&self, body: u32) -> Option<Motion2> {
        Some(Motion2 {
            pose: self.pose(body),
            ..Motion2::default()
        })
    }

    fn set_motion(&mut self, _: u32, _: &Motion2) -> Result<(), PhysicsError> {
        Ok(())
    }

    fn set_velocity(&mut self, _: u32, _: [f32; 2]) -> Result<(), PhysicsError> {
        Ok(())
    }

    fn center_of_mass(&self, body: u32) -> Option<[f32; 2]> {
        Some(self.pose(body).position)
    }

    fn set_gravity_scale(&mut self, _: u32, _: f32) -> Result<(), PhysicsError> {
        Ok(())
    }

    fn missing_mass_property(&self, _: u32) -> Option<&'static str> {
        None
    }

    fn is_kinematic(&self, _: u32) -> bool {
        false
    }

    fn step(&mut self, _: f32, _: &[Action<Self>], report: &mut Report<Self>) -> Result<(), PhysicsError> {
        self.steps += 1;
        report
            .moved
            .extend((1..self.bodies).map(|slot| (slot, self.pose(slot))));
        Ok(())
    }

    fn save(&self) -> Result<(), PhysicsError> {
        Ok(())
    }

    fn restore<'a>(&mut self, (): &(), _: impl Iterator<Item = HandleMut<'a, Self>>) -> Result<(), PhysicsError> {
        Ok(())
    }
}

/// The last two poses of a body.
type Poses = Vec<(Pose2, Pose2)>;

fn draw(poses: &Poses) {
    for (previous, current) in poses {
        black_box(previous.blend(current, 0.5));
    }
}

/// Both entries step the same world, so that only the work around the engine differs.
fn box2d(title: &str, bodies: usize, awake: bool, frames: usize) -> String {
    let physics = RefCell::new(system(Box2d::new([0.0, -10.0]).expect("a world"), bodies, awake));
    let handles = handles(&physics.borrow());
    let slots: FxHashMap<BodyId, usize> = handles.into_iter().zip(0..).collect();
    let mut poses: Poses = vec![(Pose2::IDENTITY, Pose2::IDENTITY); slots.len()];
    let by_hand = || {
        let mut physics = physics.borrow_mut();
        let world = physics.world_mut().engine_mut().world_mut();
        for _ in 0..frames {
            let step = world.step(1.0 / 60.0, 4).expect("a step");
            for event in step.body_events().expect("events").iter() {
                let (position, rotation) = (event.transform.position(), event.transform.rotation());
                let turn = Rot2 {
                    cos: rotation.cosine(),
                    sin: rotation.sine(),
                };
                move_to(&mut poses[slots[&event.body_id]], [position.x, position.y], turn);
            }
            black_box(step.contact_events().expect("events").is_empty());
            drop(step);
            if awake {
                draw(&poses);
            }
        }
    };
    let ours = || run_system(&mut physics.borrow_mut(), frames, awake);
    Comparison::new(title, frames)
        .entry("by hand", by_hand)
        .entry("evenstep-physics", ours)
        .run()
}

/// The same as [`box2d`] with Rapier.
fn rapier(title: &str, bodies: usize, awake: bool, frames: usize) -> String {
    let physics = RefCell::new(system(Rapier2d::new([0.0, -10.0]), bodies, awake));
    let handles = handles(&physics.borrow());
    let slots: FxHashMap<RigidBodyHandle, usize> = handles.into_iter().zip(0..).collect();
    let mut poses: Poses = vec![(Pose2::IDENTITY, Pose2::IDENTITY); slots.len()];
    let by_hand = || {
        let mut physics = physics.borrow_mut();
        let world = physics.world_mut().engine_mut().world_mut();
        for _ in 0..frames {
            world.step();
            for handle in world.islands.active_bodies() {
                let pose: &Pose = world.bodies[handle].position();
                let turn = Rot2 {
                    cos: pose.rotation.cos(),
                    sin: pose.rotation.sin(),
                };
                move_to(
                    &mut poses[slots[&handle]],
                    [pose.translation.x, pose.translation.y],
                    turn,
                );
            }
            if awake {
                draw(&poses);
            }
        }
    };
    let ours = || run_system(&mut physics.borrow_mut(), frames, awake);
    Comparison::new(title, frames)
        .entry("by hand", by_hand)
        .entry("evenstep-physics", ours)
        .run()
}

fn handles<E: Engine<Motion = Motion2>>(physics: &PhysicsSystem<E>) -> Vec<E::Handle> {
    let world = physics.world();
    world.keys().filter_map(|key| world.handle(key).ok()).collect()
}

fn move_to((previous, current): &mut (Pose2, Pose2), position: [f32; 2], turn: Rot2) {
    *previous = *current;
    *current = Pose2::new(position, turn);
}

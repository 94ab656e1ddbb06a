//! Programs as the engine's own documentation has them, behind `adopt`: at every frame rate equal in bits to the engine's
//! own run.

mod common;

use common::{RATE, frames};
use evenstep::{FixedTimestep, Step};
use evenstep_physics::rapier2d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use evenstep_physics::rapier2d::prelude::{
    ActiveHooks, ColliderBuilder, ColliderHandle, ContactModificationContext, PhysicsHooks, PhysicsWorld, Pose,
    QueryFilter, RigidBodyBuilder, RigidBodyHandle, Vector,
};
use evenstep_physics::{PhysicsError, PhysicsSystem, Rapier2d, World};

const TICKS: u64 = 240;

/// Frame rates below, at, beside and above the steps'.
const RATES: [&str; 4] = ["24", "60", "60000/1001", "144"];

/// A program around Rapier's world: what it does before each step, and its hooks.
trait Program: Sized {
    fn build() -> (PhysicsWorld, Self);
    fn before_step(&mut self, world: &mut PhysicsWorld, tick: u64);
    fn hooks() -> impl PhysicsHooks + Send + Sync + 'static;
}

/// The bits of all bodies after each step.
fn bits(world: &PhysicsWorld) -> Vec<u32> {
    let bodies = world.bodies.iter();
    bodies
        .flat_map(|(_, body)| {
            let (at, velocity) = (body.position(), body.linvel());
            [
                at.translation.x,
                at.translation.y,
                at.rotation.cos(),
                at.rotation.sin(),
                velocity.x,
                velocity.y,
                body.angvel(),
            ]
        })
        .map(f32::to_bits)
        .collect()
}

/// The engine's own loop at 60 Hz.
fn own_run<P: Program>() -> Vec<Vec<u32>> {
    let (mut world, mut program) = P::build();
    let hooks = P::hooks();
    let run = (0..TICKS).map(|tick| {
        program.before_step(&mut world, tick);
        world.step_with_events(&hooks, &());
        bits(&world)
    });
    run.collect()
}

/// The same behind a timestep. Bodies that the program makes on its way are adopted, too.
fn adopted_run<P: Program>(rate: &str) -> Vec<Vec<u32>> {
    let (world, mut program) = P::build();
    let engine = Rapier2d::from(world).with_hooks(P::hooks());
    let mut physics = PhysicsSystem::<_, ()>::new(engine, FixedTimestep::new(RATE).with_max_steps(30));
    let mut run = Vec::new();
    while run.len() <= TICKS as usize {
        let step = |world: &mut World<Rapier2d>, step: &Step| {
            run.push(bits(world.engine().world()));
            program.before_step(world.engine_mut().world_mut(), step.tick);
            adopt_all(world)
        };
        physics.update_with(frames(rate), &mut { step }).unwrap();
        assert!(physics.poses().all(|body| body.pose.position[0].is_finite()));
    }
    run.drain(1..=TICKS as usize).collect()
}

fn adopt_all(world: &mut World<Rapier2d>) -> Result<(), PhysicsError> {
    let bodies = world.engine().world().bodies.iter();
    let handles: Vec<RigidBodyHandle> = bodies.map(|(handle, _)| handle).collect();
    for handle in handles {
        if world.key(handle).is_none() {
            world.adopt(handle, ())?;
        }
    }
    Ok(())
}

fn check<P: Program>() {
    let own = own_run::<P>();
    for rate in RATES {
        let adopted = adopted_run::<P>(rate);
        let first = own.iter().zip(&adopted).position(|(own, adopted)| own != adopted);
        assert_eq!(first, None, "the first tick that differs, at {rate} frames a second");
        assert_eq!(own.len(), adopted.len());
    }
}

/// A character that walks over ground, stairs, a slope and loose boxes by Rapier's own controller.
struct Character(RigidBodyHandle);

impl Program for Character {
    fn build() -> (PhysicsWorld, Self) {
        let mut world = PhysicsWorld::new();
        let fixed = |x: f32, y: f32| RigidBodyBuilder::fixed().translation(Vector::new(x, y));
        world.insert(fixed(0.0, -0.5), ColliderBuilder::cuboid(30.0, 0.5));
        for n in 0..5 {
            let (x, height) = (4.0 + 0.8 * n as f32, 0.1 * (n + 1) as f32);
            world.insert(fixed(x, height), ColliderBuilder::cuboid(0.4, height));
        }
        world.insert(fixed(-6.0, 0.0).rotation(-0.4), ColliderBuilder::cuboid(3.0, 0.2));
        for n in 0..3 {
            let place = RigidBodyBuilder::dynamic().translation(Vector::new(2.0, 0.3 + 0.6 * n as f32));
            world.insert(place, ColliderBuilder::cuboid(0.3, 0.3));
        }
        let start = RigidBodyBuilder::kinematic_position_based().translation(Vector::new(0.0, 1.5));
        let (character, _) = world.insert(start, ColliderBuilder::capsule_y(0.3, 0.2));
        (world, Self(character))
    }

    fn before_step(&mut self, world: &mut PhysicsWorld, tick: u64) {
        let controller = KinematicCharacterController {
            autostep: Some(CharacterAutostep {
                max_height: CharacterLength::Absolute(0.3),
                min_width: CharacterLength::Absolute(0.2),
                include_dynamic_bodies: true,
            }),
            ..KinematicCharacterController::default()
        };
        let speed = if tick < 150 { 3.0 } else { -5.0 };
        let way = Vector::new(speed, -4.0) * world.integration_parameters.dt;
        let (shape, at) = shape_of(world, self.0);
        let others = world.query_pipeline_with_filter(QueryFilter::default().exclude_rigid_body(self.0));
        let shape = world.colliders[shape].shape();
        let gone = controller.move_shape(world.integration_parameters.dt, &others, shape, &at, way, |_| {});
        let target = at.translation + gone.translation;
        world.bodies[self.0].set_next_kinematic_translation(target);
    }

    fn hooks() -> impl PhysicsHooks + Send + Sync + 'static {}
}

fn shape_of(world: &PhysicsWorld, body: RigidBodyHandle) -> (ColliderHandle, Pose) {
    let body = &world.bodies[body];
    (body.colliders()[0], *body.position())
}

/// Platforms that let through what comes from below, by Rapier's own hooks; boxes are thrown at them.
struct OneWay(ColliderHandle);

struct OneWayHooks;

impl PhysicsHooks for OneWayHooks {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        let is_platform = |collider: ColliderHandle| context.colliders[collider].user_data == 1;
        let allowed = if is_platform(context.collider1) {
            Vector::Y
        } else {
            -Vector::Y
        };
        context.update_as_oneway_platform(allowed, 0.1);
    }
}

impl Program for OneWay {
    fn build() -> (PhysicsWorld, Self) {
        let mut world = PhysicsWorld::new();
        let ground = world.bodies.insert(RigidBodyBuilder::fixed());
        let mut platform = |x: f32, y: f32| {
            let shape = ColliderBuilder::cuboid(5.0, 0.3)
                .translation(Vector::new(x, y))
                .user_data(1)
                .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
            world.colliders.insert_with_parent(shape, ground, &mut world.bodies)
        };
        let upper = platform(0.0, 4.0);
        platform(3.0, -2.0);
        (world, Self(upper))
    }

    fn before_step(&mut self, world: &mut PhysicsWorld, tick: u64) {
        assert!(world.colliders.contains(self.0));
        if tick.is_multiple_of(40) {
            let thrown = RigidBodyBuilder::dynamic()
                .translation(Vector::new(-3.0 + 0.02 * tick as f32, -1.0))
                .linvel(Vector::new(0.5, 12.0));
            world.insert(thrown, ColliderBuilder::cuboid(0.4, 0.4));
        }
    }

    fn hooks() -> impl PhysicsHooks + Send + Sync + 'static {
        OneWayHooks
    }
}

#[test]
fn a_character_of_rapiers_own_controller_walks_to_the_same_bits_at_four_frame_rates() {
    check::<Character>();
    let run = own_run::<Character>();
    let x = |tick: usize| f32::from_bits(run[tick][run[tick].len() - 7]);
    assert!(x(140) > 1.0 && x(239) < x(140) - 0.5, "it walks: {} {}", x(140), x(239));
}

#[test]
fn boxes_thrown_through_rapiers_own_one_way_platforms_land_on_the_same_bits_at_four_frame_rates() {
    check::<OneWay>();
    let run = own_run::<OneWay>();
    let height = f32::from_bits(run[239][7 + 1]);
    assert!(
        (height - 4.7).abs() < 0.05,
        "the first box came through and lies on top: {height}"
    );
}

//! A program from Rapier's examples: a character.

use evenstep_physics::Rapier2d;
use evenstep_physics::rapier2d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use evenstep_physics::rapier2d::prelude::{
    ColliderBuilder, ColliderHandle, PhysicsWorld, Pose, QueryFilter, RigidBodyBuilder, RigidBodyHandle, Vector,
};

use super::program::{Program, check};

/// A character that is moved over ground, stairs, a slope and loose boxes by Rapier's own controller.
struct Character {
    body: RigidBodyHandle,
    bodies: Vec<RigidBodyHandle>,
}

impl Program for Character {
    type World = PhysicsWorld;
    type Engine = Rapier2d;

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
        let (body, _) = world.insert(start, ColliderBuilder::capsule_y(0.3, 0.2));
        let bodies = world.bodies.iter().map(|(body, _)| body).collect();
        (world, Self { body, bodies })
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
        let (shape, at) = shape_of(world, self.body);
        let others = world.query_pipeline_with_filter(QueryFilter::default().exclude_rigid_body(self.body));
        let shape = world.colliders[shape].shape();
        let gone = controller.move_shape(world.integration_parameters.dt, &others, shape, &at, way, |_| {});
        let target = at.translation + gone.translation;
        world.bodies[self.body].set_next_kinematic_translation(target);
    }

    fn own_step(world: &mut PhysicsWorld) {
        world.step();
    }

    fn bodies(&self) -> &[RigidBodyHandle] {
        &self.bodies
    }

    fn world(engine: &mut Rapier2d) -> &mut PhysicsWorld {
        engine.world_mut()
    }
}

fn shape_of(world: &PhysicsWorld, body: RigidBodyHandle) -> (ColliderHandle, Pose) {
    let body = &world.bodies[body];
    (body.colliders()[0], *body.position())
}

#[test]
fn a_character_with_rapiers_own_controller_walks_bit_identically_at_every_frame_rate() {
    let run = check::<Character>();
    let last = run[0].len() - 7;
    let x = |tick: usize| run[tick][last];
    assert!(x(140) > 1.0 && x(239) < x(140) - 0.5, "it walks: {} {}", x(140), x(239));
}

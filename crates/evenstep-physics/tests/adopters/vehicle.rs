//! Rapier's ray-cast vehicle.

use evenstep_physics::Rapier3d;
use evenstep_physics::rapier3d::control::{DynamicRayCastVehicleController, WheelTuning};
use evenstep_physics::rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, QueryFilter, RigidBodyBuilder, RigidBodyHandle, Vector,
};

use super::program::{Program, check};

/// A vehicle with four wheels, of which the front wheels steer, and all bodies.
struct Vehicle(DynamicRayCastVehicleController, Vec<RigidBodyHandle>);

impl Program for Vehicle {
    type World = PhysicsWorld;
    type Engine = Rapier3d;

    fn build() -> (PhysicsWorld, Self) {
        let mut world = PhysicsWorld::new();
        world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::cuboid(100.0, 0.1, 100.0));
        for n in 0..6 {
            let place = RigidBodyBuilder::dynamic().translation(Vector::new(2.5 + 0.4 * n as f32, 0.4, 0.3 * n as f32));
            world.insert(place, ColliderBuilder::cuboid(0.1, 0.1, 0.1).density(10.0));
        }
        let start = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.8, 0.0));
        let (chassis, _) = world.insert(start, ColliderBuilder::cuboid(0.8, 0.2, 0.4).density(100.0));
        let mut vehicle = DynamicRayCastVehicleController::new(chassis);
        for (x, z) in [(0.6, 0.5), (0.6, -0.5), (-0.6, 0.5), (-0.6, -0.5)] {
            let hardpoint = Vector::new(x, 0.0, z);
            vehicle.add_wheel(hardpoint, -Vector::Y, Vector::Z, 0.3, 0.25, &WheelTuning::default());
        }
        let bodies = world.bodies.iter().map(|(body, _)| body).collect();
        (world, Self(vehicle, bodies))
    }

    fn before_step(&mut self, world: &mut PhysicsWorld, tick: u64) {
        for (number, wheel) in self.0.wheels_mut().iter_mut().enumerate() {
            wheel.engine_force = if tick < 160 { 60.0 } else { -40.0 };
            wheel.steering = if number < 2 { 0.1 } else { 0.0 };
        }
        let dispatcher = world.narrow_phase.query_dispatcher();
        let others = QueryFilter::default().exclude_rigid_body(self.0.chassis);
        let queries = &world.broad_phase;
        let queries = queries.as_query_pipeline_mut(dispatcher, &mut world.bodies, &mut world.colliders, others);
        self.0.update_vehicle(world.integration_parameters.dt, queries);
    }

    fn own_step(world: &mut PhysicsWorld) {
        world.step();
    }

    fn bodies(&self) -> &[RigidBodyHandle] {
        &self.1
    }

    fn world(engine: &mut Rapier3d) -> &mut PhysicsWorld {
        engine.world_mut()
    }
}

#[test]
fn rapiers_own_vehicle_drives_bit_identically_at_every_frame_rate() {
    let run = check::<Vehicle>();
    let x = run[159][13 * 7];
    assert!(x.abs() > 1.0, "it drives: {x}");
}

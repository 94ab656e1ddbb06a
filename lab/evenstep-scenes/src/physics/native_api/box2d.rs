//! The native API of Box2D.

use evenstep_physics::boxdd::{self, BodyId, BodyType, ChainDef, Filter, ShapeDef};
use evenstep_physics::{Box2d, PhysicsError};

use super::super::character::{CAPSULE, CHARACTER};
use super::{Motor, NativeApi, Part};

/// The collision category of fixed bodies: Box2D's default.
const SCENERY: u64 = 1;
const GHOST: u64 = 2;
const SOLID: u64 = 4;

fn refused(error: boxdd::Error) -> PhysicsError {
    PhysicsError::Engine {
        action: "build a scene",
        reason: error.to_string(),
    }
}

fn body(world: &mut boxdd::World, kind: BodyType, (x, y): (f32, f32)) -> boxdd::Result<BodyId> {
    let body = world.body_builder().body_type(kind).position([x, y]).build()?;
    world.create_body(body)
}

fn corners(&((x, y), (w, h)): &Part) -> [[f32; 2]; 4] {
    [[-w, -h], [w, -h], [w, h], [-w, h]].map(|[u, v]| [x + u, y + v])
}

fn shape(ghost: bool) -> boxdd::Result<ShapeDef> {
    let mut filter = Filter::new();
    filter.category_bits = if ghost { GHOST } else { SOLID };
    if ghost {
        filter.mask_bits = SCENERY;
    }
    let shape = ShapeDef::builder().density(1.0).filter(filter);
    shape.enable_contact_events(true).enable_sensor_events(true).build()
}

impl NativeApi for Box2d {
    fn compound(&mut self, centre: (f32, f32), parts: &[Part], ghost: bool) -> Result<BodyId, PhysicsError> {
        let world = self.world_mut();
        let mut create = || {
            let id = body(world, BodyType::Dynamic, centre)?;
            for part in parts {
                world
                    .body(id)?
                    .create_polygon_from_points(&shape(ghost)?, corners(part), 0.0)?;
            }
            Ok(id)
        };
        create().map_err(refused)
    }

    fn wheel(&mut self, centre: (f32, f32), radius: f32) -> Result<BodyId, PhysicsError> {
        let world = self.world_mut();
        let mut create = || {
            let id = body(world, BodyType::Dynamic, centre)?;
            world.body(id)?.create_centered_circle(&shape(false)?, radius)?;
            Ok(id)
        };
        create().map_err(refused)
    }

    fn hinge(
        &mut self,
        first: BodyId,
        second: BodyId,
        (x, y): (f32, f32),
        motor: Option<Motor>,
    ) -> Result<(), PhysicsError> {
        let joint = self.world_mut().revolute(first, second).anchor_world([x, y]);
        let joint = match motor {
            Some(motor) => joint.motor(motor.torque, motor.speed),
            None => joint,
        };
        joint.build().map(|_| ()).map_err(refused)
    }

    fn sensor(&mut self, centre: (f32, f32), half: (f32, f32)) -> Result<(), PhysicsError> {
        let world = self.world_mut();
        let mut create = || {
            let id = body(world, BodyType::Static, centre)?;
            let sensor = ShapeDef::builder().sensor(true).enable_sensor_events(true).build()?;
            let corners = corners(&((0.0, 0.0), half));
            world.body(id)?.create_polygon_from_points(&sensor, corners, 0.0)?;
            Ok(())
        };
        create().map_err(refused)
    }

    fn terrain(&mut self, first: (f32, f32), spacing: f32, heights: &[f32]) -> Result<(), PhysicsError> {
        let world = self.world_mut();
        let mut create = || {
            let id = body(world, BodyType::Static, first)?;
            // From right to left, so that its upper side is solid.
            let places = (0..heights.len()).rev();
            let points = places.map(|place| [place as f32 * spacing, heights[place]]);
            let chain = ChainDef::builder().points(points).build()?;
            world.body(id)?.create_chain(&chain)?;
            Ok(())
        };
        create().map_err(refused)
    }

    fn character(&mut self, centre: (f32, f32)) -> Result<BodyId, PhysicsError> {
        let world = self.world_mut();
        let mut create = || {
            let id = body(world, BodyType::Kinematic, centre)?;
            let mut filter = Filter::new();
            filter.category_bits = CHARACTER;
            let shape = ShapeDef::builder().filter(filter).build()?;
            let (length, radius) = CAPSULE;
            let mut body = world.body(id)?;
            body.create_capsule_between(&shape, [0.0, -length], [0.0, length], radius)?;
            Ok(id)
        };
        create().map_err(refused)
    }
}

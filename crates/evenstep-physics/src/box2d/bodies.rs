//! Creates, reads and writes Box2D bodies.

use boxdd::{BodyId, BodyType, ShapeDef};
use evenstep::poses::{Motion2, Pose2};

use super::convert::{failed, pose_of};
use super::{Box2d, ffi};
use crate::body::{BodyDef, BodyKind, Shape};
use crate::error::PhysicsError;

impl Box2d {
    /// Disables a body and destroys its joints.
    pub(super) fn disable(&mut self, id: BodyId) -> boxdd::Result<()> {
        let world = self.world.get_mut();
        for joint in world.body(id)?.joints()? {
            world.joint(joint)?.destroy(true)?;
        }
        world.body(id)?.disable()
    }

    /// Destroys the bodies that were removed two steps ago.
    pub(super) fn finish_leaving(&mut self) {
        let world = self.world.get_mut();
        self.leaving.retain_mut(|left| {
            left.steps -= 1;
            if left.steps == 0
                && let Ok(body) = world.body(left.body)
            {
                let _ = body.destroy();
            }
            left.steps > 0
        });
    }

    /// Whether a body was removed and is yet to be destroyed.
    pub(super) fn is_leaving(&self, id: BodyId) -> bool {
        !self.leaving.is_empty() && self.leaving.iter().any(|left| left.body == id)
    }

    pub(super) fn create_body(&mut self, def: &BodyDef<Motion2>) -> Result<BodyId, PhysicsError> {
        let failed = failed("create a body");
        let id = self.create_empty_body(def).map_err(&failed)?;
        let posed = self.set_exact_pose(id, &def.motion.pose);
        let created = posed.and_then(|()| self.create_shape(id, def).map_err(&failed));
        if created.is_err()
            && let Ok(body) = self.world.get_mut().body(id)
        {
            body.destroy().map_err(&failed)?;
        }
        created.map(|()| id)
    }

    fn create_empty_body(&mut self, def: &BodyDef<Motion2>) -> boxdd::Result<BodyId> {
        let world = self.world.get_mut();
        let builder = world.body_builder();
        let builder = builder
            .body_type(match def.kind {
                BodyKind::Dynamic => BodyType::Dynamic,
                BodyKind::Fixed => BodyType::Static,
                BodyKind::Kinematic => BodyType::Kinematic,
            })
            .position(def.motion.pose.position)
            .linear_velocity(def.motion.velocity)
            .angular_velocity(def.motion.angular_velocity)
            .bullet(def.is_bullet);
        world.create_body(builder.build()?)
    }

    fn create_shape(&mut self, id: BodyId, def: &BodyDef<Motion2>) -> boxdd::Result<()> {
        let shape = ShapeDef::builder()
            .density(def.density)
            .material(
                boxdd::SurfaceMaterial::new()
                    .with_friction(def.friction)?
                    .with_restitution(def.restitution)?,
            )
            .enable_contact_events(true)
            .enable_hit_events(true)
            .enable_sensor_events(true)
            .build()?;
        let mut body = self.world.get_mut().body(id)?;
        match def.shape {
            Shape::Ball(radius) => body.create_centered_circle(&shape, radius)?,
            Shape::Box([x, y]) => body.create_box(&shape, x, y)?,
        };
        Ok(())
    }

    pub(super) fn set_exact_pose(&mut self, id: BodyId, pose: &Pose2) -> Result<(), PhysicsError> {
        let failed = failed("move a body");
        let world = self.world.get_mut();
        // boxdd validates the rotation and the position here.
        let rotation = boxdd::Rot::from_raw(boxdd_sys::ffi::b2Rot {
            c: pose.rotation.cos,
            s: pose.rotation.sin,
        });
        let rotation = rotation.map_err(&failed)?;
        boxdd::WorldTransform::new(pose.position.into(), rotation).map_err(&failed)?;
        if !ffi::set_pose(world, id, pose)? {
            let body = world.body(id);
            let moved =
                body.and_then(|mut body| body.set_position_and_rotation(pose.position, pose.rotation.radians()));
            moved.map_err(failed)?;
            // The pose was not finite before, but is now, so the exact rotation can be set.
            ffi::set_pose(world, id, pose)?;
        }
        Ok(())
    }

    pub(super) fn read(&self, id: BodyId) -> boxdd::Result<Motion2> {
        let mut world = self.world.borrow_mut();
        let body = world.body(id)?;
        let velocity = body.linear_velocity()?;
        Ok(Motion2 {
            pose: pose_of(&body.transform()?),
            velocity: [velocity.x, velocity.y],
            angular_velocity: body.angular_velocity()?,
        })
    }

    pub(super) fn write(&mut self, id: BodyId, motion: &Motion2) -> Result<(), PhysicsError> {
        let failed = failed("move a body");
        // Bodies that rested on it would otherwise stay asleep without support.
        let body = self.world.get_mut().body(id);
        body.and_then(|mut body| body.wake_touching()).map_err(&failed)?;
        self.set_exact_pose(id, &motion.pose)?;
        self.write_velocities(id, motion).map_err(&failed)?;
        self.wake_overlapping(id).map_err(failed)
    }

    /// Wakes the bodies whose shapes a body may touch. Box2D wakes them by itself only for a dynamic body.
    fn wake_overlapping(&mut self, id: BodyId) -> boxdd::Result<()> {
        let world = self.world.get_mut();
        for shape in world.body(id)?.shapes()? {
            let bounds = world.shape(shape)?.aabb()?;
            let found = world
                .query()?
                .overlap_aabb([0.0, 0.0].into(), bounds, boxdd::QueryFilter::default())?;
            for other in found {
                let body = world.shape(other)?.body_id()?;
                let mut body = world.body(body)?;
                if body.body_type()? != BodyType::Static {
                    body.set_awake(true)?;
                }
            }
        }
        Ok(())
    }

    fn write_velocities(&mut self, id: BodyId, motion: &Motion2) -> boxdd::Result<()> {
        let mut body = self.world.get_mut().body(id)?;
        if body.body_type()? != BodyType::Static {
            body.set_linear_velocity(motion.velocity)?;
            body.set_angular_velocity(motion.angular_velocity)?;
            body.set_awake(true)?;
        }
        Ok(())
    }

    pub(super) fn write_velocity(&mut self, id: BodyId, velocity: [f32; 2]) -> boxdd::Result<()> {
        let mut body = self.world.get_mut().body(id)?;
        body.set_linear_velocity(velocity)?;
        body.set_awake(true)
    }

    pub(super) fn write_gravity_scale(&mut self, id: BodyId, scale: f32) -> boxdd::Result<()> {
        let mut body = self.world.get_mut().body(id)?;
        if body.gravity_scale()? == scale {
            return Ok(());
        }
        body.set_gravity_scale(scale)?;
        body.set_awake(true)
    }
}

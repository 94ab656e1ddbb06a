//! Creates, reads and writes Box2D bodies.

use boxdd::{BodyId, BodyType, ShapeDef};
use evenstep::poses::{Motion2, Pose2};

use super::convert::pose_of;
use super::{Box2d, ffi};
use crate::body::{BodyDef, BodyKind, Shape};

impl Box2d {
    pub(super) fn create_body(&mut self, def: &BodyDef<Motion2>) -> boxdd::Result<BodyId> {
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
        let id = world.create_body(builder.build()?)?;
        let created = self.set_pose(id, &def.motion.pose).and_then(|()| {
            let mut body = self.world.get_mut().body(id)?;
            match def.shape {
                Shape::Ball(radius) => body.create_centered_circle(&shape, radius),
                Shape::Box([x, y]) => body.create_box(&shape, x, y),
            }
        });
        if let Err(error) = created {
            self.world.get_mut().body(id)?.destroy()?;
            return Err(error);
        }
        Ok(id)
    }

    fn set_pose(&mut self, id: BodyId, pose: &Pose2) -> boxdd::Result<()> {
        let world = self.world.get_mut();
        // boxdd validates the rotation and the position here.
        let rotation = boxdd::Rot::from_raw(boxdd_sys::ffi::b2Rot {
            c: pose.rotation.cos,
            s: pose.rotation.sin,
        })?;
        boxdd::WorldTransform::new(pose.position.into(), rotation)?;
        if !ffi::set_pose(world, id, pose)? {
            world
                .body(id)?
                .set_position_and_rotation(pose.position, pose.rotation.radians())?;
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

    pub(super) fn write(&mut self, id: BodyId, motion: &Motion2) -> boxdd::Result<()> {
        // Bodies that rested on it would otherwise stay asleep without support.
        self.world.get_mut().body(id)?.wake_touching()?;
        self.set_pose(id, &motion.pose)?;
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

    pub(super) fn find_missing_mass_property(&self, id: BodyId) -> boxdd::Result<Option<&'static str>> {
        let mut world = self.world.borrow_mut();
        let body = world.body(id)?;
        let locks = body.motion_locks()?;
        Ok(match body.body_type()? {
            BodyType::Dynamic if !(locks.linear_x && locks.linear_y) && body.mass()? == 0.0 => Some("mass"),
            BodyType::Dynamic if !locks.angular_z && body.rotational_inertia()? == 0.0 => Some("inertia"),
            _ => None,
        })
    }
}

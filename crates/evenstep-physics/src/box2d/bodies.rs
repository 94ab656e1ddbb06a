//! Creates, reads and changes Box2D bodies.

use boxdd::{Body, BodyId, BodyType, ShapeDef};
use evenstep::poses::Motion2;

use super::Box2d;
use super::convert::failed;
use crate::body::{BodyDef, BodyKind, Shape};
use crate::error::PhysicsError;

impl Box2d {
    /// Reads something of a body; `None` if there is no such body, or if boxdd does not return it because it is not finite.
    pub(super) fn look_at<T>(&self, id: BodyId, read: impl FnOnce(&Body<'_>) -> boxdd::Result<T>) -> Option<T> {
        let mut world = self.world.borrow_mut();
        world.body(id).and_then(|body| read(&body)).ok()
    }

    /// Changes a body.
    pub(super) fn change(
        &mut self,
        id: BodyId,
        action: &'static str,
        change: impl FnOnce(&mut Body<'_>) -> boxdd::Result<()>,
    ) -> Result<(), PhysicsError> {
        let body = self.world.get_mut().body(id);
        body.and_then(|mut body| change(&mut body)).map_err(failed(action))
    }

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
        self.leaving.iter().any(|left| left.body == id)
    }

    pub(super) fn create_empty_body(&mut self, def: &BodyDef<Motion2>) -> boxdd::Result<BodyId> {
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

    pub(super) fn create_shape(&mut self, id: BodyId, def: &BodyDef<Motion2>) -> boxdd::Result<()> {
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

    /// Wakes the bodies whose shapes a body may touch. Box2D wakes them by itself only for a dynamic body.
    pub(super) fn wake_overlapping(&mut self, id: BodyId) -> boxdd::Result<()> {
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
}

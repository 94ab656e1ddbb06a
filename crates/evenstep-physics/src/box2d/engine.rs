//! Implements [`Engine`] for Box2D.

use boxdd::{BodyId, BodyType, ShapeId};
use evenstep::poses::{Motion2, Pose2, Rot2};

use super::contacts;
use super::convert::{failed, pose_of, position, transform_of};
use super::{Box2d, Leaving, SavedBox2d, ffi};
use crate::body::{BodyDef, BodyKind};
use crate::engine::{Action, Engine, Report};
use crate::error::PhysicsError;

/// The pose of a body whose pose boxdd does not return because it is not finite.
const NON_FINITE: Pose2 = Pose2::new([f32::NAN; 2], Rot2::IDENTITY);

impl Engine for Box2d {
    type Motion = Motion2;
    type Handle = BodyId;
    type ShapeHandle = ShapeId;
    type Saved = SavedBox2d;

    fn create(&mut self, def: &BodyDef<Motion2>) -> Result<BodyId, PhysicsError> {
        let failed = failed("create a body");
        let id = self.create_empty_body(def).map_err(&failed)?;
        let posed = self.set_pose(id, def.motion.pose);
        let created = posed.and_then(|()| self.create_shape(id, def).map_err(&failed));
        if created.is_err()
            && let Ok(body) = self.world.get_mut().body(id)
        {
            body.destroy().map_err(&failed)?;
        }
        created.map(|()| id)
    }

    fn destroy(&mut self, body: BodyId) {
        if !self.is_leaving(body) && self.disable(body).is_ok() {
            self.leaving.push(Leaving { body, steps: 2 });
        }
    }

    fn motion(&self, body: BodyId) -> Option<Motion2> {
        if self.is_leaving(body) {
            return None;
        }
        self.look_at(body, |body| {
            let velocity = body.linear_velocity();
            Ok(Motion2 {
                pose: body.transform().map_or(NON_FINITE, |transform| pose_of(&transform)),
                velocity: velocity.map_or([f32::NAN; 2], |velocity| [velocity.x, velocity.y]),
                angular_velocity: body.angular_velocity().unwrap_or(f32::NAN),
            })
        })
    }

    fn set_motion(&mut self, body: BodyId, motion: &Motion2) -> Result<(), PhysicsError> {
        const ACTION: &str = "move a body";
        // Bodies that rested on it would otherwise stay asleep without support.
        self.change(body, ACTION, |body| body.wake_touching())?;
        self.set_pose(body, motion.pose)?;
        self.change(body, ACTION, |body| {
            if body.body_type()? != BodyType::Static {
                body.set_linear_velocity(motion.velocity)?;
                body.set_angular_velocity(motion.angular_velocity)?;
                body.set_awake(true)?;
            }
            Ok(())
        })?;
        self.wake_overlapping(body).map_err(failed(ACTION))
    }

    fn set_pose(&mut self, id: BodyId, pose: Pose2) -> Result<(), PhysicsError> {
        let failed = failed("move a body");
        let world = self.world.get_mut();
        let transform = transform_of(&pose).map_err(&failed)?;
        if !ffi::set_transform(world, id, transform)? {
            let body = world.body(id);
            let moved =
                body.and_then(|mut body| body.set_position_and_rotation(pose.position, pose.rotation.radians()));
            moved.map_err(failed)?;
            // The pose was not finite before, but is now, so the exact rotation can be set.
            ffi::set_transform(world, id, transform)?;
        }
        Ok(())
    }

    fn set_velocity(&mut self, body: BodyId, velocity: [f32; 2]) -> Result<(), PhysicsError> {
        self.change(body, "set a body's velocity", |body| {
            body.set_linear_velocity(velocity)?;
            body.set_awake(true)
        })
    }

    fn center_of_mass(&self, body: BodyId) -> Option<[f32; 2]> {
        self.look_at(body, |body| body.world_center_of_mass()).map(position)
    }

    fn set_gravity_scale(&mut self, body: BodyId, scale: f32) -> Result<(), PhysicsError> {
        self.change(body, "set a body's gravity scale", |body| {
            if body.gravity_scale()? == scale {
                return Ok(());
            }
            body.set_gravity_scale(scale)?;
            body.set_awake(true)
        })
    }

    fn missing_mass_property(&self, body: BodyId) -> Option<&'static str> {
        self.look_at(body, |body| {
            let locks = body.motion_locks()?;
            Ok(if body.body_type()? != BodyType::Dynamic {
                None
            } else if !(locks.linear_x && locks.linear_y) && body.mass()? == 0.0 {
                Some("mass")
            } else if !locks.angular_z && body.rotational_inertia()? == 0.0 {
                Some("inertia")
            } else {
                None
            })
        })?
    }

    fn has_shape(&self, shape: ShapeId) -> bool {
        self.body_of(shape).is_some_and(|body| !self.is_leaving(body))
    }

    fn body_of(&self, shape: ShapeId) -> Option<BodyId> {
        let mut world = self.world.borrow_mut();
        world.shape(shape).and_then(|shape| shape.body_id()).ok()
    }

    fn kind(&self, body: BodyId) -> Option<BodyKind> {
        Some(match self.look_at(body, |body| body.body_type())? {
            BodyType::Dynamic => BodyKind::Dynamic,
            BodyType::Static => BodyKind::Fixed,
            BodyType::Kinematic => BodyKind::Kinematic,
        })
    }

    fn max_speed(&self) -> f32 {
        self.world.borrow().maximum_linear_speed().unwrap_or(f32::INFINITY)
    }

    fn step(&mut self, dt: f32, actions: &[Action<Self>], report: &mut Report<Self>) -> Result<(), PhysicsError> {
        for action in actions {
            // Box2D accepts finite values for an existing body. Inside a callback boxdd refuses all actions, and the step as well.
            // After a caught panic in a callback, or if memory cannot be allocated, it refuses the step alone: the actions stay applied.
            let _ = self.apply(dt, action);
        }
        let step = self.world.get_mut().step(dt, self.sub_steps);
        let step = step.map_err(failed("step"))?;
        // Errors in reading events do not undo the step.
        let moved = step.body_events();
        // boxdd reports no body events for a step after which a body's pose is not finite.
        report.is_incomplete = moved.is_err();
        let moved = moved.iter().flatten();
        let hits = self.hits.repair(&step, moved.clone().next());
        let moved = moved.map(|event| (event.body_id, pose_of(&event.transform)));
        report.moved.extend(moved);
        let contacts = contacts::report(&step, &self.hits.impulses, report);
        let callback = step.post_step_error();
        drop(step);
        self.finish_leaving();
        report.failure = callback
            .map(failed("run a callback of the program in a step"))
            .or_else(|| contacts.err().map(failed("report all contacts of a step")))
            .or(hits.err());
        Ok(())
    }

    fn save(&self) -> Result<SavedBox2d, PhysicsError> {
        let snapshot = self.world.borrow().snapshot();
        Ok(SavedBox2d {
            snapshot: snapshot.map_err(failed("save its state"))?,
            leaving: self.leaving.clone(),
        })
    }

    /// boxdd allocates memory for each snapshot.
    fn save_into(&self, saved: &mut SavedBox2d) -> Result<(), PhysicsError> {
        *saved = self.save()?;
        Ok(())
    }

    fn restore(&mut self, saved: &SavedBox2d) -> Result<(), PhysicsError> {
        let restored = self.world.get_mut().restore(&saved.snapshot);
        let restored = restored.map_err(failed("restore a state"))?;
        self.new_bodies.clear();
        self.new_bodies.extend(restored.body_mappings());
        self.new_shapes.clear();
        self.new_shapes.extend(restored.shape_mappings());
        self.leaving.clone_from(&saved.leaving);
        for left in &mut self.leaving {
            left.body = self.new_bodies.get(&left.body).copied().unwrap_or(left.body);
        }
        Ok(())
    }

    fn restored_body(&self, saved: BodyId) -> BodyId {
        self.new_bodies.get(&saved).copied().unwrap_or(saved)
    }

    fn restored_shape(&self, saved: ShapeId) -> ShapeId {
        self.new_shapes.get(&saved).copied().unwrap_or(saved)
    }
}

//! Implements [`Engine`] for Box2D.

use boxdd::{BodyId, BodyMoveEvent, BodyType, ShapeId};
use evenstep::poses::{Motion2, Pose2, Rot2};
use rustc_hash::FxHashMap;

use super::contacts;
use super::convert::{failed, pose_of, position};
use super::saved::SavedBox2d;
use super::{Box2d, Leaving};
use crate::body::{BodyDef, BodyKind};
use crate::engine::{Action, Engine, HandleMut, Report};
use crate::error::PhysicsError;

impl Box2d {
    /// Steps the world and reads its events. Errors in reading events do not undo the step.
    fn advance(&mut self, dt: f32, report: &mut Report<Self>) -> boxdd::Result<()> {
        let world = self.world.get_mut();
        self.hits.forget_stale_world(world);
        let step = world.step(dt, self.sub_steps)?;
        let moved = step.body_events();
        let is_known = moved.is_ok();
        if let Ok(moved) = moved {
            self.hits.learn_world(moved.iter().next());
            report_moved(moved.iter(), &mut self.reported, &self.slots, report);
        }
        self.hits.repair(&step);
        let unread = self.events.gather(&step).err();
        let callback = step.post_step_error();
        drop(step);
        self.finish_leaving();
        if !is_known {
            self.report_all(report);
        }
        contacts::report(
            &self.events,
            &self.hits.impulses,
            self.world.get_mut(),
            &self.slots,
            report,
        );
        report.failure = callback
            .map(failed("run a callback of the program in a step"))
            .or_else(|| unread.map(failed("report all contacts of a step")))
            .or_else(|| self.hits.failure());
        Ok(())
    }

    /// Reads the poses of all adopted bodies one by one. boxdd reports no body events for a step after which a body's pose is not
    /// finite.
    #[cold]
    fn report_all(&mut self, report: &mut Report<Self>) {
        const NON_FINITE: Pose2 = Pose2::new([f32::NAN; 2], Rot2::IDENTITY);
        let mut bodies: Vec<(u32, BodyId)> = self.slots.iter().map(|(body, slot)| (*slot, *body)).collect();
        bodies.sort_unstable_by_key(|(slot, _)| *slot);
        let world = self.world.get_mut();
        for (slot, body) in bodies {
            if let Ok(body) = world.body(body) {
                let pose = body.transform().map_or(NON_FINITE, |transform| pose_of(&transform));
                report.moved.push((slot, pose));
            }
        }
    }
}

/// Reports the adopted bodies that moved.
fn report_moved<'a>(
    moved: impl Iterator<Item = &'a BodyMoveEvent>,
    reported: &mut Vec<(BodyId, u32)>,
    slots: &FxHashMap<BodyId, u32>,
    report: &mut Report<Box2d>,
) {
    for (index, event) in moved.enumerate() {
        let body = event.body_id;
        let slot = match reported.get(index) {
            Some((before, slot)) if *before == body => *slot,
            _ => {
                let Some(slot) = slots.get(&body).copied() else {
                    continue;
                };
                reported.truncate(index);
                reported.push((body, slot));
                slot
            }
        };
        report.moved.push((slot, pose_of(&event.transform)));
    }
}

impl Engine for Box2d {
    type Motion = Motion2;
    type Handle = BodyId;
    type ShapeHandle = ShapeId;
    type Saved = SavedBox2d;

    /// boxdd rejects non-finite values, and Box2D limits speeds.
    const REJECTS_NON_FINITE: bool = true;

    fn create(&mut self, def: &BodyDef<Motion2>) -> Result<BodyId, PhysicsError> {
        self.create_body(def)
    }

    fn destroy(&mut self, body: BodyId) {
        if !self.is_leaving(body) && self.disable(body).is_ok() {
            self.leaving.push(Leaving { body, steps: 2 });
        }
    }

    fn adopt(&mut self, body: BodyId, slot: u32) {
        self.slots.insert(body, slot);
    }

    fn release(&mut self, body: BodyId) {
        self.slots.remove(&body);
        self.reported.clear();
    }

    fn slot(&self, body: BodyId) -> Option<u32> {
        self.slots.get(&body).copied()
    }

    fn motion(&self, body: BodyId) -> Option<Motion2> {
        self.read(body).ok().filter(|_| !self.is_leaving(body))
    }

    fn pose_of(&self, body: BodyId) -> Option<Pose2> {
        if self.is_leaving(body) {
            return None;
        }
        let mut world = self.world.borrow_mut();
        let pose = world.body(body).and_then(|body| body.transform());
        pose.ok().map(|pose| pose_of(&pose))
    }

    fn set_motion(&mut self, body: BodyId, motion: &Motion2) -> Result<(), PhysicsError> {
        self.write(body, motion)
    }

    fn set_pose(&mut self, body: BodyId, pose: Pose2) -> Result<(), PhysicsError> {
        self.set_exact_pose(body, &pose)
    }

    fn set_velocity(&mut self, body: BodyId, velocity: [f32; 2]) -> Result<(), PhysicsError> {
        self.write_velocity(body, velocity)
            .map_err(failed("set a body's velocity"))
    }

    fn center_of_mass(&self, body: BodyId) -> Option<[f32; 2]> {
        let mut world = self.world.borrow_mut();
        let center = world.body(body).and_then(|body| body.world_center_of_mass());
        center.ok().map(position)
    }

    fn set_gravity_scale(&mut self, body: BodyId, scale: f32) -> Result<(), PhysicsError> {
        self.write_gravity_scale(body, scale)
            .map_err(failed("set a body's gravity scale"))
    }

    fn missing_mass_property(&self, body: BodyId) -> Option<&'static str> {
        if self.kind(body)? != BodyKind::Dynamic {
            return None;
        }
        let mut world = self.world.borrow_mut();
        let body = world.body(body).ok()?;
        let locks = body.motion_locks().ok()?;
        if !(locks.linear_x && locks.linear_y) && body.mass().ok()? == 0.0 {
            return Some("mass");
        }
        (!locks.angular_z && body.rotational_inertia().ok()? == 0.0).then_some("inertia")
    }

    fn has_shape(&self, shape: ShapeId) -> bool {
        let body = {
            let mut world = self.world.borrow_mut();
            world.shape(shape).and_then(|shape| shape.body_id())
        };
        body.is_ok_and(|body| !self.is_leaving(body))
    }

    fn kind(&self, body: BodyId) -> Option<BodyKind> {
        let mut world = self.world.borrow_mut();
        let kind = world.body(body).and_then(|body| body.body_type());
        Some(match kind.ok()? {
            BodyType::Dynamic => BodyKind::Dynamic,
            BodyType::Static => BodyKind::Fixed,
            BodyType::Kinematic => BodyKind::Kinematic,
        })
    }

    fn max_speed(&self) -> f32 {
        self.world.borrow().maximum_linear_speed().unwrap_or(f32::INFINITY)
    }

    fn step(&mut self, dt: f32, actions: &[Action<Self>], report: &mut Report<Self>) -> Result<(), PhysicsError> {
        self.applied.clear();
        for action in actions {
            // Box2D accepts finite values for an existing body.
            let _ = self.apply(dt, action);
        }
        self.advance(dt, report).map_err(|error| {
            let _ = self.undo_actions();
            failed("step")(error)
        })
    }

    fn save(&self) -> Result<SavedBox2d, PhysicsError> {
        SavedBox2d::of(self)
    }

    fn save_into(&self, saved: &mut SavedBox2d) -> Result<(), PhysicsError> {
        saved.refill(self)
    }

    fn restore<'a>(
        &mut self,
        saved: &SavedBox2d,
        handles: impl Iterator<Item = HandleMut<'a, Self>>,
    ) -> Result<(), PhysicsError> {
        let new_ids = saved.restore(self)?;
        for handle in handles {
            match handle {
                HandleMut::Body(id) => *id = new_ids.body(*id),
                HandleMut::Shape(id) => *id = new_ids.shape(*id),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Shape;

    #[test]
    fn bodies_read_one_by_one_have_the_poses_of_the_body_events() {
        let mut engine = Box2d::new([0.0, -10.0]).unwrap();
        for slot in 0..20 {
            let pose = Pose2::new([2.0 * slot as f32, 5.0], Rot2::from_radians(0.1 * slot as f32));
            let body = engine.create(&BodyDef::new(Shape::Ball(0.5)).at(pose)).unwrap();
            engine.adopt(body, slot);
        }
        let (mut from_events, mut read) = (Report::default(), Report::default());
        engine.step(0.1, &[], &mut from_events).unwrap();
        engine.report_all(&mut read);
        from_events.moved.sort_unstable_by_key(|(slot, _)| *slot);
        assert_eq!(from_events.moved.len(), 20);
        assert_eq!(read.moved, from_events.moved);
    }
}

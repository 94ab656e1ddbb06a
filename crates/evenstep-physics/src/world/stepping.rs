//! Steps the engine and takes in its results: poses, contacts and non-finite bodies.

use evenstep::{Step, Tick};

use super::drawing::with_origin_velocity;
use super::{Body, World};
use crate::arena::BodyKey;
use crate::contact::{Contact, ContactSide};
use crate::engine::{BodyMotion as _, Engine, PoseOf};
use crate::error::PhysicsError;

impl<E: Engine, U> World<E, U> {
    /// Begins a frame: reports of the frame before the last one are discarded.
    pub(crate) fn begin_frame(&mut self) {
        self.forces.begin_frame();
        self.non_finite.begin_frame();
        self.destroyed.begin_frame();
    }

    /// Ends a frame at the simulated time `end`, before the step of tick `next`.
    pub(crate) fn end_frame(&mut self, end: u128, next: Tick) {
        let bodies = &self.bodies;
        self.forces.end_frame(end, next, |key| bodies.get(key).is_some());
    }

    /// Steps the engine. `Err` means that the engine refused the step and no body has moved; `Ok(Some(error))` means that the step
    /// was carried out, but a callback or the reading of events failed.
    pub(crate) fn step(&mut self, step: &Step) -> Result<Option<PhysicsError>, PhysicsError> {
        self.tick = step.tick;
        self.sync_engine_edits();
        self.report.clear();
        let handle_of = |key| self.bodies.get(key).map(|body| body.handle);
        self.forces
            .write_actions(step.tick, &self.engine, handle_of, &mut self.actions);
        self.engine.step(step.dt_f32(), &self.actions, &mut self.report)?;
        let mut report = std::mem::take(&mut self.report);
        if report.is_incomplete {
            let bodies = self.bodies.iter().map(|(_, body)| body.handle);
            let poses = bodies.filter_map(|body| Some((body, self.engine.motion(body)?.pose())));
            report.moved.extend(poses);
        }
        for (key, target) in self.forces.targets() {
            // Engines limit speeds and rotations, and round.
            if let Some(Body { handle, .. }) = self.bodies.get(key)
                && self.engine.motion(*handle).map(|motion| motion.pose()) != Some(target)
            {
                match self.engine.set_pose(*handle, target) {
                    Ok(()) => report.moved.push((*handle, target)),
                    Err(error) => report.failure = Some(error),
                }
            }
        }
        self.forces.end_step();
        self.drawing.begin_step();
        for (body, pose) in &report.moved {
            self.record_pose(*body, *pose);
        }
        self.drawing.end_step();
        self.end_lost_contacts();
        let contact_side = |shape| {
            let body = self.engine.body_of(shape);
            let key = body.and_then(|body| self.keys.get(&body).copied());
            ContactSide { key, body, shape }
        };
        let contacts = report.contacts.iter().map(|(first, second, kind)| Contact {
            tick: step.tick,
            first: contact_side(*first),
            second: contact_side(*second),
            kind: *kind,
        });
        self.contacts.extend(contacts);
        let failure = report.failure.take();
        self.report = report;
        Ok(failure)
    }

    /// Records the pose that the engine reports for a body after a step.
    #[inline]
    fn record_pose(&mut self, handle: E::Handle, pose: PoseOf<E>) {
        let Some(key) = self.key(handle) else { return };
        if E::Motion::at(pose).is_finite() {
            let engine = &self.engine;
            self.drawing.set(key.slot, pose, || {
                let motion = engine.motion(handle).map(|motion| motion.with_pose(pose));
                motion.map_or(E::Motion::at(pose), |motion| {
                    with_origin_velocity(engine, handle, motion)
                })
            });
        } else {
            self.reset_to_last_pose(key);
        }
    }

    /// Resets a body with a non-finite state to its last pose, at rest.
    #[cold]
    pub(super) fn reset_to_last_pose(&mut self, key: BodyKey) {
        let (Ok(handle), Some(last)) = (self.handle(key), self.drawing.current(key.slot)) else {
            return;
        };
        let motion = E::Motion::at(last);
        self.non_finite.push(key);
        // The pose was finite a step ago, so the engine accepts it.
        let _ = self.engine.set_motion(handle, &motion);
        self.drawing.set(key.slot, last, || motion);
    }
}

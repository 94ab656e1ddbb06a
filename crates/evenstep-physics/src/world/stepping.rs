//! A step of the world, and the end of a frame.

use std::collections::VecDeque;

use evenstep::{Step, Tick};

use super::drawing::of_origin;
use super::{NonFiniteBody, World};
use crate::arena::BodyKey;
use crate::contact::{Contact, Party};
use crate::engine::{BodyMotion as _, Engine, PoseOf, Side};
use crate::error::PhysicsError;

impl<E: Engine, U> World<E, U> {
    /// Begins a frame: what nobody asked for since the one before is forgotten.
    pub(crate) fn begin_frame(&mut self) {
        self.non_finite.begin_frame();
        self.destroyed.begin_frame();
    }

    /// Ends a frame, which turned out to last until `end`, before the step of tick `next`.
    pub(crate) fn end_frame(&mut self, end: u128, next: Tick) {
        let bodies = &self.bodies;
        self.forces.end_frame(end, next, |key| bodies.get(key).is_some());
    }

    /// Steps the engine. An error means that it refused and nothing has moved; what failed in a step that was carried out
    /// is handed back.
    pub(crate) fn step(
        &mut self,
        step: &Step,
        contacts: &mut VecDeque<Contact<E>>,
    ) -> Result<Option<PhysicsError>, PhysicsError> {
        self.tick = step.tick;
        self.notice();
        let mut report = std::mem::take(&mut self.report);
        report.clear();
        let actions = self.forces.actions(step.tick, &self.engine, &self.bodies);
        if let Err(error) = self.engine.step(step.dt as f32, actions, &mut report) {
            self.report = report;
            return Err(error);
        }
        self.forces.end_step();
        self.drawing.begin_step();
        for (slot, pose) in &report.moved {
            self.take_pose(*slot, *pose);
        }
        self.drawing.end_step();
        let party = |side: &Side<E>| Party {
            key: side.slot.and_then(|slot| Some(self.drawing.in_slot(slot)?.0)),
            body: side.body,
            shape: side.shape,
        };
        contacts.extend(report.contacts.iter().map(|(first, second, kind)| Contact {
            tick: step.tick,
            first: party(first),
            second: party(second),
            kind: *kind,
        }));
        let failure = report.failure.take();
        self.report = report;
        Ok(failure)
    }

    /// What the engine says of a body after a step.
    #[inline]
    fn take_pose(&mut self, slot: u32, pose: PoseOf<E>) {
        let Some((key, is_curved)) = self.drawing.in_slot(slot) else {
            return;
        };
        if !E::Motion::at(pose).is_finite() {
            self.put_back(key);
        } else if is_curved {
            let motion = self.handle(key).ok().and_then(|body| {
                let motion = self.engine.motion(body)?.with_pose(pose);
                Some(of_origin(&self.engine, body, motion))
            });
            self.drawing.set_motion(key, motion.unwrap_or(E::Motion::at(pose)));
        } else {
            self.drawing.set_pose(key, pose);
        }
    }

    /// Puts a body that is nowhere back to where it last was, at rest.
    #[cold]
    pub(super) fn put_back(&mut self, key: BodyKey) {
        let (Ok(handle), Some(last)) = (self.handle(key), self.drawing.current(key)) else {
            return;
        };
        let motion = E::Motion::at(last);
        let tick = self.tick;
        self.non_finite.push(NonFiniteBody { body: key, tick });
        // What was finite a step ago is not refused.
        let _ = self.engine.set_motion(handle, &motion);
        self.drawing.set_motion(key, motion);
    }
}

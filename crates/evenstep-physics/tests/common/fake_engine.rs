//! A fake engine: simple enough to be obviously correct, with injected faults.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::{BTreeMap, VecDeque};

use evenstep::poses::{Motion2, Pose2};
use evenstep_physics::engine::{Action, Report};
use evenstep_physics::{BodyDef, BodyKind, ContactKind, Engine, PhysicsError};

/// Bodies of 1 kg that move in straight lines, do not rotate and do not collide.
#[derive(Debug, Default)]
pub(crate) struct FakeEngine {
    pub(crate) bodies: BTreeMap<u32, FakeBody>,
    /// The handle of the body created last.
    last: u32,
    /// The faults of the next steps, one per step.
    pub(crate) faults: VecDeque<Fault>,
}

#[derive(Clone, Debug)]
pub(crate) struct FakeBody {
    motion: Motion2,
    kind: BodyKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No fault.
    None,
    /// The engine refuses the step.
    Refuse,
    /// The step is carried out, but reports that a callback failed.
    FailCallback,
    /// The report has bodies and contacts that do not exist.
    FalseReport,
    /// The first body's state becomes NaN.
    NonFinite,
    /// The first body is destroyed.
    DestroyBody,
}

fn injected_error(action: &'static str) -> PhysicsError {
    PhysicsError::Engine {
        action,
        reason: "injected fault".to_owned(),
    }
}

impl Engine for FakeEngine {
    type Motion = Motion2;
    type Handle = u32;
    type ShapeHandle = u32;
    type Saved = (BTreeMap<u32, FakeBody>, u32);

    fn create(&mut self, def: &BodyDef<Motion2>) -> Result<u32, PhysicsError> {
        self.last += 1;
        let body = FakeBody {
            motion: def.motion,
            kind: def.kind,
        };
        self.bodies.insert(self.last, body);
        Ok(self.last)
    }

    fn destroy(&mut self, body: u32) {
        self.bodies.remove(&body);
    }

    fn motion(&self, body: u32) -> Option<Motion2> {
        Some(self.bodies.get(&body)?.motion)
    }

    fn set_motion(&mut self, body: u32, motion: &Motion2) -> Result<(), PhysicsError> {
        self.bodies
            .get_mut(&body)
            .ok_or_else(|| injected_error("move a body"))?
            .motion = *motion;
        Ok(())
    }

    fn set_pose(&mut self, body: u32, pose: Pose2) -> Result<(), PhysicsError> {
        if let Some(body) = self.bodies.get_mut(&body) {
            body.motion.pose = pose;
        }
        Ok(())
    }

    fn set_velocity(&mut self, body: u32, velocity: [f32; 2]) -> Result<(), PhysicsError> {
        let body = self
            .bodies
            .get_mut(&body)
            .ok_or_else(|| injected_error("move a body"))?;
        body.motion.velocity = velocity;
        Ok(())
    }

    fn center_of_mass(&self, body: u32) -> Option<[f32; 2]> {
        Some(self.bodies.get(&body)?.motion.pose.position)
    }

    /// There is no gravity.
    fn set_gravity_scale(&mut self, _: u32, _: f32) -> Result<(), PhysicsError> {
        Ok(())
    }

    fn missing_mass_property(&self, _: u32) -> Option<&'static str> {
        None
    }

    /// There are no shapes.
    fn has_shape(&self, _: u32) -> bool {
        false
    }

    fn body_of(&self, _: u32) -> Option<u32> {
        None
    }

    fn kind(&self, body: u32) -> Option<BodyKind> {
        Some(self.bodies.get(&body)?.kind)
    }

    fn max_speed(&self) -> f32 {
        f32::INFINITY
    }

    fn step(&mut self, dt: f32, actions: &[Action<Self>], report: &mut Report<Self>) -> Result<(), PhysicsError> {
        let fault = self.faults.pop_front().unwrap_or(Fault::None);
        if fault == Fault::Refuse {
            return Err(injected_error("step"));
        }
        for action in actions {
            let body = self
                .bodies
                .get_mut(&action.body)
                .expect("actions name bodies that exist");
            if body.kind == BodyKind::Dynamic {
                for axis in 0..2 {
                    body.motion.velocity[axis] += action.impulse.linear[axis] + action.force.linear[axis] * dt;
                }
                let slowing = action.drag.force(body.motion.velocity, dt);
                body.motion.velocity = [0, 1].map(|axis| body.motion.velocity[axis] + slowing[axis] * dt);
            }
            if let Some(target) = action.target {
                let from = body.motion.pose.position;
                body.motion.velocity = [0, 1].map(|axis| (target.position[axis] - from[axis]) / dt);
            }
        }
        for body in self.bodies.values_mut() {
            for axis in 0..2 {
                body.motion.pose.position[axis] += body.motion.velocity[axis] * dt;
            }
        }
        match fault {
            Fault::FailCallback => report.failure = Some(injected_error("call back")),
            Fault::FalseReport => {
                report.moved.push((999, Pose2::default()));
                report.contacts.push((998, 999, ContactKind::Begin));
            }
            Fault::NonFinite => {
                if let Some(body) = self.bodies.values_mut().next() {
                    body.motion.pose.position[0] = f32::NAN;
                }
                report.is_incomplete = true;
            }
            Fault::DestroyBody => {
                self.bodies.pop_first();
            }
            Fault::None | Fault::Refuse => {}
        }
        if !report.is_incomplete {
            let moved = self.bodies.iter().map(|(handle, body)| (*handle, body.motion.pose));
            report.moved.extend(moved);
        }
        Ok(())
    }

    fn save(&self) -> Result<Self::Saved, PhysicsError> {
        Ok((self.bodies.clone(), self.last))
    }

    fn save_into(&self, saved: &mut Self::Saved) -> Result<(), PhysicsError> {
        *saved = self.save()?;
        Ok(())
    }

    fn restore(&mut self, saved: &Self::Saved) -> Result<(), PhysicsError> {
        // Handles are never reused.
        self.bodies = saved.0.clone();
        self.faults.clear();
        Ok(())
    }
}

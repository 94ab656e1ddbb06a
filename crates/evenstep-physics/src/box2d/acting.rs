//! What acts on bodies of Box2D in a step.

use boxdd::Body;

use super::Box2d;
use crate::engine::{Action, PhysicsVector};
use crate::wrench::Wrench;

/// What is no larger harms no body of a microgram or more, in N or N·s.
const HARMLESS: f32 = 1e6;

/// The most by which a body may be accelerated or pushed, in SI units. Box2D lets no body become faster than 400 m/s, but squares
/// its velocity first.
const MOST: f64 = 1e15;

impl Box2d {
    /// Hands over what acts on a body in the coming step.
    pub(super) fn act(&mut self, dt: f32, action: &Action<Self>) -> boxdd::Result<()> {
        if !action.impulse.is_zero() {
            self.undo.push((action.body, self.read(action.body)?));
        }
        let mut body = self.world.get_mut().body(action.body)?;
        if !action.force.is_zero() {
            let force = limited(&body, action.force)?;
            body.apply_force_to_center(force.linear, true)?;
            body.apply_torque(force.angular, true)?;
        }
        if !action.impulse.is_zero() {
            let impulse = limited(&body, action.impulse)?;
            body.apply_linear_impulse_to_center(impulse.linear, true)?;
            body.apply_angular_impulse(impulse.angular, true)?;
        }
        if let Some(target) = &action.target {
            let rotation = boxdd::Rot::from_raw(boxdd_sys::ffi::b2Rot {
                c: target.rotation.cos,
                s: target.rotation.sin,
            })?;
            body.set_target_transform(boxdd::WorldTransform::new(target.position.into(), rotation)?, dt, true)?;
        }
        Ok(())
    }

    /// Takes back what was to act in a step that was refused.
    pub(super) fn undo(&mut self, actions: &[Action<Self>]) -> boxdd::Result<()> {
        let world = self.world.get_mut();
        for action in actions.iter().filter(|action| !action.force.is_zero()) {
            let mut body = world.body(action.body)?;
            let force = limited(&body, action.force)?;
            body.apply_force_to_center(force.linear.times(-1.0), false)?;
            body.apply_torque(-force.angular, false)?;
        }
        for (id, motion) in self.undo.drain(..) {
            let mut body = world.body(id)?;
            body.set_linear_velocity(motion.velocity)?;
            body.set_angular_velocity(motion.angular_velocity)?;
        }
        Ok(())
    }
}

/// A force or impulse of which a body gets no velocity that Box2D cannot compute with. Any that a game needs stays as it is.
fn limited(body: &Body<'_>, wrench: Wrench<[f32; 2], f32>) -> boxdd::Result<Wrench<[f32; 2], f32>> {
    if is_harmless(&wrench.linear) && is_harmless(&wrench.angular) {
        return Ok(wrench);
    }
    Ok(Wrench {
        linear: limit(wrench.linear, body.mass()?),
        angular: limit(wrench.angular, body.rotational_inertia()?),
    })
}

fn is_harmless(vector: &impl PhysicsVector) -> bool {
    vector.components().iter().all(|component| component.abs() <= HARMLESS)
}

/// What resists is a mass or an inertia; a body without it does not move.
fn limit<V: PhysicsVector>(vector: V, resists: f32) -> V {
    let largest = vector
        .components()
        .iter()
        .fold(0.0, |largest: f32, one| largest.max(one.abs()));
    let most = MOST * f64::from(resists);
    if resists > 0.0 && f64::from(largest) > most {
        vector.times(most / f64::from(largest))
    } else {
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_body_cannot_take_is_limited_and_keeps_its_direction() {
        assert_eq!(limit([3e20, -4e20], 1e-3), [0.75e12, -1e12]);
        assert_eq!(limit([3e5, 4e10], 1e-3), [3e5, 4e10]);
        assert_eq!(limit(f32::MAX, 0.0), f32::MAX);
    }
}

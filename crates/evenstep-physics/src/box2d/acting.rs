//! What acts on bodies of Box2D in a step.

use boxdd::Body;
use evenstep::integrate::Vector as _;

use super::{Box2d, Done};
use crate::drag::{MOST_TURN, capped};
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
        let is_hit = !action.impulse.is_zero();
        let before = if is_hit { Some(self.read(action.body)?) } else { None };
        let mut body = self.world.get_mut().body(action.body)?;
        if is_hit {
            let impulse = limited(&body, action.impulse)?;
            body.apply_linear_impulse_to_center(impulse.linear, true)?;
            body.apply_angular_impulse(impulse.angular, true)?;
        }
        let mut force = action.force;
        if !force.is_zero() {
            force = limited(&body, force)?;
        }
        if !action.drag.is_zero() {
            force = force.plus(self.held(dt, action, force)?, 1.0);
            body = self.world.get_mut().body(action.body)?;
        }
        if !force.is_zero() {
            let wakes = !action.force.is_zero() || action.drag.flows();
            body.apply_force_to_center(force.linear, wakes)?;
            body.apply_torque(force.angular, wakes)?;
        }
        if let Some(target) = &action.target {
            let rotation = boxdd::Rot::from_raw(boxdd_sys::ffi::b2Rot {
                c: target.rotation.cos,
                s: target.rotation.sin,
            })?;
            body.set_target_transform(boxdd::WorldTransform::new(target.position.into(), rotation)?, dt, true)?;
        }
        if is_hit || !force.is_zero() {
            let body = action.body;
            self.undo.push(Done { body, force, before });
        }
        Ok(())
    }

    /// What a drag comes to over a step in which a force acts, too.
    fn held(
        &mut self,
        dt: f32,
        action: &Action<Self>,
        force: Wrench<[f32; 2], f32>,
    ) -> boxdd::Result<Wrench<[f32; 2], f32>> {
        let sub_steps = self.sub_steps;
        let world = self.world.get_mut();
        let (gravity, most_speed) = (world.gravity()?, world.maximum_linear_speed()?);
        let body = world.body(action.body)?;
        let (mass, inertia) = (body.mass()?, body.rotational_inertia()?);
        let mut held = Wrench::ZERO;
        if action.drag.linear > 0.0 && mass > 0.0 {
            let (kept, held_for) = damped(body.linear_damping()?, dt, sub_steps);
            let (speed, scale) = (body.linear_velocity()?, body.gravity_scale()?);
            let free = capped([speed.x, speed.y], most_speed).times(f64::from(kept));
            let free = free.plus([gravity.x, gravity.y], f64::from(held_for * scale));
            let gain = held_for / mass;
            held.linear = action.drag.force(free.plus(force.linear, f64::from(gain)), gain);
        }
        if action.drag.angular > 0.0 && inertia > 0.0 {
            let (kept, held_for) = damped(body.angular_damping()?, dt, sub_steps);
            let gain = held_for / inertia;
            let free = capped(body.angular_velocity()?, MOST_TURN / dt) * kept + force.angular * gain;
            held.angular = action.drag.torque(free, gain);
        }
        Ok(held)
    }

    /// Takes back what was to act in a step that was refused.
    pub(super) fn undo(&mut self) -> boxdd::Result<()> {
        let world = self.world.get_mut();
        for done in self.undo.drain(..) {
            let mut body = world.body(done.body)?;
            if !done.force.is_zero() {
                body.apply_force_to_center(done.force.linear.times(-1.0), false)?;
                body.apply_torque(-done.force.angular, false)?;
            }
            if let Some(motion) = done.before {
                body.set_linear_velocity(motion.velocity)?;
                body.set_angular_velocity(motion.angular_velocity)?;
            }
        }
        Ok(())
    }
}

/// What Box2D's own damping leaves of a velocity in a step, and how long a force would have to act without it to add as
/// much. Box2D damps the velocity in each sub-step before it adds to it.
fn damped(damping: f32, dt: f32, sub_steps: i32) -> (f32, f32) {
    if damping == 0.0 {
        return (1.0, dt);
    }
    let sub_step = dt / sub_steps as f32;
    let factor = 1.0 / (1.0 + sub_step * damping);
    let (mut kept, mut held_for) = (1.0, 0.0);
    for _ in 0..sub_steps {
        kept *= factor;
        held_for = held_for * factor + sub_step;
    }
    (kept, held_for)
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

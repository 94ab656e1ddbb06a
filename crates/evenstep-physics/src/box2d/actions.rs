//! Applies the actions of a step to Box2D bodies.

use boxdd::Body;
use evenstep::Vector as _;

use super::Box2d;
use super::convert::transform_of;
use crate::drag::{MAX_ROTATION, clamp_length};
use crate::engine::{Action, PhysicsVector};
use crate::wrench::Wrench;

/// The largest acceleration or change of velocity, in SI units. Box2D limits speeds to 400 m/s, but squares the velocity first,
/// which must not overflow.
const MAX_ACCELERATION: f64 = 1e15;

impl Box2d {
    /// Applies an action to a body for the next step.
    pub(super) fn apply(&mut self, dt: f32, action: &Action<Self>) -> boxdd::Result<()> {
        let mut body = self.world.get_mut().body(action.body)?;
        if !action.impulse.is_zero() {
            let impulse = limited(&body, action.impulse)?;
            body.apply_linear_impulse_to_center(impulse.linear, true)?;
            body.apply_angular_impulse(impulse.angular, true)?;
        }
        let mut force = limited(&body, action.force)?;
        if !action.drag.is_zero() {
            force.add(self.drag_wrench(dt, action, force)?, 1.0);
            body = self.world.get_mut().body(action.body)?;
        }
        if !force.is_zero() {
            let wakes = !action.force.is_zero() || action.drag.is_moving();
            body.apply_force_to_center(force.linear, wakes)?;
            body.apply_torque(force.angular, wakes)?;
        }
        if let Some(target) = &action.target {
            body.set_target_transform(transform_of(target)?, dt, true)?;
        }
        Ok(())
    }

    /// The force and torque of a drag over a step in which `force` acts too.
    fn drag_wrench(
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
        let mut wrench = Wrench::ZERO;
        if action.drag.linear > 0.0 && mass > 0.0 {
            let (factor, effective_dt) = damping_over_step(body.linear_damping()?, dt, sub_steps);
            let (speed, scale) = (body.linear_velocity()?, body.gravity_scale()?);
            let free = clamp_length([speed.x, speed.y], most_speed).times(f64::from(factor));
            let free = free.plus([gravity.x, gravity.y], f64::from(effective_dt * scale));
            let gain = effective_dt / mass;
            wrench.linear = action.drag.force(free.plus(force.linear, f64::from(gain)), gain);
        }
        if action.drag.angular > 0.0 && inertia > 0.0 {
            let (factor, effective_dt) = damping_over_step(body.angular_damping()?, dt, sub_steps);
            let gain = effective_dt / inertia;
            let free = clamp_length(body.angular_velocity()?, MAX_ROTATION / dt) * factor + force.angular * gain;
            wrench.angular = action.drag.torque(free, gain);
        }
        Ok(wrench)
    }
}

/// The effect of Box2D's own damping over a step: the factor by which it reduces a velocity, and the effective time in seconds for
/// which a force acts. Box2D damps the velocity in each sub-step before it adds the force.
fn damping_over_step(damping: f32, dt: f32, sub_steps: i32) -> (f32, f32) {
    if damping == 0.0 {
        return (1.0, dt);
    }
    let sub_step = dt / sub_steps as f32;
    let factor = 1.0 / (1.0 + sub_step * damping);
    let (mut total_factor, mut effective_dt) = (1.0, 0.0);
    for _ in 0..sub_steps {
        total_factor *= factor;
        effective_dt = effective_dt * factor + sub_step;
    }
    (total_factor, effective_dt)
}

/// Limits a force or impulse so that Box2D's arithmetic does not overflow. Values of realistic size are unchanged.
fn limited(body: &Body<'_>, wrench: Wrench<[f32; 2], f32>) -> boxdd::Result<Wrench<[f32; 2], f32>> {
    Ok(Wrench {
        linear: limit(wrench.linear, body.mass()?),
        angular: limit(wrench.angular, body.rotational_inertia()?),
    })
}

/// Limits the components of a vector for a mass or moment of inertia. A body whose mass is zero does not move.
fn limit<V: PhysicsVector>(vector: V, mass: f32) -> V {
    let largest = vector
        .components()
        .iter()
        .fold(0.0, |largest: f32, one| largest.max(one.abs()));
    let most = MAX_ACCELERATION * f64::from(mass);
    if mass > 0.0 && f64::from(largest) > most {
        vector.times(most / f64::from(largest))
    } else {
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_large_forces_are_limited_and_keep_their_direction() {
        assert_eq!(limit([3e20, -4e20], 1e-3), [0.75e12, -1e12]);
        assert_eq!(limit([3e5, 4e10], 1e-3), [3e5, 4e10]);
        assert_eq!(limit(f32::MAX, 0.0), f32::MAX);
    }

    #[test]
    fn damping_acts_in_each_sub_step_before_the_force() {
        assert_eq!(damping_over_step(0.0, 0.1, 4), (1.0, 0.1));
        for (damping, sub_steps) in [(0.5, 1), (2.0, 4), (30.0, 8)] {
            let (factor, effective_dt) = damping_over_step(damping, 0.1, sub_steps);
            let sub_step = 0.1 / f64::from(sub_steps);
            let (mut free, mut pushed) = (1.0, 0.0);
            for _ in 0..sub_steps {
                free /= 1.0 + sub_step * f64::from(damping);
                pushed = pushed / (1.0 + sub_step * f64::from(damping)) + sub_step;
            }
            let off = [f64::from(factor) / free, f64::from(effective_dt) / pushed].map(|share| (share - 1.0).abs());
            assert!(
                off[0] < 1e-5 && off[1] < 1e-5,
                "{damping}, {sub_steps}: {factor}, {effective_dt}"
            );
        }
    }
}

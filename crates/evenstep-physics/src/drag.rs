//! Drag: a force that resists motion relative to a medium, integrated implicitly so that it is stable at any step length.

use crate::vector::PhysicsVector;

/// The drag of a medium such as air or water on a body: the force `k·(u − v)` and the torque `−c·ω`, where `v`
/// is the velocity of the body's centre of mass and `ω` its angular velocity.
///
/// ```
/// use evenstep_physics::Drag;
///
/// let syrup = Drag::new([0.0; 2], 20.0, 1.0);
/// // After a step of 0.1 s, a body of 1 kg that enters it at 3 m/s moves at 3 / (1 + 20 · 0.1 / 1) = 1 m/s:
/// assert_eq!(syrup.force([3.0, 0.0], 0.1), [-20.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Drag<V> {
    /// The velocity `u` of the medium in m/s.
    pub medium: V,
    /// The coefficient `k` of the force in N·s/m, not negative.
    pub linear: f32,
    /// The coefficient `c` of the torque in N·m·s, not negative, the same about every axis.
    pub angular: f32,
}

impl<V: PhysicsVector> Drag<V> {
    /// No drag.
    pub const ZERO: Self = Self {
        medium: V::ZERO,
        linear: 0.0,
        angular: 0.0,
    };

    /// The drag of a medium that moves with a velocity in m/s, with the coefficients of the force (N·s/m) and of the torque (N·m·s).
    #[must_use]
    pub const fn new(medium: V, linear: f32, angular: f32) -> Self {
        Self {
            medium,
            linear,
            angular,
        }
    }

    /// The force in N, constant over a step, that corresponds to the velocity at the end of the step (backward Euler). At any mass
    /// and any step length, it never reverses the velocity relative to the medium.
    ///
    /// `free` is the velocity in m/s that the body would have at the end of the step without drag, and `gain` the
    /// change of that velocity per newton, in m/(s·N): the length of the step divided by the mass.
    #[must_use]
    pub fn force(&self, free: V, gain: f32) -> V {
        implicit_euler(self.linear, self.medium.plus(free, -1.0), gain)
    }

    /// The torque in N·m about an axis, in the same way: `free` is in radians per second, and `gain` is the length of the step
    /// divided by the moment of inertia.
    #[must_use]
    pub fn torque(&self, free: f32, gain: f32) -> f32 {
        implicit_euler(self.angular, -free, gain)
    }

    /// The sum of two drags, as one drag.
    pub(crate) fn combined(self, other: Self) -> Self {
        let linear = f64::from(self.linear) + f64::from(other.linear);
        let share = if linear > 0.0 {
            f64::from(other.linear) / linear
        } else {
            0.0
        };
        Self {
            medium: self.medium.plus(other.medium.plus(self.medium, -1.0), share),
            linear: (linear as f32).min(f32::MAX),
            angular: (self.angular + other.angular).min(f32::MAX),
        }
    }

    /// Whether both coefficients are zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.linear == 0.0 && self.angular == 0.0
    }

    /// Whether the medium moves and so accelerates a body at rest.
    #[cfg(any(feature = "box2d", feature = "rapier2d", feature = "rapier3d"))]
    pub(crate) fn is_moving(&self) -> bool {
        self.linear > 0.0 && self.medium != V::ZERO
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.medium.all_finite() && self.linear.is_finite() && self.angular.is_finite()
    }
}

/// The largest rotation of a body in a step, in radians: Box2D's limit (`B2_MAX_ROTATION`), which Rapier has adopted. A drag that
/// is computed from a faster spin would reverse the limited one.
#[cfg(any(feature = "box2d", feature = "rapier2d", feature = "rapier3d"))]
pub(crate) const MAX_ROTATION: f32 = std::f32::consts::FRAC_PI_4;

/// A vector shortened to at most a length.
#[cfg(any(feature = "box2d", feature = "rapier2d", feature = "rapier3d"))]
pub(crate) fn clamp_length<V: PhysicsVector>(velocity: V, most: f32) -> V {
    let speed = velocity.length();
    if speed > most {
        velocity.times(f64::from(most / speed))
    } else {
        velocity
    }
}

fn implicit_euler<V: PhysicsVector>(resistance: f32, velocity_gap: V, gain: f32) -> V {
    let resistance = f64::from(resistance);
    let force = velocity_gap.times(resistance / (1.0 + resistance * f64::from(gain)));
    // The force overflows only for a body that nothing can move.
    if force.all_finite() { force } else { V::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_drags_are_one_with_the_sum_of_both_forces_and_of_both_torques() {
        let (river, wind) = (Drag::new([3.0, 0.0], 2.0, 0.5), Drag::new([0.0, -1.0], 6.0, 0.25));
        let both = river.combined(wind);
        assert_eq!((both.medium, both.linear, both.angular), ([0.75, -0.75], 8.0, 0.75));
        // At no step length the forces are those of each: 2·(3 − v) + 6·(0 − v).
        assert_eq!(both.force([1.0, 1.0], 0.0), [-2.0, -14.0]);
        assert_eq!(Drag::ZERO.combined(river), river);
    }
}

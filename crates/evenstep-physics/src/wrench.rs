//! Wrenches: a force with a torque, or an impulse with an angular impulse.

use crate::vector::PhysicsVector;

/// A force and a torque (N, N·m), or an impulse and an angular impulse (N·s, N·m·s), at a body's centre of mass.
///
/// ```
/// use evenstep_physics::Wrench;
///
/// let thrust: Wrench<[f32; 2], f32> = Wrench::linear([0.0, 10.0]);
/// assert_eq!(thrust.angular, 0.0);
/// ```
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench<V, S> {
    /// Force in N, or impulse in N·s.
    pub linear: V,
    /// Torque in N·m, or angular impulse in N·m·s.
    pub angular: S,
}

impl<V: PhysicsVector, S: PhysicsVector> Wrench<V, S> {
    /// No force and no torque.
    pub const ZERO: Self = Self {
        linear: V::ZERO,
        angular: S::ZERO,
    };

    /// A force or impulse without a torque.
    #[must_use]
    pub const fn linear(linear: V) -> Self {
        Self {
            linear,
            angular: S::ZERO,
        }
    }

    /// A torque or angular impulse without a force.
    #[must_use]
    pub const fn angular(angular: S) -> Self {
        Self {
            linear: V::ZERO,
            angular,
        }
    }

    /// Adds another one times a factor.
    pub(crate) fn add(&mut self, other: Self, factor: f64) {
        self.linear = self.linear.plus(other.linear, factor);
        self.angular = self.angular.plus(other.angular, factor);
    }

    pub(crate) fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.linear.all_finite() && self.angular.all_finite()
    }
}

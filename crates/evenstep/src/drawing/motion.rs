//! Extrapolation, and Hermite interpolation of positions with velocities.

use core::time::Duration;

use crate::drawing::blend::{between, blend_fields};
use crate::drawing::{Blend, Vector};

/// A state with a velocity. It can be drawn ahead of the last step, or along a curve.
///
/// [`PositionVelocity`] implements it for numbers, arrays and every other [`Vector`], [`Motion2`](crate::poses::Motion2) and
/// [`Motion3`](crate::poses::Motion3) for poses.
pub trait Extrapolate: Blend {
    /// The state `seconds` later, at its present velocity.
    #[must_use]
    fn extrapolate(&self, seconds: f64) -> Self;

    /// The state at `t` of the way from this one to `newer`, `dt` seconds later, along the cubic Hermite curve that
    /// has the velocities of both at its ends. `t ≤ 0` and `t ≥ 1` give bit-identical ends.
    #[must_use]
    fn hermite(&self, newer: &Self, t: f64, dt: f64) -> Self;
}

/// How to draw between steps.
///
/// | | shows | cost |
/// |---|---|---|
/// | `None` | the newest state | steps are visible |
/// | `Interpolate` | between the last two states | one period of delay |
/// | `Extrapolate` | ahead of the newest state | overshoots when the velocity changes |
/// | `Hermite` | between the last two states, with their velocities | one period of delay; smooth where steps are coarse |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Smoothing {
    /// The newest state as it is.
    None,
    /// On the straight way between the last two states.
    #[default]
    Interpolate,
    /// Ahead of the newest state by its velocity, for at most `horizon`.
    Extrapolate {
        /// The longest time to look ahead.
        horizon: Duration,
    },
    /// On a cubic curve between the last two states.
    Hermite,
}

/// The weights of a cubic Hermite curve from 0 to `t`: of the way from end to end, of the first and of the last
/// tangent. Written as an offset from the first end, so that a resting body stays bit-identical.
pub(crate) fn hermite_weights(t: f64) -> (f64, f64, f64) {
    (t * t * (3.0 - 2.0 * t), t * (1.0 - t) * (1.0 - t), t * t * (t - 1.0))
}

/// A position and its velocity, in units per second: numbers, arrays of them, or a [`Vector`] of your own.
///
/// ```
/// use evenstep::{Extrapolate, PositionVelocity};
///
/// let ball = PositionVelocity { position: [0.0, 2.0], velocity: [3.0, -1.0] };
/// assert_eq!(ball.extrapolate(0.5).position, [1.5, 1.5]);
/// ```
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PositionVelocity<T> {
    /// Where it is.
    pub position: T,
    /// Units per second.
    pub velocity: T,
}

blend_fields! { PositionVelocity<T> { position velocity } }

impl<V: Vector + Blend> Extrapolate for PositionVelocity<V> {
    #[inline]
    fn extrapolate(&self, seconds: f64) -> Self {
        Self {
            position: self.position.plus(self.velocity, seconds),
            ..*self
        }
    }

    #[inline]
    fn hermite(&self, newer: &Self, t: f64, dt: f64) -> Self {
        between(*self, *newer, t, || {
            let (way, first, last) = hermite_weights(t);
            // The small parts are added first, so that a position far away rounds them once. A `Vector` has no other zero; this one is NaN
            // if the velocity is infinite.
            let zero = self.velocity.plus(self.velocity, -1.0);
            let bend = zero.plus(self.velocity, first * dt).plus(newer.velocity, last * dt);
            let straight = self.position.plus(newer.position.plus(self.position, -1.0), way);
            Self {
                position: straight.plus(bend, 1.0),
                velocity: self.velocity.blend(&newer.velocity, t),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn hermite_reproduces_a_cubic(a in -5.0..5.0_f64, b in -5.0..5.0_f64, c in -5.0..5.0_f64, d in -5.0..5.0_f64, t in 0.0..1.0_f64) {
            let dt = 0.25;
            let at = |time: f64| PositionVelocity {
                position: a + time * (b + time * (c + time * d)),
                velocity: b + time * (2.0 * c + time * 3.0 * d),
            };
            let blended = at(0.0).hermite(&at(dt), t, dt);
            prop_assert!((blended.position - at(t * dt).position).abs() < 1e-12);
        }

        #[test]
        fn bodies_at_rest_are_drawn_at_their_state(position in -1e6..1e6_f32, t in 0.0..1.0_f64) {
            let resting = PositionVelocity { position, velocity: 0.0 };
            prop_assert_eq!(resting.hermite(&resting, t, 0.1).position.to_bits(), position.to_bits());
            prop_assert_eq!(resting.extrapolate(t).position, position);
        }
    }
}

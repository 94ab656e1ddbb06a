//! The ranges of values with which an engine works.

use crate::vector::PhysicsVector;

/// The ranges of values with which an engine works, in its unit of length. By default there are no limits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest coordinate of a position.
    pub max_coordinate: f32,
    /// The largest speed of a body in units per second. The engine slows faster bodies down.
    pub max_speed: f32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_coordinate: f32::INFINITY,
            max_speed: f32::INFINITY,
        }
    }
}

impl Limits {
    /// Whether all coordinates of a position are in range.
    pub(crate) fn contain_position<V: PhysicsVector>(&self, position: V) -> bool {
        let mut coordinates = position.components().iter();
        coordinates.all(|coordinate| coordinate.abs() <= self.max_coordinate)
    }

    /// Whether a velocity is in range.
    pub(crate) fn contain_velocity<V: PhysicsVector>(&self, velocity: V) -> bool {
        velocity.length() <= self.max_speed
    }
}

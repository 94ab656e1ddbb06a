//! Objects that scenes create with the engines' own APIs and adopt: joints, sensors, filters, bodies of several shapes, terrain and
//! characters.

use evenstep_physics::PhysicsError;

use super::scene_engine::SceneEngine;

/// A box of a body: its centre in the body's coordinates, and its half extents.
pub(super) type Part = ((f32, f32), (f32, f32));

/// The motor of a hinge.
#[derive(Clone, Copy)]
pub(super) struct Motor {
    /// The target speed in rad/s, counter-clockwise.
    pub(super) speed: f32,
    /// The maximum torque in N·m.
    pub(super) torque: f32,
}

/// Engines with joints, sensors, filters, terrain and characters; bodies stay in the plane of `x` and `y`.
pub(super) trait NativeApi: SceneEngine {
    /// A dynamic body of several boxes. A ghost collides only with fixed bodies.
    fn compound(&mut self, centre: (f32, f32), parts: &[Part], ghost: bool) -> Result<Self::Handle, PhysicsError>;
    /// A dynamic ball.
    fn wheel(&mut self, centre: (f32, f32), radius: f32) -> Result<Self::Handle, PhysicsError>;
    /// Hinges two bodies, which are not rotated, at a point of the world. They do not collide with each other.
    fn hinge(
        &mut self,
        first: Self::Handle,
        second: Self::Handle,
        at: (f32, f32),
        motor: Option<Motor>,
    ) -> Result<(), PhysicsError>;
    /// A sensor box without an adopted body.
    fn sensor(&mut self, centre: (f32, f32), half: (f32, f32)) -> Result<(), PhysicsError>;
    /// Terrain by at least four heights above the first point, at equal distances to the right of it.
    fn terrain(&mut self, first: (f32, f32), spacing: f32, heights: &[f32]) -> Result<(), PhysicsError>;
    /// A kinematic capsule that stands upright, for [`SceneEngine::walk`].
    fn character(&mut self, centre: (f32, f32)) -> Result<Self::Handle, PhysicsError>;
}

#[cfg(feature = "box2d")]
mod box2d;
#[cfg(any(feature = "rapier2d", feature = "rapier3d"))]
mod rapier;

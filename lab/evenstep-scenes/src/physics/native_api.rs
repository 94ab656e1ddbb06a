//! What scenes make with the engines' own APIs, for the world to adopt: joints, sensors, filters, bodies of several shapes,
//! terrain and characters.

use evenstep_physics::PhysicsError;

use super::scene_engine::SceneEngine;

/// A box from its centre, in the body's own coordinates, to its sides.
pub(super) type Part = ((f32, f32), (f32, f32));

/// What a hinge does by itself.
#[derive(Clone, Copy)]
pub(super) struct Motor {
    /// In rad/s, counter-clockwise.
    pub(super) speed: f32,
    /// At most, in N·m.
    pub(super) torque: f32,
}

/// Engines with joints, sensors, filters, terrain and characters; bodies stay in the plane of `x` and `y`.
pub(super) trait NativeApi: SceneEngine {
    /// A dynamic body of several boxes. A ghost passes through all but what stays where it is.
    fn compound(&mut self, centre: (f32, f32), parts: &[Part], ghost: bool) -> Result<Self::Handle, PhysicsError>;
    /// A dynamic ball.
    fn wheel(&mut self, centre: (f32, f32), radius: f32) -> Result<Self::Handle, PhysicsError>;
    /// Hinges two bodies, which are not turned yet, at a point of the world. They do not collide with each other.
    fn hinge(
        &mut self,
        first: Self::Handle,
        second: Self::Handle,
        at: (f32, f32),
        motor: Option<Motor>,
    ) -> Result<(), PhysicsError>;
    /// A box that tells who is in it, on no body of the world's.
    fn sensor(&mut self, centre: (f32, f32), half: (f32, f32)) -> Result<(), PhysicsError>;
    /// Ground, by its heights above the first point, at even distances to the right of it. At least four.
    fn terrain(&mut self, first: (f32, f32), spacing: f32, heights: &[f32]) -> Result<(), PhysicsError>;
    /// A kinematic capsule that stands upright, for [`SceneEngine::walk`].
    fn character(&mut self, centre: (f32, f32)) -> Result<Self::Handle, PhysicsError>;
}

#[cfg(feature = "box2d")]
mod box2d;
#[cfg(any(feature = "rapier2d", feature = "rapier3d"))]
mod rapier;

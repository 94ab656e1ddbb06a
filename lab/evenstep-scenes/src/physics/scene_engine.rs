//! The dimension-independent interface of scenes to the engines: `y` points up, and scenes lie in the plane of `x` and `y`.

use evenstep::Inspect;
use evenstep::poses::{Motion2, Motion3, Pose2, Pose3, Quat, Rot2};
use evenstep_physics::engine::BodyMotion;
use evenstep_physics::{Engine, PhysicsError};

/// An engine that scenes run on.
pub(super) trait SceneEngine: Engine<Motion: SceneMotion> {
    /// An empty world with gravity along `y` in m/s².
    fn with_gravity(gravity: f32) -> Result<Self, PhysicsError>;
}

#[cfg(feature = "box2d")]
impl SceneEngine for evenstep_physics::Box2d {
    fn with_gravity(gravity: f32) -> Result<Self, PhysicsError> {
        Self::new([0.0, gravity])
    }
}

#[cfg(feature = "rapier2d")]
impl SceneEngine for evenstep_physics::Rapier2d {
    fn with_gravity(gravity: f32) -> Result<Self, PhysicsError> {
        Ok(Self::new([0.0, gravity]))
    }
}

#[cfg(feature = "rapier3d")]
impl SceneEngine for evenstep_physics::Rapier3d {
    fn with_gravity(gravity: f32) -> Result<Self, PhysicsError> {
        Ok(Self::new([0.0, gravity, 0.0]))
    }
}

/// The motion of a body in the plane or in space.
pub(super) trait SceneMotion: BodyMotion<Pose: Inspect, Vector: Inspect> + Inspect + Default {
    /// A vector in the plane.
    fn vector(x: f32, y: f32) -> Self::Vector;
    /// The half extents of a box; in three dimensions it is as deep as it is wide.
    fn half(x: f32, y: f32) -> Self::Vector;
    /// A body at rest in the plane, rotated by an angle in radians.
    fn resting(x: f32, y: f32, angle: f32) -> Self;
    /// The projection of the pose and of a box's half extents onto the plane.
    fn flat(&self, half: &Self::Vector) -> (Pose2, [f32; 2]);
    /// The depth of a box's lowest corner below its centre, in m.
    fn reach_down(&self, half: &Self::Vector) -> f32;
}

impl SceneMotion for Motion2 {
    fn vector(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }

    fn half(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }

    fn resting(x: f32, y: f32, angle: f32) -> Self {
        Self::at(Pose2::new([x, y], Rot2::from_radians(angle)))
    }

    fn flat(&self, half: &[f32; 2]) -> (Pose2, [f32; 2]) {
        (self.pose, *half)
    }

    fn reach_down(&self, half: &[f32; 2]) -> f32 {
        let Rot2 { cos, sin } = self.pose.rotation;
        sin.abs() * half[0] + cos.abs() * half[1]
    }
}

impl SceneMotion for Motion3 {
    fn vector(x: f32, y: f32) -> [f32; 3] {
        [x, y, 0.0]
    }

    fn half(x: f32, y: f32) -> [f32; 3] {
        [x, y, x]
    }

    fn resting(x: f32, y: f32, angle: f32) -> Self {
        Self::at(Pose3::new([x, y, 0.0], Quat::from_scaled_axis([0.0, 0.0, angle])))
    }

    fn flat(&self, half: &[f32; 3]) -> (Pose2, [f32; 2]) {
        let ([x, y, _], [_, _, angle]) = (self.pose.position, self.pose.rotation.to_scaled_axis());
        (Pose2::new([x, y], Rot2::from_radians(angle)), [half[0], half[1]])
    }

    fn reach_down(&self, half: &[f32; 3]) -> f32 {
        let Quat { x, y, z, w } = self.pose.rotation;
        // The second row of the rotation matrix: how much of each of the box's axes points up.
        let upward = [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        ];
        upward.iter().zip(half).map(|(part, half)| part.abs() * half).sum()
    }
}

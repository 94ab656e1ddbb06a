//! The dimension-independent interface of scenes to the engines.

use evenstep::Snapshot;
use evenstep::poses::Pose2;
use evenstep_physics::engine::{BodyMotion, PoseOf, VectorOf};
use evenstep_physics::{Engine, PhysicsError};

/// An engine in which `y` points up and scenes lie in the plane of `x` and `y`.
pub(super) trait SceneEngine:
    Engine<Motion: Snapshot + BodyMotion<Pose: Snapshot, Vector: Snapshot>> + Sized
{
    /// An empty world with gravity along `y` in m/s².
    fn with_gravity(gravity: f32) -> Result<Self, PhysicsError>;
    /// A vector in the plane.
    fn vector(x: f32, y: f32) -> VectorOf<Self>;
    /// The half extents of a box; in three dimensions it is as deep as it is wide.
    fn half(x: f32, y: f32) -> VectorOf<Self>;
    /// A pose in the plane, rotated by an angle in radians.
    fn pose(x: f32, y: f32, angle: f32) -> PoseOf<Self>;
    /// The projection of a pose and of a box's half extents onto the plane.
    fn flat(motion: &Self::Motion, half: &VectorOf<Self>) -> (Pose2, [f32; 2]);
    /// The depth of a box's lowest corner below its centre, in m.
    fn reach_down(motion: &Self::Motion, half: &VectorOf<Self>) -> f32;
}

#[cfg(any(feature = "box2d", feature = "rapier2d"))]
mod flat {
    use evenstep::poses::{Motion2, Pose2, Rot2};

    pub(super) fn pose(x: f32, y: f32, angle: f32) -> Pose2 {
        Pose2::new([x, y], Rot2::from_radians(angle))
    }

    pub(super) fn reach_down(motion: &Motion2, half: &[f32; 2]) -> f32 {
        let rotation = motion.pose.rotation;
        rotation.sin.abs() * half[0] + rotation.cos.abs() * half[1]
    }
}

#[cfg(feature = "box2d")]
impl SceneEngine for evenstep_physics::Box2d {
    fn with_gravity(gravity: f32) -> Result<Self, PhysicsError> {
        Self::new([0.0, gravity])
    }

    fn vector(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }

    fn half(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }

    fn pose(x: f32, y: f32, angle: f32) -> evenstep::poses::Pose2 {
        flat::pose(x, y, angle)
    }

    fn flat(motion: &evenstep::poses::Motion2, half: &[f32; 2]) -> (Pose2, [f32; 2]) {
        (motion.pose, *half)
    }

    fn reach_down(motion: &evenstep::poses::Motion2, half: &[f32; 2]) -> f32 {
        flat::reach_down(motion, half)
    }
}

#[cfg(feature = "rapier2d")]
impl SceneEngine for evenstep_physics::Rapier2d {
    fn with_gravity(gravity: f32) -> Result<Self, PhysicsError> {
        Ok(Self::new([0.0, gravity]))
    }

    fn vector(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }

    fn half(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }

    fn pose(x: f32, y: f32, angle: f32) -> evenstep::poses::Pose2 {
        flat::pose(x, y, angle)
    }

    fn flat(motion: &evenstep::poses::Motion2, half: &[f32; 2]) -> (Pose2, [f32; 2]) {
        (motion.pose, *half)
    }

    fn reach_down(motion: &evenstep::poses::Motion2, half: &[f32; 2]) -> f32 {
        flat::reach_down(motion, half)
    }
}

#[cfg(feature = "rapier3d")]
impl SceneEngine for evenstep_physics::Rapier3d {
    fn with_gravity(gravity: f32) -> Result<Self, PhysicsError> {
        Ok(Self::new([0.0, gravity, 0.0]))
    }

    fn vector(x: f32, y: f32) -> [f32; 3] {
        [x, y, 0.0]
    }

    fn half(x: f32, y: f32) -> [f32; 3] {
        [x, y, x]
    }

    fn pose(x: f32, y: f32, angle: f32) -> evenstep::poses::Pose3 {
        evenstep::poses::Pose3::new([x, y, 0.0], evenstep::poses::Quat::from_scaled_axis([0.0, 0.0, angle]))
    }

    fn flat(motion: &evenstep::poses::Motion3, half: &[f32; 3]) -> (Pose2, [f32; 2]) {
        let ([x, y, _], [_, _, angle]) = (motion.pose.position, motion.pose.rotation.to_scaled_axis());
        let pose = Pose2::new([x, y], evenstep::poses::Rot2::from_radians(angle));
        (pose, [half[0], half[1]])
    }

    fn reach_down(motion: &evenstep::poses::Motion3, half: &[f32; 3]) -> f32 {
        let evenstep::poses::Quat { x, y, z, w } = motion.pose.rotation;
        // The second row of the rotation matrix: how much of each of the box's axes points up.
        let upward = [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        ];
        upward.iter().zip(half).map(|(part, half)| part.abs() * half).sum()
    }
}

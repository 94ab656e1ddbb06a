//! Position and rotation in the plane and in space.

use crate::drawing::Blend;
use crate::drawing::blend::blend_fields;
use crate::math;
use crate::poses::{Quat, Rot2};

/// Where a body is in the plane: position and rotation.
///
/// ```
/// use evenstep::Blend;
/// use evenstep::poses::{Pose2, Rot2};
///
/// let older = Pose2::new([0.0, 0.0], Rot2::IDENTITY);
/// let newer = Pose2::new([2.0, 4.0], Rot2::IDENTITY);
/// assert_eq!(older.blend(&newer, 0.25).position, [0.5, 1.0]);
/// ```
///
/// Exhaustive, as are all poses and rotations: no field will be added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose2 {
    /// Position, in the program's unit of length.
    pub position: [f32; 2],
    /// Rotation.
    pub rotation: Rot2,
}

impl Pose2 {
    /// The pose at the origin without rotation.
    pub const IDENTITY: Self = Self::new([0.0; 2], Rot2::IDENTITY);

    /// A pose from its parts.
    #[must_use]
    pub const fn new(position: [f32; 2], rotation: Rot2) -> Self {
        Self { position, rotation }
    }
}

blend_fields! {
    Pose2 { position rotation }
    Pose3 { position rotation }
}

/// Where a body is in space: position and rotation.
///
/// ```
/// use evenstep::Blend;
/// use evenstep::poses::{Pose3, Quat};
///
/// let older = Pose3::new([0.0; 3], Quat::IDENTITY);
/// let newer = Pose3::new([2.0, 4.0, 8.0], Quat::IDENTITY);
/// assert_eq!(older.blend(&newer, 0.25).position, [0.5, 1.0, 2.0]);
/// ```
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose3 {
    /// Position, in the program's unit of length.
    pub position: [f32; 3],
    /// Rotation.
    pub rotation: Quat,
}

impl Pose3 {
    /// The pose at the origin without rotation.
    pub const IDENTITY: Self = Self::new([0.0; 3], Quat::IDENTITY);

    /// A pose from its parts.
    #[must_use]
    pub const fn new(position: [f32; 3], rotation: Quat) -> Self {
        Self { position, rotation }
    }
}

/// In the plane z = 0, turned about the z axis.
impl From<Pose2> for Pose3 {
    fn from(pose: Pose2) -> Self {
        let ([x, y], Rot2 { cos, sin }) = (pose.position, pose.rotation);
        // Of half the angle: the larger of cosine and sine is a root, the other follows from it.
        let larger = math::sqrt_f32(0.5 + 0.5 * cos.abs());
        let smaller = 0.5 * sin.abs() / larger;
        let (w, z) = if cos < 0.0 {
            (smaller, larger)
        } else {
            (larger, smaller)
        };
        let rotation = Quat::new(0.0, 0.0, if sin < 0.0 { -z } else { z }, w);
        Self::new([x, y, 0.0], rotation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_in_the_plane_is_the_same_in_space() {
        for angle in (-31..=31).map(|tenth| tenth as f32 / 10.0) {
            let pose = Pose3::from(Pose2::new([1.0, 2.0], Rot2::from_radians(angle)));
            let [x, y, z] = pose.rotation.to_scaled_axis();
            assert!(x == 0.0 && y == 0.0 && (z - angle).abs() < 1e-6, "{z} of {angle}");
            assert_eq!(pose.position, [1.0, 2.0, 0.0]);
        }
    }
}

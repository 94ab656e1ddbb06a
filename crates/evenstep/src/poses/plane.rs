//! Many poses in the plane: the numbers of a pose are its position, and cosine and sine of its angle; velocities follow.

use super::blocks::{Between, first};
use crate::rotation::{inverse_root_near_one, is_nearly_one};
use crate::{Blend as _, Motion2, Pose2, Rot2};

/// Of a pose.
pub(super) type Numbers = [f32; 4];

pub(super) fn numbers(pose: Pose2) -> [f32; 4] {
    let ([x, y], Rot2 { cos, sin }) = (pose.position, pose.rotation);
    [x, y, cos, sin]
}

pub(super) fn pose([x, y, cos, sin]: [f32; 4]) -> Pose2 {
    Pose2::new([x, y], Rot2 { cos, sin })
}

// Field by field: whole structs are written with other instructions, one body at a time.
#[inline]
pub(super) fn put_pose([x, y, cos, sin]: Numbers, out: &mut Pose2) {
    [out.position[0], out.position[1]] = [x, y];
    (out.rotation.cos, out.rotation.sin) = (cos, sin);
}

/// The columns of the matrix of a pose.
#[inline]
pub(super) fn put_matrix([x, y, cos, sin]: Numbers, out: &mut [[f32; 2]; 3]) {
    *out = [[cos, sin], [-sin, cos], [x, y]];
}

pub(super) fn motion_numbers(motion: Motion2) -> [f32; 7] {
    let ([x, y, cos, sin], [vx, vy]) = (numbers(motion.pose), motion.velocity);
    [x, y, cos, sin, vx, vy, motion.angular_velocity]
}

pub(super) fn motion([x, y, cos, sin, vx, vy, angular_velocity]: [f32; 7]) -> Motion2 {
    Motion2 {
        pose: pose([x, y, cos, sin]),
        velocity: [vx, vy],
        angular_velocity,
    }
}

/// As [`Pose2`] blends, at an alpha.
pub(super) struct Blended(pub(super) f64);

impl<const N: usize> Between<N, 4> for Blended {
    #[inline]
    fn fast(&self, previous: [f32; N], current: [f32; N]) -> (Numbers, bool) {
        let t = self.0 as f32;
        let [x, y, cos, sin] = core::array::from_fn(|part| previous[part] + (current[part] - previous[part]) * t);
        let square = cos * cos + sin * sin;
        let scale = inverse_root_near_one(square);
        ([x, y, cos * scale, sin * scale], is_nearly_one(square))
    }

    /// Large turns need an exact root, and half a turn has no shorter way.
    fn exact(&self, previous: [f32; N], current: [f32; N]) -> Numbers {
        numbers(pose(first(previous)).blend(&pose(first(current)), self.0))
    }
}

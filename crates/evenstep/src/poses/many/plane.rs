//! Many poses in the plane: the numbers of a pose are its position, and cosine and sine of its angle.

use super::write::{Between, Blended, body, set_range, write, write_range};
use super::{Body, Out, Poses};
use crate::poses::{Pose2, Rot2};

fn numbers(pose: Pose2) -> [f32; 4] {
    let ([x, y], Rot2 { cos, sin }) = (pose.position, pose.rotation);
    [x, y, cos, sin]
}

fn pose([x, y, cos, sin]: [f32; 4]) -> Pose2 {
    Pose2::new([x, y], Rot2 { cos, sin })
}

// Field by field: whole structs are written with other instructions, one body at a time.
#[inline]
fn put_pose([x, y, cos, sin]: [f32; 4], out: &mut Pose2) {
    [out.position[0], out.position[1]] = [x, y];
    (out.rotation.cos, out.rotation.sin) = (cos, sin);
}

/// The columns of the matrix of a pose.
#[inline]
fn put_matrix([x, y, cos, sin]: [f32; 4], out: &mut [[f32; 2]; 3]) {
    *out = [[cos, sin], [-sin, cos], [x, y]];
}

/// The rotation of a pose.
#[inline]
fn turn([_, _, cos, sin]: [f32; 4]) -> [f32; 2] {
    [cos, sin]
}

impl Between<4> for Blended {
    #[inline]
    fn fast(&self, previous: [f32; 4], current: [f32; 4]) -> ([f32; 4], bool) {
        let [x, y] = core::array::from_fn(|part| previous[part] - (previous[part] - current[part]) * self.t);
        let ([cos, sin], is_near) = self.near.near_plane(turn(previous), turn(current));
        ([x, y, cos, sin], is_near)
    }

    /// Large turns need more terms.
    #[inline(always)]
    fn exact(&self, previous: [f32; 4], current: [f32; 4]) -> [f32; 4] {
        let ([x, y, cos, sin], is_near) = self.fast(previous, current);
        let far = self.far.plane(turn(previous), turn(current));
        // Without a branch, as in `fast`.
        let pick = |near, far| if is_near { near } else { far };
        [x, y, pick(cos, far[0]), pick(sin, far[1])]
    }
}

body!(Pose2: 4, [[f32; 2]; 3]);

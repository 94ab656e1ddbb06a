//! Many poses in space: the numbers of a pose are its position and its quaternion.

use super::write::{Between, Blended, body, set_range, write, write_range};
use super::{Body, Out, Poses};
use crate::poses::{Pose3, Quat};

fn numbers(pose: Pose3) -> [f32; 7] {
    let ([x, y, z], turn) = (pose.position, pose.rotation);
    [x, y, z, turn.x, turn.y, turn.z, turn.w]
}

fn pose([x, y, z, i, j, k, w]: [f32; 7]) -> Pose3 {
    Pose3::new([x, y, z], Quat::new(i, j, k, w))
}

#[inline]
fn put_pose([x, y, z, i, j, k, w]: [f32; 7], out: &mut Pose3) {
    [out.position[0], out.position[1], out.position[2]] = [x, y, z];
    let turn = &mut out.rotation;
    [turn.x, turn.y, turn.z, turn.w] = [i, j, k, w];
}

/// The matrix of a rotation by a quaternion and a translation (K. Shoemake, *Animating Rotation with Quaternion Curves*, 1985).
#[inline]
fn put_matrix([x, y, z, i, j, k, w]: [f32; 7], out: &mut [[f32; 4]; 4]) {
    let (i2, j2, k2) = (i + i, j + j, k + k);
    let (ii, jj, kk) = (i * i2, j * j2, k * k2);
    let (ij, ik, jk) = (i * j2, i * k2, j * k2);
    let (wi, wj, wk) = (w * i2, w * j2, w * k2);
    *out = [
        [1.0 - (jj + kk), ij + wk, ik - wj, 0.0],
        [ij - wk, 1.0 - (ii + kk), jk + wi, 0.0],
        [ik + wj, jk - wi, 1.0 - (ii + jj), 0.0],
        [x, y, z, 1.0],
    ];
}

/// The rotation of a pose.
#[inline]
fn turn([_, _, _, i, j, k, w]: [f32; 7]) -> [f32; 4] {
    [i, j, k, w]
}

impl Between<7> for Blended {
    #[inline]
    fn fast(&self, previous: [f32; 7], current: [f32; 7]) -> ([f32; 7], bool) {
        let [x, y, z] = core::array::from_fn(|part| previous[part] - (previous[part] - current[part]) * self.t);
        let ([i, j, k, w], is_near) = self.near.near_space(turn(previous), turn(current));
        ([x, y, z, i, j, k, w], is_near)
    }

    /// Large turns need more terms.
    #[inline(always)]
    fn exact(&self, previous: [f32; 7], current: [f32; 7]) -> [f32; 7] {
        let ([x, y, z, i, j, k, w], is_near) = self.fast(previous, current);
        let far = self.far.space(turn(previous), turn(current));
        // Without a branch, as in `fast`.
        let pick = |near, far| if is_near { near } else { far };
        [
            x,
            y,
            z,
            pick(i, far[0]),
            pick(j, far[1]),
            pick(k, far[2]),
            pick(w, far[3]),
        ]
    }
}

body!(Pose3: 7, [[f32; 4]; 4]);

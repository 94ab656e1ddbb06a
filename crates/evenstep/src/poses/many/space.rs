//! Many poses in space: the numbers of a pose are its position and its quaternion; velocities follow.

use super::Poses;
use super::body::{Blended, Body, MovingBody, Out, body, write_with};
use super::write::{Between, set_range, write, write_range};
use crate::drawing::Smoothing;
use crate::poses::{Motion3, Pose3, Quat};

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

fn motion_numbers(motion: Motion3) -> [f32; 13] {
    let [x, y, z, i, j, k, w] = numbers(motion.pose);
    let ([vx, vy, vz], [ax, ay, az]) = (motion.velocity, motion.angular_velocity);
    [x, y, z, i, j, k, w, vx, vy, vz, ax, ay, az]
}

fn motion([x, y, z, i, j, k, w, vx, vy, vz, ax, ay, az]: [f32; 13]) -> Motion3 {
    Motion3 {
        pose: pose([x, y, z, i, j, k, w]),
        velocity: [vx, vy, vz],
        angular_velocity: [ax, ay, az],
    }
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

/// The rotation of a state.
#[inline]
fn turn<const N: usize>(numbers: [f32; N]) -> [f32; 4] {
    core::array::from_fn(|part| numbers[3 + part])
}

impl<const N: usize> Between<N, 7> for Blended {
    #[inline]
    fn fast(&self, previous: [f32; N], current: [f32; N]) -> ([f32; 7], bool) {
        let [x, y, z] = core::array::from_fn(|part| previous[part] - (previous[part] - current[part]) * self.t);
        let ([i, j, k, w], is_near) = self.near.near_space(turn(previous), turn(current));
        ([x, y, z, i, j, k, w], is_near)
    }

    /// Large turns need more terms.
    #[inline(always)]
    fn exact(&self, previous: [f32; N], current: [f32; N]) -> [f32; 7] {
        let ([x, y, z, i, j, k, w], is_near): ([f32; 7], bool) = self.fast(previous, current);
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

body!(Pose3: 7, numbers, pose => Pose3, [[f32; 4]; 4]);
body!(#[inline] Motion3: 13, motion_numbers, motion => Pose3, [[f32; 4]; 4]);

impl MovingBody for Motion3 {
    #[inline]
    fn write_with(poses: &mut Poses<Self>, way: (Smoothing, f64, f64), out: &mut [Pose3]) {
        write_with(poses, way, out, |motion: Self| motion.pose, put_pose);
    }
}

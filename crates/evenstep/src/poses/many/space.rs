//! Many poses in space: the numbers of a pose are its position and its quaternion; velocities follow.

use super::blocks::Blocks;
use super::body::{Blended, Body, MovingBody, Out, Placed, write_with};
use super::write::{Between, Which, write, write_range};
use crate::drawing::Smoothing;
use crate::poses::{Motion3, Pose3, Quat};

/// Of a pose.
type Numbers = [f32; 7];

fn numbers(pose: Pose3) -> [f32; 7] {
    let ([x, y, z], turn) = (pose.position, pose.rotation);
    [x, y, z, turn.x, turn.y, turn.z, turn.w]
}

fn pose([x, y, z, i, j, k, w]: [f32; 7]) -> Pose3 {
    Pose3::new([x, y, z], Quat::new(i, j, k, w))
}

#[inline]
fn put_pose([x, y, z, i, j, k, w]: Numbers, out: &mut Pose3) {
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
fn put_matrix([x, y, z, i, j, k, w]: Numbers, out: &mut [[f32; 4]; 4]) {
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
    fn fast(&self, previous: [f32; N], current: [f32; N]) -> (Numbers, bool) {
        let [x, y, z] = core::array::from_fn(|part| previous[part] - (previous[part] - current[part]) * self.t);
        let ([i, j, k, w], is_near) = self.near.near_space(turn(previous), turn(current));
        ([x, y, z, i, j, k, w], is_near)
    }

    /// Large turns need more terms.
    #[inline(always)]
    fn exact(&self, previous: [f32; N], current: [f32; N]) -> Numbers {
        let ([x, y, z, i, j, k, w], is_near): (Numbers, bool) = self.fast(previous, current);
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

#[inline]
fn write_blended<const N: usize>(
    blocks: &mut Blocks<[f32; N]>,
    which: Which,
    alpha: f64,
    out: Out<'_, Pose3, [[f32; 4]; 4]>,
) {
    match out {
        Out::Poses(out) => write(blocks, out, which, alpha, &Blended::at(alpha), put_pose),
        Out::Matrices(out) => write(blocks, out, which, alpha, &Blended::at(alpha), put_matrix),
    }
}

#[inline]
fn write_blended_range<const N: usize>(
    blocks: &Blocks<[f32; N]>,
    start: usize,
    alpha: f64,
    out: Out<'_, Pose3, [[f32; 4]; 4]>,
) {
    match out {
        Out::Poses(out) => write_range(blocks, start, out, alpha, &Blended::at(alpha), put_pose),
        Out::Matrices(out) => write_range(blocks, start, out, alpha, &Blended::at(alpha), put_matrix),
    }
}

impl Placed<7> for Pose3 {
    #[inline]
    fn numbers(self) -> Numbers {
        numbers(self)
    }
}

impl Body for Pose3 {
    type Numbers = [f32; 7];
    type Pose = Pose3;
    type Matrix = [[f32; 4]; 4];

    #[inline]
    fn numbers(self) -> [f32; 7] {
        numbers(self)
    }

    #[inline]
    fn from_numbers(numbers: [f32; 7]) -> Self {
        pose(numbers)
    }

    fn set_range(blocks: &mut Blocks<Self::Numbers>, start: usize, states: &[Self]) {
        blocks.set_range(start, states, |state| numbers(*state));
    }

    fn write(blocks: &mut Blocks<Self::Numbers>, which: Which, alpha: f64, out: Out<'_, Self::Pose, Self::Matrix>) {
        write_blended(blocks, which, alpha, out);
    }

    fn write_range(blocks: &Blocks<Self::Numbers>, start: usize, alpha: f64, out: Out<'_, Self::Pose, Self::Matrix>) {
        write_blended_range(blocks, start, alpha, out);
    }
}

impl Body for Motion3 {
    type Numbers = [f32; 13];
    type Pose = Pose3;
    type Matrix = [[f32; 4]; 4];

    #[inline]
    fn numbers(self) -> [f32; 13] {
        motion_numbers(self)
    }

    #[inline]
    fn from_numbers(numbers: [f32; 13]) -> Self {
        motion(numbers)
    }

    #[inline]
    fn set_range(blocks: &mut Blocks<Self::Numbers>, start: usize, states: &[Self]) {
        blocks.set_range(start, states, |state| motion_numbers(*state));
    }

    #[inline]
    fn write(blocks: &mut Blocks<Self::Numbers>, which: Which, alpha: f64, out: Out<'_, Self::Pose, Self::Matrix>) {
        write_blended(blocks, which, alpha, out);
    }

    #[inline]
    fn write_range(blocks: &Blocks<Self::Numbers>, start: usize, alpha: f64, out: Out<'_, Self::Pose, Self::Matrix>) {
        write_blended_range(blocks, start, alpha, out);
    }
}

impl MovingBody for Motion3 {
    #[inline]
    fn write_with(
        blocks: &mut Blocks<Self::Numbers>,
        way: (Smoothing, f64, f64),
        out: Out<'_, Self::Pose, Self::Matrix>,
    ) {
        let pose = |motion: Self| motion.pose;
        match out {
            Out::Poses(out) => write_with(blocks, way, out, pose, put_pose),
            Out::Matrices(out) => write_with(blocks, way, out, pose, put_matrix),
        }
    }
}

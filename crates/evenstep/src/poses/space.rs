//! Many poses in space: the numbers of a pose are its position and its quaternion; velocities follow.

use super::blocks::{Block, Lanes, WIDTH, first};
use crate::rotation::{NEARLY_EQUAL, inverse_root_near_one, is_nearly_one};
use crate::{Blend as _, Motion3, Pose3, Quat};

/// Of a pose.
pub(super) type Numbers = [f32; 7];

pub(super) fn numbers(pose: Pose3) -> [f32; 7] {
    let ([x, y, z], turn) = (pose.position, pose.rotation);
    [x, y, z, turn.x, turn.y, turn.z, turn.w]
}

pub(super) fn pose([x, y, z, i, j, k, w]: [f32; 7]) -> Pose3 {
    Pose3::new([x, y, z], Quat::new(i, j, k, w))
}

#[inline]
pub(super) fn put_pose([x, y, z, i, j, k, w]: Numbers, out: &mut Pose3) {
    [out.position[0], out.position[1], out.position[2]] = [x, y, z];
    let turn = &mut out.rotation;
    [turn.x, turn.y, turn.z, turn.w] = [i, j, k, w];
}

pub(super) fn motion_numbers(motion: Motion3) -> [f32; 13] {
    let [x, y, z, i, j, k, w] = numbers(motion.pose);
    let ([vx, vy, vz], [ax, ay, az]) = (motion.velocity, motion.angular_velocity);
    [x, y, z, i, j, k, w, vx, vy, vz, ax, ay, az]
}

pub(super) fn motion([x, y, z, i, j, k, w, vx, vy, vz, ax, ay, az]: [f32; 13]) -> Motion3 {
    Motion3 {
        pose: pose([x, y, z, i, j, k, w]),
        velocity: [vx, vy, vz],
        angular_velocity: [ax, ay, az],
    }
}

/// The matrix of a rotation by a quaternion and a translation (K. Shoemake, *Animating Rotation with Quaternion Curves*, 1985).
#[inline]
pub(super) fn put_matrix([x, y, z, i, j, k, w]: Numbers, out: &mut [[f32; 4]; 4]) {
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

/// As [`Pose3`] blends, for a block.
// A function of its own, so that what the compiler makes of it can be looked at: xtask/src/assembly.rs.
#[inline(never)]
pub(super) fn blend<const N: usize>(block: &Block<N>, alpha: f64, out: &mut Lanes<7>) {
    let t = alpha as f32;
    let [px, py, pz, pi, pj, pk, pw] = first(&block.previous);
    let [cx, cy, cz, ci, cj, ck, cw] = first(&block.current);
    let [x, y, z, i, j, k, w] = out;
    let mut far = 0;
    for place in 0..WIDTH {
        let between =
            |previous: &[f32; WIDTH], current: &[f32; WIDTH]| previous[place] + (current[place] - previous[place]) * t;
        (x[place], y[place], z[place]) = (between(px, cx), between(py, cy), between(pz, cz));
        let a = [pi[place], pj[place], pk[place], pw[place]];
        let b = [ci[place], cj[place], ck[place], cw[place]];
        let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        // A quaternion and its negative are the same rotation; the nearer of the two is the shorter way.
        let (rest, way) = (1.0 - t, t.copysign(dot));
        let sum: [f32; 4] = core::array::from_fn(|part| a[part] * rest + b[part] * way);
        let square = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3];
        far |= u32::from(dot.abs() <= NEARLY_EQUAL) | u32::from(!is_nearly_one(square));
        let scale = inverse_root_near_one(square);
        (i[place], j[place]) = (sum[0] * scale, sum[1] * scale);
        (k[place], w[place]) = (sum[2] * scale, sum[3] * scale);
    }
    if far > 0 {
        turn_each(block, alpha, out);
    }
}

/// Large turns go along an arc instead of a line.
#[cold]
#[inline(never)]
fn turn_each<const N: usize>(block: &Block<N>, alpha: f64, out: &mut Lanes<7>) {
    for place in 0..WIDTH {
        let rotation = |lanes: &Lanes<N>| Quat::new(lanes[3][place], lanes[4][place], lanes[5][place], lanes[6][place]);
        let Quat { x, y, z, w } = rotation(&block.previous).blend(&rotation(&block.current), alpha);
        for (lane, number) in out[3..].iter_mut().zip([x, y, z, w]) {
            lane[place] = number;
        }
    }
}

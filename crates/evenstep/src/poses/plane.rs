//! Many poses in the plane: the numbers of a pose are its position, and cosine and sine of its angle; velocities follow.

use super::blocks::{Block, Lanes, WIDTH, first};
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

/// As [`Pose2`] blends, for a block.
// A function of its own, so that what the compiler makes of it can be looked at: xtask/src/assembly.rs.
#[inline(never)]
pub(super) fn blend<const N: usize>(block: &Block<N>, alpha: f64, out: &mut Lanes<4>) {
    let t = alpha as f32;
    let ([px, py, pc, ps], [cx, cy, cc, cs]) = (first(&block.previous), first(&block.current));
    let [x, y, cosines, sines] = out;
    let mut far = 0;
    for place in 0..WIDTH {
        let between =
            |previous: &[f32; WIDTH], current: &[f32; WIDTH]| previous[place] + (current[place] - previous[place]) * t;
        (x[place], y[place]) = (between(px, cx), between(py, cy));
        let (cos, sin) = (between(pc, cc), between(ps, cs));
        let square = cos * cos + sin * sin;
        far |= u32::from(!is_nearly_one(square));
        let scale = inverse_root_near_one(square);
        (cosines[place], sines[place]) = (cos * scale, sin * scale);
    }
    if far > 0 {
        turn_each(block, alpha, out);
    }
}

/// Large turns need an exact root, and half a turn has no shorter way: the blend of one body knows what to do.
#[cold]
#[inline(never)]
fn turn_each<const N: usize>(block: &Block<N>, alpha: f64, out: &mut Lanes<4>) {
    let [_, _, cosines, sines] = out;
    for (place, (cos, sin)) in cosines.iter_mut().zip(sines).enumerate() {
        let rotation = |lanes: &Lanes<N>| Rot2 {
            cos: lanes[2][place],
            sin: lanes[3][place],
        };
        let blended = rotation(&block.previous).blend(&rotation(&block.current), alpha);
        (*cos, *sin) = (blended.cos, blended.sin);
    }
}

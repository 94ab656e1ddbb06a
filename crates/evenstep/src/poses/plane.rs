//! Many poses in the plane: the numbers of a pose are its position, and cosine and sine of its angle; velocities follow.

use super::blocks::{Block, Lanes, WIDTH, blend_numbers};
use crate::{Blend as _, Motion2, Pose2, Rot2, math};

/// Of a pose.
pub(super) type Numbers = [f32; 4];

pub(super) fn numbers(pose: Pose2) -> [f32; 4] {
    let ([x, y], Rot2 { cos, sin }) = (pose.position, pose.rotation);
    [x, y, cos, sin]
}

pub(super) fn pose([x, y, cos, sin]: [f32; 4]) -> Pose2 {
    Pose2::new([x, y], Rot2 { cos, sin })
}

/// The columns of the matrix of a pose.
pub(super) fn matrix([x, y, cos, sin]: [f32; 4]) -> [[f32; 2]; 3] {
    [[cos, sin], [-sin, cos], [x, y]]
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
    for (out, (previous, current)) in out.iter_mut().zip(block.lanes()) {
        blend_numbers(previous, current, t, out);
    }
    let [_, _, cosines, sines] = out;
    let mut half_turns = 0;
    for place in 0..WIDTH {
        let (cos, sin) = (cosines[place], sines[place]);
        let length = math::sqrt(cos * cos + sin * sin);
        half_turns |= u32::from(length < 1e-3);
        let scale = 1.0 / length;
        (cosines[place], sines[place]) = (cos * scale, sin * scale);
    }
    if half_turns > 0 {
        turn_each(block, alpha, out);
    }
}

/// Half a turn has no shorter way: the blend of one body knows what to do.
#[cold]
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

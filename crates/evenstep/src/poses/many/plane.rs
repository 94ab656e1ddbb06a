//! Many poses in the plane: the numbers of a pose are its position, and cosine and sine of its angle; velocities follow.

use super::blocks::Blocks;
use super::body::{Blended, Body, MovingBody, Out, Placed, write_with};
use super::write::{Between, Which, write, write_range};
use crate::drawing::Smoothing;
use crate::poses::{Motion2, Pose2, Rot2};

/// Of a pose.
type Numbers = [f32; 4];

fn numbers(pose: Pose2) -> [f32; 4] {
    let ([x, y], Rot2 { cos, sin }) = (pose.position, pose.rotation);
    [x, y, cos, sin]
}

fn pose([x, y, cos, sin]: [f32; 4]) -> Pose2 {
    Pose2::new([x, y], Rot2 { cos, sin })
}

// Field by field: whole structs are written with other instructions, one body at a time.
#[inline]
fn put_pose([x, y, cos, sin]: Numbers, out: &mut Pose2) {
    [out.position[0], out.position[1]] = [x, y];
    (out.rotation.cos, out.rotation.sin) = (cos, sin);
}

/// The columns of the matrix of a pose.
#[inline]
fn put_matrix([x, y, cos, sin]: Numbers, out: &mut [[f32; 2]; 3]) {
    *out = [[cos, sin], [-sin, cos], [x, y]];
}

fn motion_numbers(motion: Motion2) -> [f32; 7] {
    let ([x, y, cos, sin], [vx, vy]) = (numbers(motion.pose), motion.velocity);
    [x, y, cos, sin, vx, vy, motion.angular_velocity]
}

fn motion([x, y, cos, sin, vx, vy, angular_velocity]: [f32; 7]) -> Motion2 {
    Motion2 {
        pose: pose([x, y, cos, sin]),
        velocity: [vx, vy],
        angular_velocity,
    }
}

/// The rotation of a state.
#[inline]
fn turn<const N: usize>(numbers: [f32; N]) -> [f32; 2] {
    [numbers[2], numbers[3]]
}

impl<const N: usize> Between<N, 4> for Blended {
    #[inline]
    fn fast(&self, previous: [f32; N], current: [f32; N]) -> (Numbers, bool) {
        let [x, y] = core::array::from_fn(|part| previous[part] - (previous[part] - current[part]) * self.t);
        let ([cos, sin], is_near) = self.near.near_plane(turn(previous), turn(current));
        ([x, y, cos, sin], is_near)
    }

    /// Large turns need more terms.
    #[inline(always)]
    fn exact(&self, previous: [f32; N], current: [f32; N]) -> Numbers {
        let ([x, y, cos, sin], is_near): (Numbers, bool) = self.fast(previous, current);
        let far = self.far.plane(turn(previous), turn(current));
        // Without a branch, as in `fast`.
        let pick = |near, far| if is_near { near } else { far };
        [x, y, pick(cos, far[0]), pick(sin, far[1])]
    }
}

#[inline]
fn write_blended<const N: usize>(
    blocks: &mut Blocks<[f32; N]>,
    which: Which,
    alpha: f64,
    out: Out<'_, Pose2, [[f32; 2]; 3]>,
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
    out: Out<'_, Pose2, [[f32; 2]; 3]>,
) {
    match out {
        Out::Poses(out) => write_range(blocks, start, out, alpha, &Blended::at(alpha), put_pose),
        Out::Matrices(out) => write_range(blocks, start, out, alpha, &Blended::at(alpha), put_matrix),
    }
}

impl Placed<4> for Pose2 {
    #[inline]
    fn numbers(self) -> Numbers {
        numbers(self)
    }
}

impl Body for Pose2 {
    type Numbers = [f32; 4];
    type Pose = Pose2;
    type Matrix = [[f32; 2]; 3];

    #[inline]
    fn numbers(self) -> [f32; 4] {
        numbers(self)
    }

    #[inline]
    fn from_numbers(numbers: [f32; 4]) -> Self {
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

impl Body for Motion2 {
    type Numbers = [f32; 7];
    type Pose = Pose2;
    type Matrix = [[f32; 2]; 3];

    #[inline]
    fn numbers(self) -> [f32; 7] {
        motion_numbers(self)
    }

    #[inline]
    fn from_numbers(numbers: [f32; 7]) -> Self {
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

impl MovingBody for Motion2 {
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

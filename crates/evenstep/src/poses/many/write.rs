//! Writes the poses of neighbours, and the drawn poses of blocks: several bodies at a time where that is exact, and only blocks that moved.

use super::blocks::{Block, Lanes, Marks, Numbers, WIDTH, at, mark, within_blocks};
use super::{Body, Poses};
use crate::poses::slerp::{FarSlerp, Slerp};

/// As poses blend, at an alpha between 0 and 1.
pub(super) struct Blended {
    pub(super) t: f32,
    pub(super) near: Slerp,
    pub(super) far: FarSlerp,
}

impl Blended {
    pub(super) fn at(alpha: f64) -> Self {
        let t = alpha as f32;
        Self {
            t,
            near: Slerp::at(t),
            far: FarSlerp::at(t),
        }
    }
}

/// How bodies are drawn between two poses.
pub(super) trait Between<const N: usize> {
    /// One body, and whether that is exact. It runs for several at once if it has no branches.
    fn fast(&self, previous: [f32; N], current: [f32; N]) -> ([f32; N], bool);

    /// One body, if not all of its block were exact.
    fn exact(&self, previous: [f32; N], current: [f32; N]) -> [f32; N];
}

/// Sets the poses of neighbouring bodies after the step, from `start` on.
#[inline]
pub(super) fn set_range<S: Body>(poses: &mut Poses<S>, start: usize, states: &[S]) {
    let mut rest = states;
    for (block, places) in within_blocks(start, poses.len, states.len()) {
        let (states, others) = rest.split_at(places.len());
        let current = &mut poses.touch(block).current;
        for (place, state) in places.zip(states) {
            state.numbers().put(current, place);
        }
        rest = others;
    }
}

/// Writes the drawn poses at `alpha` of the bodies that have moved since all were written last: blended, or unchanged at either end and for
/// bodies that have teleported. `shape` writes a body's numbers in their layout.
#[inline]
pub(super) fn write<S: Body<Numbers = [f32; N]>, const N: usize, T>(
    poses: &mut Poses<S>,
    out: &mut [T],
    alpha: f64,
    shape: impl Fn([f32; N], &mut T),
) where
    Blended: Between<N>,
{
    let len = poses.len.min(out.len());
    let Some(since) = poses.begin_drawing(len) else {
        return;
    };
    let between = Blended::at(alpha);
    for (number, out) in out[..len].chunks_mut(WIDTH).enumerate() {
        if poses.moved_in[number] >= since {
            poses.blocks[number].write(0, out, poses.moved(number), alpha, &between, &shape);
        }
    }
}

/// Writes neighbouring bodies from `start` on, whether they have moved or not. They do not count as drawn.
#[inline]
pub(super) fn write_range<S: Body<Numbers = [f32; N]>, const N: usize, T>(
    poses: &Poses<S>,
    start: usize,
    out: &mut [T],
    alpha: f64,
    shape: impl Fn([f32; N], &mut T),
) where
    Blended: Between<N>,
{
    let (between, count) = (Blended::at(alpha), out.len());
    let mut rest = out;
    for (number, places) in within_blocks(start, poses.len, count) {
        let (out, others) = core::mem::take(&mut rest).split_at_mut(places.len());
        let (block, moved) = (&poses.blocks[number], poses.moved(number));
        block.write(places.start, out, moved, alpha, &between, &shape);
        rest = others;
    }
}

/// Implements [`Body`] for a pose that is stored as `$count` numbers. The module that uses it has the functions that convert the pose and
/// write poses and matrices.
macro_rules! body {
    ($pose:ty: $count:literal, $matrix:ty) => {
        impl Body for $pose {
            type Numbers = [f32; $count];
            type Matrix = $matrix;

            #[inline]
            fn numbers(self) -> [f32; $count] {
                numbers(self)
            }

            #[inline]
            fn from_numbers(numbers: [f32; $count]) -> Self {
                pose(numbers)
            }

            fn set_range(poses: &mut Poses<Self>, start: usize, states: &[Self]) {
                set_range(poses, start, states);
            }

            fn write(poses: &mut Poses<Self>, alpha: f64, out: Out<'_, Self, $matrix>) {
                match out {
                    Out::Poses(out) => write(poses, out, alpha, put_pose),
                    Out::Matrices(out) => write(poses, out, alpha, put_matrix),
                }
            }

            fn write_range(poses: &Poses<Self>, start: usize, alpha: f64, out: Out<'_, Self, $matrix>) {
                match out {
                    Out::Poses(out) => write_range(poses, start, out, alpha, put_pose),
                    Out::Matrices(out) => write_range(poses, start, out, alpha, put_matrix),
                }
            }
        }
    };
}
pub(super) use body;

impl<const N: usize> Block<Lanes<N>>
where
    Blended: Between<N>,
{
    /// Writes the bodies from a place on. If the block has moved, some of them may have teleported.
    #[inline]
    fn write<T>(
        &self,
        start: usize,
        out: &mut [T],
        moved: Option<Marks>,
        alpha: f64,
        between: &Blended,
        shape: &impl Fn([f32; N], &mut T),
    ) {
        let Some(teleported) = moved.filter(|_| alpha < 1.0 || alpha.is_nan()) else {
            return interleave(&self.current, start, out, shape);
        };
        if alpha <= 0.0 {
            return interleave(&self.previous, start, out, shape);
        }
        if start > 0 || !self.write_fast(out, between, shape) {
            self.write_exact(start, out, between, shape);
        }
        if teleported != 0 {
            self.write_teleported(start, out, teleported, shape);
        }
    }

    /// Writes the bodies from a row on, by any angle of rotation.
    // As `write_fast`; what it calls is always inlined for that.
    #[inline(never)]
    fn write_exact<T>(&self, start: usize, out: &mut [T], between: &Blended, shape: &impl Fn([f32; N], &mut T)) {
        for (place, out) in (start..WIDTH).zip(out) {
            shape(between.exact(at(&self.previous, place), at(&self.current, place)), out);
        }
    }

    /// Writes the block from its first body on. Returns whether all are exact.
    // Not inlined, so that the compiler vectorises the loop by itself; `cargo xtask instructions` notices if it does not.
    #[inline(never)]
    fn write_fast<T>(&self, out: &mut [T], between: &Blended, shape: &impl Fn([f32; N], &mut T)) -> bool {
        let mut inexact = 0;
        for (place, out) in (0..WIDTH).zip(out) {
            let (numbers, is_exact) = between.fast(at(&self.previous, place), at(&self.current, place));
            inexact |= u32::from(!is_exact);
            shape(numbers, out);
        }
        inexact == 0
    }

    /// Writes bodies that teleported at their new places.
    fn write_teleported<T>(&self, start: usize, out: &mut [T], marks: Marks, shape: &impl Fn([f32; N], &mut T)) {
        for (place, out) in (start..WIDTH).zip(out) {
            if marks & mark(place) != 0 {
                shape(at(&self.current, place), out);
            }
        }
    }
}

/// Brings the numbers of bodies, which lie side by side, into their places.
#[inline]
fn interleave<const N: usize, T>(lanes: &Lanes<N>, start: usize, out: &mut [T], shape: &impl Fn([f32; N], &mut T)) {
    for (place, out) in (start..WIDTH).zip(out) {
        shape(at(lanes, place), out);
    }
}

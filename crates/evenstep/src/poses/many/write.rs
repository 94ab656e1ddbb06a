//! Writes the states of neighbours, and the drawn poses of blocks: several bodies at a time where that is exact, and only blocks that moved.

use super::blocks::{Block, Lanes, Marks, Numbers, WIDTH, at, mark, within_blocks};
use super::{Body, Poses};

/// How bodies are drawn between two states.
pub(super) trait Between<const N: usize, const M: usize> {
    /// One body, and whether that is exact. It runs for several at once if it has no branches.
    fn fast(&self, previous: [f32; N], current: [f32; N]) -> ([f32; M], bool);

    /// One body, if not all of its block were exact.
    fn exact(&self, previous: [f32; N], current: [f32; N]) -> [f32; M];
}

/// One body at a time, by a function of its two states.
pub(super) struct Each<F>(pub(super) F);

impl<const N: usize, const M: usize, F: Fn([f32; N], [f32; N]) -> [f32; M]> Between<N, M> for Each<F> {
    #[inline]
    fn fast(&self, previous: [f32; N], current: [f32; N]) -> ([f32; M], bool) {
        (self.exact(previous, current), true)
    }

    #[inline]
    fn exact(&self, previous: [f32; N], current: [f32; N]) -> [f32; M] {
        self.0(previous, current)
    }
}

/// Sets the states of neighbouring bodies after the step, from `start` on.
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

/// Writes the drawn poses at `alpha` of the bodies that have moved since all were written last: the first `M` of their numbers, blended, or
/// unchanged at either end and for bodies that have teleported, unless these are drawn `ahead` of both states. `shape` writes a body's
/// numbers in their layout.
#[inline]
pub(super) fn write<S: Body<Numbers = [f32; N]>, const N: usize, const M: usize, T>(
    poses: &mut Poses<S>,
    out: &mut [T],
    alpha: f64,
    ahead: bool,
    between: &impl Between<N, M>,
    shape: impl Fn([f32; M], &mut T),
) {
    let len = poses.len.min(out.len());
    let Some(since) = poses.begin_drawing(len) else {
        return;
    };
    for (number, out) in out[..len].chunks_mut(WIDTH).enumerate() {
        if poses.moved_in[number] >= since {
            let moved = poses.moved(number).map(|marks| if ahead { 0 } else { marks });
            poses.blocks[number].write(0, out, moved, alpha, between, &shape);
        }
    }
}

/// Writes neighbouring bodies from `start` on, whether they have moved or not. They do not count as drawn.
#[inline]
pub(super) fn write_range<S: Body<Numbers = [f32; N]>, const N: usize, const M: usize, T>(
    poses: &Poses<S>,
    start: usize,
    out: &mut [T],
    alpha: f64,
    between: &impl Between<N, M>,
    shape: impl Fn([f32; M], &mut T),
) {
    let count = out.len();
    let mut rest = out;
    for (number, places) in within_blocks(start, poses.len, count) {
        let (out, others) = core::mem::take(&mut rest).split_at_mut(places.len());
        let (block, moved) = (&poses.blocks[number], poses.moved(number));
        block.write(places.start, out, moved, alpha, between, &shape);
        rest = others;
    }
}

impl<const N: usize> Block<Lanes<N>> {
    /// Writes the bodies from a place on. If the block has moved, some of them may have teleported.
    #[inline]
    fn write<const M: usize, T>(
        &self,
        start: usize,
        out: &mut [T],
        moved: Option<Marks>,
        alpha: f64,
        between: &impl Between<N, M>,
        shape: &impl Fn([f32; M], &mut T),
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

    /// Writes the bodies from a place on, whatever their turns.
    // As `write_fast`; what it calls is always inlined for that.
    #[inline(never)]
    fn write_exact<const M: usize, T>(
        &self,
        start: usize,
        out: &mut [T],
        between: &impl Between<N, M>,
        shape: &impl Fn([f32; M], &mut T),
    ) {
        for (place, out) in (start..WIDTH).zip(out) {
            shape(between.exact(at(&self.previous, place), at(&self.current, place)), out);
        }
    }

    /// Writes the block from its first body on. Returns whether all are exact.
    // Not inlined, so that the compiler vectorises the loop by itself; `cargo xtask instructions` notices if it does not.
    #[inline(never)]
    fn write_fast<const M: usize, T>(
        &self,
        out: &mut [T],
        between: &impl Between<N, M>,
        shape: &impl Fn([f32; M], &mut T),
    ) -> bool {
        let mut inexact = 0;
        for (place, out) in (0..WIDTH).zip(out) {
            let (numbers, is_exact) = between.fast(at(&self.previous, place), at(&self.current, place));
            inexact |= u32::from(!is_exact);
            shape(numbers, out);
        }
        inexact == 0
    }

    /// Writes bodies that teleported at their new places.
    fn write_teleported<const M: usize, T>(
        &self,
        start: usize,
        out: &mut [T],
        marks: Marks,
        shape: &impl Fn([f32; M], &mut T),
    ) {
        for (place, out) in (start..WIDTH).zip(out) {
            if marks & mark(place) != 0 {
                shape(first(at(&self.current, place)), out);
            }
        }
    }
}

/// The first `M` of `N`.
#[inline]
fn first<const N: usize, const M: usize, T: Copy>(of: [T; N]) -> [T; M] {
    const { assert!(M <= N, "the drawn numbers are the first numbers of a state") };
    core::array::from_fn(|part| of[part])
}

/// Brings the numbers of bodies, which lie side by side, into their places.
#[inline]
fn interleave<const N: usize, const M: usize, T>(
    lanes: &Lanes<N>,
    start: usize,
    out: &mut [T],
    shape: &impl Fn([f32; M], &mut T),
) {
    for (place, out) in (start..WIDTH).zip(out) {
        shape(first(at(lanes, place)), out);
    }
}

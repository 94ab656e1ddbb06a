//! Writes the drawn poses of blocks: several bodies at a time where that is exact, and only blocks that moved.

use super::blocks::{Block, Blocks, Lanes, Marks, Numbers as _, WIDTH, mark, within_blocks};

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

/// Writes the drawn poses at `alpha` of the bodies that have moved since all were written last: the first `M` of their numbers, blended, or
/// unchanged at either end and for bodies that have teleported. `shape` writes a body's numbers in their layout.
#[inline]
pub(super) fn write<const N: usize, const M: usize, T>(
    blocks: &mut Blocks<[f32; N]>,
    out: &mut [T],
    alpha: f64,
    between: &impl Between<N, M>,
    shape: impl Fn([f32; M], &mut T),
) {
    write_moved(blocks, out, alpha, between, &shape);
    write_jumps(blocks, out, alpha, shape);
}

/// The same without regard to teleports: for values that do not lie between two states.
#[inline]
pub(super) fn write_moved<const N: usize, const M: usize, T>(
    blocks: &mut Blocks<[f32; N]>,
    out: &mut [T],
    alpha: f64,
    between: &impl Between<N, M>,
    shape: impl Fn([f32; M], &mut T),
) {
    let (len, step) = (blocks.len.min(out.len()), blocks.step);
    let Some(since) = blocks.begin_drawing(len) else {
        return;
    };
    let blocks = blocks.blocks.iter().zip(&blocks.moved_in);
    for ((block, moved_in), out) in blocks.zip(out[..len].chunks_mut(WIDTH)) {
        if *moved_in >= since {
            block.write(0, out, *moved_in == step, alpha, between, &shape);
        }
    }
}

/// Writes bodies that teleported at their new poses, if alpha is above 0.
fn write_jumps<const N: usize, const M: usize, T>(
    blocks: &Blocks<[f32; N]>,
    out: &mut [T],
    alpha: f64,
    shape: impl Fn([f32; M], &mut T),
) {
    if alpha <= 0.0 || blocks.any_jumped_in != blocks.step {
        return;
    }
    let marks = blocks.moved_in.iter().zip(&blocks.teleported);
    let bodies = blocks.blocks.iter().zip(marks).zip(out.chunks_mut(WIDTH));
    for ((block, (moved_in, marks)), out) in bodies {
        if *moved_in == blocks.step && *marks != 0 {
            block.write_jumped(0, out, *marks, &shape);
        }
    }
}

/// Writes neighbouring bodies from `start` on, whether they have moved or not. They do not count as drawn.
#[inline]
pub(super) fn write_range<const N: usize, const M: usize, T>(
    blocks: &Blocks<[f32; N]>,
    start: usize,
    out: &mut [T],
    alpha: f64,
    between: &impl Between<N, M>,
    shape: impl Fn([f32; M], &mut T),
) {
    let count = out.len();
    let mut rest = out;
    for (number, places) in within_blocks(start, blocks.len, count) {
        let (out, others) = core::mem::take(&mut rest).split_at_mut(places.len());
        let (block, marks) = (&blocks.blocks[number], blocks.teleported[number]);
        let has_moved = blocks.moved_in[number] == blocks.step;
        block.write(places.start, out, has_moved, alpha, between, &shape);
        if has_moved && marks != 0 && alpha > 0.0 {
            block.write_jumped(places.start, out, marks, &shape);
        }
        rest = others;
    }
}

impl<const N: usize> Block<Lanes<N>> {
    /// Writes the bodies from a place on.
    #[inline]
    fn write<const M: usize, T>(
        &self,
        start: usize,
        out: &mut [T],
        has_moved: bool,
        alpha: f64,
        between: &impl Between<N, M>,
        shape: &impl Fn([f32; M], &mut T),
    ) {
        if alpha >= 1.0 || !has_moved {
            interleave(&self.current, start, out, shape);
        } else if alpha <= 0.0 {
            interleave(&self.previous, start, out, shape);
        } else if start > 0 || !self.write_fast(out, between, shape) {
            self.write_exact(start, out, between, shape);
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
            shape(
                between.exact(
                    <[f32; N]>::at(&self.previous, place),
                    <[f32; N]>::at(&self.current, place),
                ),
                out,
            );
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
            let (numbers, is_exact) = between.fast(
                <[f32; N]>::at(&self.previous, place),
                <[f32; N]>::at(&self.current, place),
            );
            inexact |= u32::from(!is_exact);
            shape(numbers, out);
        }
        inexact == 0
    }

    /// Writes bodies that teleported at their new places.
    fn write_jumped<const M: usize, T>(
        &self,
        start: usize,
        out: &mut [T],
        marks: Marks,
        shape: &impl Fn([f32; M], &mut T),
    ) {
        for (place, out) in (start..WIDTH).zip(out) {
            if marks & mark(place) != 0 {
                shape(first(<[f32; N]>::at(&self.current, place)), out);
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
        shape(first(<[f32; N]>::at(lanes, place)), out);
    }
}

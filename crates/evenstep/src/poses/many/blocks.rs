//! States of many bodies before and after a step, in blocks whose numbers lie side by side.

use alloc::vec::Vec;
use core::ops::Range;

/// Bodies in a block: beyond the caches, the processor reads the next one while it still writes a small one. As many as
/// [`Marks`] has bits.
const WIDTH: usize = Marks::BITS as usize;

/// A bit for each body of a block.
type Marks = u32;

/// Bodies that a thread takes at least.
#[cfg(feature = "rayon")]
const LEAST_PER_THREAD: usize = 8192;

/// The numbers of a block's bodies: those of one kind next to each other, so that a loop over them works on several at once.
type Lanes<const N: usize> = [[f32; WIDTH]; N];

/// Blocks of states of `N` numbers each.
#[derive(Clone, Debug)]
pub struct Blocks<const N: usize> {
    blocks: Vec<Block<N>>,
    len: usize,
    /// The number of the last step.
    step: u64,
    /// The step in which a body of each block was set last. Before the last one, its previous states are no longer true: it
    /// rests where it is.
    moved_in: Vec<u64>,
    /// The same of all blocks.
    any_moved_in: u64,
    /// The step after which all were drawn last.
    drawn_in: u64,
    /// The bodies of each block that jumped in the step in which the block moved last: they are not drawn between its states.
    jumped: Vec<Marks>,
    /// The step in which a body jumped last.
    any_jumped_in: u64,
}

#[derive(Clone, Debug)]
#[repr(align(64))]
struct Block<const N: usize> {
    previous: Lanes<N>,
    current: Lanes<N>,
}

impl<const N: usize> Blocks<N> {
    pub(super) const fn new() -> Self {
        Self {
            blocks: Vec::new(),
            len: 0,
            step: 1,
            moved_in: Vec::new(),
            any_moved_in: 0,
            drawn_in: 0,
            jumped: Vec::new(),
            any_jumped_in: 0,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, state: [f32; N]) -> usize {
        let index = self.len;
        if index.is_multiple_of(WIDTH) {
            // Places that are not taken yet are blended with the others: as this body, which is as fast as any.
            let all = state.map(|number| [number; WIDTH]);
            self.blocks.push(Block {
                previous: all,
                current: all,
            });
            self.moved_in.push(self.step);
            self.jumped.push(0);
            self.any_moved_in = self.step;
        }
        self.len += 1;
        self.reset(index, state);
        index
    }

    /// Removes a body; the last one takes its place.
    pub(super) fn swap_remove(&mut self, index: usize) -> Option<[f32; N]> {
        let removed = self.current(index)?;
        let last = self.len - 1;
        if let (Some(previous), Some(current)) = (self.previous(last), self.current(last)) {
            let has_jumped = self.has_jumped(last);
            self.put(index, previous, current);
            self.mark(index, has_jumped);
        }
        // Nobody has jumped to a place that is free.
        self.mark(last, false);
        self.len = last;
        let blocks = last.div_ceil(WIDTH);
        self.blocks.truncate(blocks);
        self.moved_in.truncate(blocks);
        self.jumped.truncate(blocks);
        Some(removed)
    }

    pub(super) fn current(&self, index: usize) -> Option<[f32; N]> {
        (index < self.len).then(|| at(&self.blocks[index / WIDTH].current, index % WIDTH))
    }

    pub(super) fn previous(&self, index: usize) -> Option<[f32; N]> {
        let block = index / WIDTH;
        if index < self.len && self.moved_in[block] == self.step {
            Some(at(&self.blocks[block].previous, index % WIDTH))
        } else {
            self.current(index)
        }
    }

    /// Begins a step. What was current becomes what was previous when a block is next written to: until then, it rests.
    pub(super) fn begin_step(&mut self) {
        self.step += 1;
    }

    /// Begins to draw the first `len` bodies. Blocks that moved in the step that it answers with, or later, are not as they
    /// were drawn last: what came to rest is drawn once more. None if there are no such blocks.
    fn begin_drawing(&mut self, len: usize, all: bool) -> Option<u64> {
        let since = if all { 0 } else { self.drawn_in };
        if len == self.len {
            self.drawn_in = self.step;
        }
        (self.any_moved_in >= since).then_some(since)
    }

    /// Puts all bodies back to where a copy has them. Steps are counted on, and all have moved in this one: whoever has drawn
    /// them, or handed them on, knows nothing of any.
    pub(super) fn restore(&mut self, saved: &Self) {
        let step = self.step.max(saved.step) + 1;
        self.clone_from(saved);
        let marks = self.moved_in.iter_mut().zip(&mut self.jumped);
        for (block, (moved_in, jumped)) in self.blocks.iter_mut().zip(marks) {
            if *moved_in != saved.step {
                block.previous = block.current;
                *jumped = 0;
            }
            *moved_in = step;
        }
        if self.any_jumped_in == saved.step {
            self.any_jumped_in = step;
        }
        (self.step, self.any_moved_in) = (step, step);
    }

    pub(super) const fn step(&self) -> u64 {
        self.step
    }

    /// Ranges of bodies of which some were set in a step or later.
    pub(super) fn moved_since(&self, step: u64) -> impl Iterator<Item = Range<usize>> {
        let chunks = self
            .moved_in
            .chunk_by(move |one, next| (*one >= step) == (*next >= step));
        let mut end = 0;
        chunks.filter_map(move |blocks| {
            let start = end;
            end = self.len.min(start + blocks.len() * WIDTH);
            (blocks[0] >= step).then_some(start..end)
        })
    }

    /// Where a body is after the step.
    #[inline]
    pub(super) fn set(&mut self, index: usize, state: [f32; N]) {
        if index < self.len {
            let block = self.touch(index / WIDTH);
            for (lane, value) in block.current.iter_mut().zip(state) {
                lane[index % WIDTH] = value;
            }
        }
    }

    /// Where the first bodies are after the step, of whose states `numbers` are the numbers.
    #[inline]
    pub(super) fn set_all<T>(&mut self, states: &[T], numbers: impl Fn(&T) -> [f32; N]) {
        let len = self.len.min(states.len());
        for (block, states) in states[..len].chunks(WIDTH).enumerate() {
            let current = &mut self.touch(block).current;
            for (place, state) in (0..WIDTH).zip(states) {
                for (lane, value) in current.iter_mut().zip(numbers(state)) {
                    lane[place] = value;
                }
            }
        }
    }

    /// A block that is about to move: what is current becomes what was previous, if the step has not done so yet.
    #[inline]
    fn touch(&mut self, block: usize) -> &mut Block<N> {
        let (states, moved_in) = (&mut self.blocks[block], &mut self.moved_in[block]);
        if *moved_in != self.step {
            states.previous = states.current;
            self.jumped[block] = 0;
            *moved_in = self.step;
            self.any_moved_in = self.step;
        }
        states
    }

    /// Where a body is that has jumped there.
    pub(super) fn teleport(&mut self, index: usize, state: [f32; N]) {
        if index < self.len {
            self.set(index, state);
            self.mark(index, true);
            self.any_jumped_in = self.step;
        }
    }

    /// Where a body is that comes in place of another.
    pub(super) fn reset(&mut self, index: usize, state: [f32; N]) {
        self.put(index, state, state);
        self.mark(index, false);
    }

    pub(super) fn has_jumped(&self, index: usize) -> bool {
        let block = index / WIDTH;
        index < self.len && self.moved_in[block] == self.step && self.jumped[block] & mark(index) != 0
    }

    /// Says whether a body of a block that has moved in this step jumped in it.
    fn mark(&mut self, index: usize, has_jumped: bool) {
        if let Some(marks) = self.jumped.get_mut(index / WIDTH) {
            *marks = if has_jumped {
                *marks | mark(index)
            } else {
                *marks & !mark(index)
            };
        }
    }

    /// Where a body is before and after the step.
    fn put(&mut self, index: usize, previous: [f32; N], current: [f32; N]) {
        if index < self.len {
            self.set(index, current);
            for (lane, value) in self.blocks[index / WIDTH].previous.iter_mut().zip(previous) {
                lane[index % WIDTH] = value;
            }
        }
    }
}

/// The bit of a body in the marks of its block.
const fn mark(index: usize) -> Marks {
    1 << (index % WIDTH)
}

/// The numbers of one body.
#[inline]
fn at<const N: usize>(lanes: &Lanes<N>, place: usize) -> [f32; N] {
    core::array::from_fn(|lane| lanes[lane][place])
}

/// How bodies are drawn between two states.
pub(super) trait Between<const N: usize, const M: usize> {
    /// One body, and whether that is exact. It runs for several at once if it has no branches.
    fn fast(&self, previous: [f32; N], current: [f32; N]) -> ([f32; M], bool);

    /// One body, if not all of its block were exact.
    fn exact(&self, previous: [f32; N], current: [f32; N]) -> [f32; M];
}

/// Each body by itself: what is drawn of its two states, and the numbers of that.
pub(super) struct Each<F, G>(pub(super) F, pub(super) G);

impl<const N: usize, const M: usize, P, F, G> Between<N, M> for Each<F, G>
where
    F: Fn([f32; N], [f32; N]) -> P,
    G: Fn(P) -> [f32; M],
{
    #[inline]
    fn fast(&self, previous: [f32; N], current: [f32; N]) -> ([f32; M], bool) {
        (self.exact(previous, current), true)
    }

    #[inline]
    fn exact(&self, previous: [f32; N], current: [f32; N]) -> [f32; M] {
        self.1(self.0(previous, current))
    }
}

/// Which bodies are written.
#[derive(Clone, Copy)]
pub enum Which {
    /// Those that have moved since all were written last.
    Moved,
    /// All of them.
    All,
    /// Those that have moved, on the threads of rayon's pool.
    #[cfg(feature = "rayon")]
    MovedInParallel,
}

/// Writes what is to be drawn of bodies at `alpha`: of the first `M` of their numbers what lies between, or what there is at either
/// end or where nothing has moved or jumped. `shape` brings a body's numbers into its place.
#[inline]
pub(super) fn write<const N: usize, const M: usize, T: Send>(
    blocks: &mut Blocks<N>,
    out: &mut [T],
    which: Which,
    alpha: f64,
    between: &(impl Between<N, M> + Sync),
    shape: impl Fn([f32; M], &mut T) + Sync,
) {
    match which {
        Which::Moved => write_moved(blocks, out, false, alpha, between, &shape),
        Which::All => write_moved(blocks, out, true, alpha, between, &shape),
        #[cfg(feature = "rayon")]
        Which::MovedInParallel => write_parallel(blocks, out, alpha, between, &shape),
    }
    write_jumps(blocks, out, alpha, shape);
}

/// The same without regard to jumps: for what does not lie between two states.
#[inline]
pub(super) fn write_moved<const N: usize, const M: usize, T>(
    blocks: &mut Blocks<N>,
    out: &mut [T],
    all: bool,
    alpha: f64,
    between: &impl Between<N, M>,
    shape: impl Fn([f32; M], &mut T),
) {
    let (len, step) = (blocks.len.min(out.len()), blocks.step);
    let Some(since) = blocks.begin_drawing(len, all) else {
        return;
    };
    let blocks = blocks.blocks.iter().zip(&blocks.moved_in);
    for ((block, moved_in), out) in blocks.zip(out[..len].chunks_mut(WIDTH)) {
        if *moved_in >= since {
            block.write(out, *moved_in == step, alpha, between, &shape);
        }
    }
}

/// As [`write_moved`], on the threads of rayon's pool.
#[cfg(feature = "rayon")]
fn write_parallel<const N: usize, const M: usize, T: Send>(
    blocks: &mut Blocks<N>,
    out: &mut [T],
    alpha: f64,
    between: &(impl Between<N, M> + Sync),
    shape: impl Fn([f32; M], &mut T) + Sync,
) {
    use rayon::prelude::*;

    let (len, step) = (blocks.len.min(out.len()), blocks.step);
    let Some(since) = blocks.begin_drawing(len, false) else {
        return;
    };
    let chunks = out[..len].par_chunks_mut(WIDTH);
    let pairs = blocks.blocks.par_iter().zip(&blocks.moved_in).zip(chunks);
    // Fewer are not worth handing to a thread.
    let pairs = pairs.with_min_len(LEAST_PER_THREAD / WIDTH);
    pairs.for_each(|((block, moved_in), out)| {
        if *moved_in >= since {
            block.write(out, *moved_in == step, alpha, between, &shape);
        }
    });
}

/// Writes bodies that jumped where they are, if anything of the step is drawn at all.
fn write_jumps<const N: usize, const M: usize, T>(
    blocks: &Blocks<N>,
    out: &mut [T],
    alpha: f64,
    shape: impl Fn([f32; M], &mut T),
) {
    if alpha <= 0.0 || blocks.any_jumped_in != blocks.step {
        return;
    }
    let marks = blocks.moved_in.iter().zip(&blocks.jumped);
    let bodies = blocks.blocks.iter().zip(marks).zip(out.chunks_mut(WIDTH));
    for ((block, (moved_in, marks)), out) in bodies {
        if *moved_in == blocks.step && *marks != 0 {
            for (place, out) in out
                .iter_mut()
                .enumerate()
                .filter(|(place, _)| marks & mark(*place) != 0)
            {
                shape(first(at(&block.current, place)), out);
            }
        }
    }
}

impl<const N: usize> Block<N> {
    #[inline]
    fn write<const M: usize, T>(
        &self,
        out: &mut [T],
        has_moved: bool,
        alpha: f64,
        between: &impl Between<N, M>,
        shape: &impl Fn([f32; M], &mut T),
    ) {
        if alpha >= 1.0 || !has_moved {
            interleave(&self.current, out, shape);
        } else if alpha <= 0.0 {
            interleave(&self.previous, out, shape);
        } else if !self.write_fast(out, between, shape) {
            for (place, out) in (0..WIDTH).zip(out) {
                shape(between.exact(at(&self.previous, place), at(&self.current, place)), out);
            }
        }
    }

    /// Answers whether all are exact.
    // A function of its own, so that what the compiler makes of it can be looked at: xtask/src/assembly.rs.
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
}

/// The first `M` of `N`.
#[inline]
pub(super) fn first<const N: usize, const M: usize, T: Copy>(of: [T; N]) -> [T; M] {
    const { assert!(M <= N, "what is drawn is part of what there is") };
    core::array::from_fn(|part| of[part])
}

/// Brings the numbers of bodies, which lie side by side, into their places.
#[inline]
fn interleave<const N: usize, const M: usize, T>(lanes: &Lanes<N>, out: &mut [T], shape: &impl Fn([f32; M], &mut T)) {
    for (place, out) in (0..WIDTH).zip(out) {
        shape(first(at(lanes, place)), out);
    }
}

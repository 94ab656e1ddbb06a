//! States of many bodies before and after a step, in blocks whose numbers lie side by side.

use alloc::vec::Vec;

/// Bodies in a block: beyond the caches, the processor reads the next one while it still writes a small one.
pub(super) const WIDTH: usize = 32;

/// Bodies that a thread takes at least.
#[cfg(feature = "rayon")]
const LEAST_PER_THREAD: usize = 8192;

/// The numbers of a block's bodies: those of one kind next to each other, so that a loop over them works on several at once.
pub(super) type Lanes<const N: usize> = [[f32; WIDTH]; N];

/// Blocks of states of `N` numbers each.
#[derive(Clone, Debug)]
pub(super) struct Blocks<const N: usize> {
    blocks: Vec<Block<N>>,
    marks: Vec<Marks>,
    /// What is true of any of them.
    any: Marks,
    /// Bodies that jumped in the last step: they are not drawn between its states.
    jumped: Vec<usize>,
    len: usize,
}

#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Block<const N: usize> {
    pub(super) previous: Lanes<N>,
    pub(super) current: Lanes<N>,
}

/// What is known of bodies without reading them.
#[derive(Clone, Copy, Debug)]
struct Marks {
    /// Whether one was set since the last step began: then its previous and current states differ.
    has_moved: bool,
    /// Whether what was drawn last may be another than what there is to draw now.
    is_stale: bool,
}

impl<const N: usize> Blocks<N> {
    pub(super) const fn new() -> Self {
        Self {
            blocks: Vec::new(),
            marks: Vec::new(),
            any: Marks::NONE,
            jumped: Vec::new(),
            len: 0,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, state: [f32; N]) -> usize {
        let index = self.len;
        if index.is_multiple_of(WIDTH) {
            let none = [[0.0; WIDTH]; N];
            self.blocks.push(Block {
                previous: none,
                current: none,
            });
            self.marks.push(Marks::NONE);
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
            self.put(index, previous, current);
        }
        self.jumped.retain(|jumped| *jumped != index);
        for jumped in self.jumped.iter_mut().filter(|jumped| **jumped == last) {
            *jumped = index;
        }
        self.len = last;
        self.blocks.truncate(last.div_ceil(WIDTH));
        self.marks.truncate(last.div_ceil(WIDTH));
        Some(removed)
    }

    pub(super) fn current(&self, index: usize) -> Option<[f32; N]> {
        (index < self.len).then(|| at(&self.blocks[index / WIDTH].current, index % WIDTH))
    }

    pub(super) fn previous(&self, index: usize) -> Option<[f32; N]> {
        (index < self.len).then(|| at(&self.blocks[index / WIDTH].previous, index % WIDTH))
    }

    /// Makes the current states the previous ones, where they differ.
    pub(super) fn begin_step(&mut self) {
        self.jumped.clear();
        if !core::mem::replace(&mut self.any.has_moved, false) {
            return;
        }
        for (block, marks) in self.blocks.iter_mut().zip(&mut self.marks) {
            if marks.has_moved {
                block.previous = block.current;
                marks.has_moved = false;
            }
        }
    }

    /// Where a body is after the step.
    #[inline]
    pub(super) fn set(&mut self, index: usize, state: [f32; N]) {
        if index < self.len {
            for (lane, value) in self.blocks[index / WIDTH].current.iter_mut().zip(state) {
                lane[index % WIDTH] = value;
            }
            self.marks[index / WIDTH] = Marks::MOVED;
            self.any = Marks::MOVED;
        }
    }

    /// Where a body is that has jumped there.
    pub(super) fn teleport(&mut self, index: usize, state: [f32; N]) {
        if index < self.len {
            self.set(index, state);
            self.jumped.push(index);
        }
    }

    /// Where a body is that comes in place of another.
    pub(super) fn reset(&mut self, index: usize, state: [f32; N]) {
        self.jumped.retain(|jumped| *jumped != index);
        self.put(index, state, state);
    }

    pub(super) fn has_jumped(&self, index: usize) -> bool {
        self.jumped.contains(&index)
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

impl Marks {
    const NONE: Self = Self {
        has_moved: false,
        is_stale: false,
    };
    const MOVED: Self = Self {
        has_moved: true,
        is_stale: true,
    };

    /// Whether they are to be drawn: where not all are, if they are not as they were drawn last.
    fn is_drawn(&mut self, all: bool) -> bool {
        let is_drawn = all || self.is_stale;
        // What rests is drawn once more where it came to rest.
        self.is_stale = self.has_moved;
        is_drawn
    }
}

/// The numbers of one body.
#[inline]
pub(super) fn at<const N: usize>(lanes: &Lanes<N>, place: usize) -> [f32; N] {
    core::array::from_fn(|lane| lanes[lane][place])
}

/// Puts the numbers of bodies into lanes, body by body.
pub(super) fn fill<const N: usize>(lanes: &mut Lanes<N>, numbers: impl Fn(usize) -> [f32; N]) {
    for place in 0..WIDTH {
        for (lane, number) in lanes.iter_mut().zip(numbers(place)) {
            lane[place] = number;
        }
    }
}

/// Writes what is to be drawn of bodies: of the first `M` of their numbers what lies between, as `blend` says, or what there is at
/// either end or where nothing has moved. `shape` brings a body's numbers into its place.
#[inline]
pub(super) fn write<const N: usize, const M: usize, T>(
    blocks: &mut Blocks<N>,
    out: &mut [T],
    all: bool,
    alpha: f64,
    blend: impl Fn(&Block<N>, f64, &mut Lanes<M>),
    shape: impl Fn([f32; M], &mut T),
) {
    if !blocks.any.is_drawn(all) {
        return;
    }
    let mut drawn = [[0.0; WIDTH]; M];
    let len = blocks.len.min(out.len());
    let blocks = blocks.blocks.iter().zip(&mut blocks.marks);
    for ((block, marks), out) in blocks.zip(out[..len].chunks_mut(WIDTH)) {
        if marks.is_drawn(all) {
            let lanes = between(block, *marks, alpha, &mut drawn, &blend);
            interleave(lanes, out, &shape);
        }
    }
}

/// Writes bodies that jumped where they are, if anything of the step is drawn at all.
pub(super) fn write_jumps<const N: usize, const M: usize, T>(
    blocks: &Blocks<N>,
    out: &mut [T],
    alpha: f64,
    shape: impl Fn([f32; M], &mut T),
) {
    if alpha > 0.0 {
        for index in &blocks.jumped {
            if let Some(out) = out.get_mut(*index) {
                let current = &blocks.blocks[index / WIDTH].current;
                shape(at(first(current), index % WIDTH), out);
            }
        }
    }
}

/// The same, on the threads of rayon's pool.
#[cfg(feature = "rayon")]
pub(super) fn write_parallel<const N: usize, const M: usize, T: Send>(
    blocks: &mut Blocks<N>,
    out: &mut [T],
    alpha: f64,
    blend: impl Fn(&Block<N>, f64, &mut Lanes<M>) + Sync,
    shape: impl Fn([f32; M], &mut T) + Sync,
) {
    use rayon::prelude::*;

    if !blocks.any.is_drawn(false) {
        return;
    }
    let len = blocks.len.min(out.len());
    let out = out[..len].par_chunks_mut(WIDTH);
    let blocks = blocks.blocks.par_iter().zip(&mut blocks.marks).zip(out);
    // Fewer are not worth handing to a thread.
    let blocks = blocks.with_min_len(LEAST_PER_THREAD / WIDTH);
    blocks.for_each_init(
        || [[0.0; WIDTH]; M],
        |drawn, ((block, marks), out)| {
            if marks.is_drawn(false) {
                let lanes = between(block, *marks, alpha, drawn, &blend);
                interleave(lanes, out, &shape);
            }
        },
    );
}

/// What lies between: blended into `drawn`, unless it is one of the two states.
#[inline]
fn between<'a, const N: usize, const M: usize>(
    block: &'a Block<N>,
    marks: Marks,
    alpha: f64,
    drawn: &'a mut Lanes<M>,
    blend: &impl Fn(&Block<N>, f64, &mut Lanes<M>),
) -> &'a Lanes<M> {
    if alpha <= 0.0 {
        first(&block.previous)
    } else if alpha >= 1.0 || !marks.has_moved {
        first(&block.current)
    } else {
        blend(block, alpha, drawn);
        drawn
    }
}

/// The first `M` of the lanes.
#[inline]
pub(super) fn first<const N: usize, const M: usize>(lanes: &Lanes<N>) -> &Lanes<M> {
    const { assert!(M <= N, "what is drawn is part of what there is") };
    lanes.first_chunk().expect("there are as many lanes")
}

/// Brings the numbers of bodies, which lie side by side, into their places.
#[inline]
fn interleave<const M: usize, T>(lanes: &Lanes<M>, out: &mut [T], shape: &impl Fn([f32; M], &mut T)) {
    for (place, out) in (0..WIDTH).zip(out) {
        shape(at(lanes, place), out);
    }
}

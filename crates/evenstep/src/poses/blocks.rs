//! States of many bodies before and after a step, in blocks of 64 whose numbers lie side by side.

use alloc::vec::Vec;

/// Bodies in a block.
pub(super) const WIDTH: usize = 64;

/// Bodies that a thread takes at least.
#[cfg(feature = "rayon")]
const LEAST_PER_THREAD: usize = 8192;

/// The numbers of a block's bodies: those of one kind next to each other, so that a loop over them works on several at once.
pub(super) type Lanes<const N: usize> = [[f32; WIDTH]; N];

/// Blocks of states of `N` numbers each.
#[derive(Clone, Debug)]
pub(super) struct Blocks<const N: usize> {
    blocks: Vec<Block<N>>,
    len: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Block<const N: usize> {
    pub(super) previous: Lanes<N>,
    pub(super) current: Lanes<N>,
    /// Whether a body of it was set since the last step began: then the two differ.
    pub(super) has_moved: bool,
    /// Whether what was drawn last may be another than what there is to draw now.
    is_stale: bool,
}

impl<const N: usize> Blocks<N> {
    pub(super) const fn new() -> Self {
        Self {
            blocks: Vec::new(),
            len: 0,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, state: [f32; N]) -> usize {
        let index = self.len;
        if index.is_multiple_of(WIDTH) {
            self.blocks.push(Block {
                previous: [[0.0; WIDTH]; N],
                current: [[0.0; WIDTH]; N],
                has_moved: false,
                is_stale: true,
            });
        }
        self.len += 1;
        self.put(index, state, state);
        index
    }

    /// Removes a body; the last one takes its place.
    pub(super) fn swap_remove(&mut self, index: usize) -> Option<[f32; N]> {
        let removed = self.current(index)?;
        let last = self.len - 1;
        if let (Some(previous), Some(current)) = (self.previous(last), self.current(last)) {
            self.put(index, previous, current);
        }
        self.len = last;
        self.blocks.truncate(last.div_ceil(WIDTH));
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
        for block in self.blocks.iter_mut().filter(|block| block.has_moved) {
            block.previous = block.current;
            block.has_moved = false;
        }
    }

    /// Where a body is after the step.
    pub(super) fn set(&mut self, index: usize, state: [f32; N]) {
        if index < self.len {
            let block = &mut self.blocks[index / WIDTH];
            for (lane, value) in block.current.iter_mut().zip(state) {
                lane[index % WIDTH] = value;
            }
            (block.has_moved, block.is_stale) = (true, true);
        }
    }

    /// Where a body is before and after the step.
    pub(super) fn put(&mut self, index: usize, previous: [f32; N], current: [f32; N]) {
        if index < self.len {
            self.set(index, current);
            for (lane, value) in self.blocks[index / WIDTH].previous.iter_mut().zip(previous) {
                lane[index % WIDTH] = value;
            }
        }
    }
}

impl<const N: usize> Block<N> {
    /// Whether it is to be drawn: where not all are, if it is not as it was drawn last.
    fn is_drawn(&mut self, all: bool) -> bool {
        let is_drawn = all || self.is_stale;
        // One that rests is drawn once more where it came to rest.
        self.is_stale = self.has_moved;
        is_drawn
    }

    /// The numbers of each kind before and after the step.
    pub(super) fn lanes(&self) -> impl Iterator<Item = (&[f32; WIDTH], &[f32; WIDTH])> {
        self.previous.iter().zip(&self.current)
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

/// The way from some numbers to others.
#[inline]
pub(super) fn blend_numbers(previous: &[f32; WIDTH], current: &[f32; WIDTH], t: f32, out: &mut [f32; WIDTH]) {
    for place in 0..WIDTH {
        out[place] = previous[place] + (current[place] - previous[place]) * t;
    }
}

/// Writes what is to be drawn of bodies: of the first `M` of their numbers what lies between, as `blend` says, or what there is at
/// either end or where nothing has moved.
#[inline]
pub(super) fn write<const N: usize, const M: usize, T>(
    blocks: &mut Blocks<N>,
    out: &mut [T],
    all: bool,
    alpha: f64,
    blend: impl Fn(&Block<N>, f64, &mut Lanes<M>),
    shape: impl Fn([f32; M]) -> T,
) {
    let mut drawn = [[0.0; WIDTH]; M];
    let len = blocks.len.min(out.len());
    for (block, out) in blocks.blocks.iter_mut().zip(out[..len].chunks_mut(WIDTH)) {
        if block.is_drawn(all) {
            write_block(block, out, alpha, &mut drawn, &blend, &shape);
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
    shape: impl Fn([f32; M]) -> T + Sync,
) {
    use rayon::prelude::*;

    let len = blocks.len.min(out.len());
    let pairs = blocks.blocks.par_iter_mut().zip(out[..len].par_chunks_mut(WIDTH));
    // Fewer are not worth handing to a thread.
    let pairs = pairs.with_min_len(LEAST_PER_THREAD / WIDTH);
    pairs.for_each_init(
        || [[0.0; WIDTH]; M],
        |drawn, (block, out)| {
            if block.is_drawn(false) {
                write_block(block, out, alpha, drawn, &blend, &shape);
            }
        },
    );
}

#[inline]
fn write_block<const N: usize, const M: usize, T>(
    block: &Block<N>,
    out: &mut [T],
    alpha: f64,
    drawn: &mut Lanes<M>,
    blend: &impl Fn(&Block<N>, f64, &mut Lanes<M>),
    shape: &impl Fn([f32; M]) -> T,
) {
    const { assert!(M <= N, "what is drawn is part of what there is") };
    let lanes = if alpha <= 0.0 {
        block.previous.first_chunk()
    } else if alpha >= 1.0 || !block.has_moved {
        block.current.first_chunk()
    } else {
        blend(block, alpha, drawn);
        Some(&*drawn)
    };
    let Some(lanes) = lanes else { return };
    if let Ok(out) = <&mut [T; WIDTH]>::try_from(&mut *out) {
        // A whole block, whose length the compiler knows.
        for (place, out) in out.iter_mut().enumerate() {
            *out = shape(at(lanes, place));
        }
    } else {
        for (place, out) in out.iter_mut().enumerate() {
            *out = shape(at(lanes, place));
        }
    }
}

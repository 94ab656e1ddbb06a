//! Blocks of bodies, whose numbers lie side by side.

use core::fmt;
use core::ops::Range;

/// Bodies in a block: beyond the caches, the processor reads the next one while it still writes a small one. As many as
/// [`Marks`] has bits.
pub(super) const WIDTH: usize = Marks::BITS as usize;

/// A bit for each body of a block.
pub(super) type Marks = u32;

/// The numbers of a block's bodies, ordered by coordinate, so that a loop over one coordinate works on several bodies at once.
pub(super) type Lanes<const N: usize> = [[f32; WIDTH]; N];

/// The numbers of one state: an array, whose length only this module has to know.
pub trait Numbers: Copy + fmt::Debug {
    /// Those of a block's bodies.
    type Lanes: Copy + fmt::Debug;

    /// The lanes of bodies that all have these numbers.
    fn lanes(self) -> Self::Lanes;

    /// The numbers of one body.
    fn at(lanes: &Self::Lanes, place: usize) -> Self;

    /// Writes the numbers of one body.
    fn put(self, lanes: &mut Self::Lanes, place: usize);
}

impl<const N: usize> Numbers for [f32; N] {
    type Lanes = Lanes<N>;

    #[inline]
    fn lanes(self) -> Lanes<N> {
        self.map(|number| [number; WIDTH])
    }

    #[inline]
    fn at(lanes: &Lanes<N>, place: usize) -> Self {
        at(lanes, place)
    }

    #[inline]
    fn put(self, lanes: &mut Lanes<N>, place: usize) {
        for (lane, value) in lanes.iter_mut().zip(self) {
            lane[place] = value;
        }
    }
}

/// The states of a block's bodies before and after a step.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Block<L> {
    pub(super) previous: L,
    pub(super) current: L,
}

/// The blocks of the `count` bodies from `start` on, as far as there are bodies, and their places in each.
#[inline]
pub(super) fn within_blocks(start: usize, len: usize, count: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
    let end = len.min(start.saturating_add(count));
    let blocks = if start < end {
        start / WIDTH..end.div_ceil(WIDTH)
    } else {
        0..0
    };
    blocks.map(move |block| {
        let first = block * WIDTH;
        (block, start.saturating_sub(first)..WIDTH.min(end.saturating_sub(first)))
    })
}

/// The bit of a body in the marks of its block.
pub(super) const fn mark(index: usize) -> Marks {
    1 << (index % WIDTH)
}

/// The numbers of one body, where their number is known.
#[inline]
pub(super) fn at<const N: usize>(lanes: &Lanes<N>, place: usize) -> [f32; N] {
    core::array::from_fn(|lane| lanes[lane][place])
}

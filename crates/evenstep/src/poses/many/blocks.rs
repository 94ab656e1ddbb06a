//! States of many bodies before and after a step, in blocks whose numbers lie side by side.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// Bodies in a block: beyond the caches, the processor reads the next one while it still writes a small one. As many as
/// [`Marks`] has bits.
pub(super) const WIDTH: usize = Marks::BITS as usize;

/// A bit for each body of a block.
pub(super) type Marks = u32;

/// The numbers of a block's bodies: those of one kind next to each other, so that a loop over them works on several at once.
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

/// The states of bodies, block by block.
#[derive(Debug)]
pub struct Blocks<T: Numbers> {
    pub(super) blocks: Vec<Block<T::Lanes>>,
    pub(super) len: usize,
    /// The number of the last step.
    pub(super) step: u64,
    /// The step in which a body of each block was set last. Before the last step, the block's previous states are outdated: it is at rest.
    pub(super) moved_in: Vec<u64>,
    /// The same of all blocks.
    any_moved_in: u64,
    /// The step after which all were drawn last.
    drawn_in: u64,
    /// The bodies of each block that teleported in the step in which the block moved last: they are not drawn between its states.
    pub(super) teleported: Vec<Marks>,
}

#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Block<L> {
    pub(super) previous: L,
    pub(super) current: L,
}

// Derived, it would not use memory again.
impl<T: Numbers> Clone for Blocks<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        let Self {
            blocks,
            len,
            step,
            moved_in,
            any_moved_in,
            drawn_in,
            teleported,
        } = source;
        self.blocks.clone_from(blocks);
        self.moved_in.clone_from(moved_in);
        self.teleported.clone_from(teleported);
        (self.len, self.step) = (*len, *step);
        (self.any_moved_in, self.drawn_in) = (*any_moved_in, *drawn_in);
    }
}

impl<T: Numbers> Blocks<T> {
    pub(super) const fn new() -> Self {
        Self {
            blocks: Vec::new(),
            len: 0,
            step: 1,
            moved_in: Vec::new(),
            any_moved_in: 0,
            drawn_in: 0,
            teleported: Vec::new(),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, state: T) -> usize {
        let index = self.len;
        if index % WIDTH == 0 {
            // Places that are not taken yet are blended with the others: as this body, which is as fast as any.
            let all = state.lanes();
            self.blocks.push(Block {
                previous: all,
                current: all,
            });
            self.moved_in.push(self.step);
            self.teleported.push(0);
            self.any_moved_in = self.step;
        }
        self.len += 1;
        self.reset(index, state);
        index
    }

    /// Removes a body; the last one takes its place.
    pub(super) fn swap_remove(&mut self, index: usize) -> Option<T> {
        let removed = self.current(index)?;
        let last = self.len - 1;
        if let (Some(previous), Some(current)) = (self.previous(last), self.current(last)) {
            let has_teleported = self.has_teleported(last);
            self.put(index, previous, current);
            self.mark(index, has_teleported);
        }
        // A free place has not teleported.
        self.mark(last, false);
        self.len = last;
        let blocks = last.div_ceil(WIDTH);
        self.blocks.truncate(blocks);
        self.moved_in.truncate(blocks);
        self.teleported.truncate(blocks);
        Some(removed)
    }

    pub(super) fn current(&self, index: usize) -> Option<T> {
        (index < self.len).then(|| T::at(&self.blocks[index / WIDTH].current, index % WIDTH))
    }

    pub(super) fn previous(&self, index: usize) -> Option<T> {
        let block = index / WIDTH;
        if index < self.len && self.moved_in[block] == self.step {
            Some(T::at(&self.blocks[block].previous, index % WIDTH))
        } else {
            self.current(index)
        }
    }

    /// Begins a step. The current states of a block become previous ones when the block is next written to; until then, it is at rest.
    pub(super) fn begin_step(&mut self) {
        self.step += 1;
    }

    /// Begins to draw the first `len` bodies. Blocks that moved in the step that it returns, or later, differ from when they were drawn
    /// last: bodies that came to rest are drawn once more. None if there are no such blocks.
    pub(super) fn begin_drawing(&mut self, len: usize) -> Option<u64> {
        let since = self.drawn_in;
        if len == self.len {
            self.drawn_in = self.step;
        }
        (self.any_moved_in >= since).then_some(since)
    }

    /// Restores all bodies from a copy. Steps keep counting, and all bodies have moved in this one, so that they are drawn and uploaded
    /// again.
    pub(super) fn restore(&mut self, saved: &Self) {
        let step = self.step.max(saved.step) + 1;
        self.clone_from(saved);
        let marks = self.moved_in.iter_mut().zip(&mut self.teleported);
        for (block, (moved_in, teleported)) in self.blocks.iter_mut().zip(marks) {
            if *moved_in != saved.step {
                block.previous = block.current;
                *teleported = 0;
            }
            *moved_in = step;
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
    pub(super) fn set(&mut self, index: usize, state: T) {
        if index < self.len {
            let block = self.touch(index / WIDTH);
            state.put(&mut block.current, index % WIDTH);
        }
    }

    /// Where neighbouring bodies are after the step, from one on, of whose states `numbers` are the numbers.
    #[inline]
    pub(super) fn set_range<S>(&mut self, start: usize, states: &[S], numbers: impl Fn(&S) -> T) {
        let mut rest = states;
        for (block, places) in within_blocks(start, self.len, states.len()) {
            let (states, others) = rest.split_at(places.len());
            let current = &mut self.touch(block).current;
            for (place, state) in places.zip(states) {
                numbers(state).put(current, place);
            }
            rest = others;
        }
    }

    /// A block that is about to move: its current states become its previous ones, if the step has not done so yet.
    #[inline]
    fn touch(&mut self, block: usize) -> &mut Block<T::Lanes> {
        let (states, moved_in) = (&mut self.blocks[block], &mut self.moved_in[block]);
        if *moved_in != self.step {
            states.previous = states.current;
            self.teleported[block] = 0;
            *moved_in = self.step;
            self.any_moved_in = self.step;
        }
        states
    }

    /// Sets the state of a body that has teleported.
    pub(super) fn teleport(&mut self, index: usize, state: T) {
        if index < self.len {
            self.set(index, state);
            self.mark(index, true);
        }
    }

    /// Where a body is that comes in place of another.
    pub(super) fn reset(&mut self, index: usize, state: T) {
        self.put(index, state, state);
        self.mark(index, false);
    }

    /// Where a body is before and after the step, counted from elsewhere. If it teleported, it still has.
    pub(super) fn shift(&mut self, index: usize, previous: T, current: T) {
        let has_teleported = self.has_teleported(index);
        self.put(index, previous, current);
        self.mark(index, has_teleported);
    }

    /// The marks of a block that has moved in this step: the bodies that teleported.
    #[inline]
    pub(super) fn moved(&self, block: usize) -> Option<Marks> {
        (self.moved_in[block] == self.step).then_some(self.teleported[block])
    }

    pub(super) fn has_teleported(&self, index: usize) -> bool {
        index < self.len && self.moved(index / WIDTH).is_some_and(|marks| marks & mark(index) != 0)
    }

    /// Says whether a body of a block that has moved in this step teleported in it.
    fn mark(&mut self, index: usize, has_teleported: bool) {
        if let Some(marks) = self.teleported.get_mut(index / WIDTH) {
            *marks = if has_teleported {
                *marks | mark(index)
            } else {
                *marks & !mark(index)
            };
        }
    }

    /// Where a body is before and after the step.
    fn put(&mut self, index: usize, previous: T, current: T) {
        if index < self.len {
            self.set(index, current);
            previous.put(&mut self.blocks[index / WIDTH].previous, index % WIDTH);
        }
    }
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

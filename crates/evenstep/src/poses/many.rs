//! Smoothing for many bodies at once.

use alloc::vec::Vec;
use core::ops::Range;

use crate::poses::{Pose2, Pose3};

mod blocks;
mod plane;
mod space;
mod write;

use blocks::{Block, Marks, Numbers, WIDTH, mark};

/// A pose that [`Poses`] hold, in numbers. For bounds of generic code; it cannot be implemented outside this crate.
///
/// Everything that runs over many bodies is a function of a concrete pose, so that it is compiled here, as a program
/// compiles its dependencies, and not with the settings of the program's own code.
pub trait Body: Copy {
    /// Its numbers.
    #[doc(hidden)]
    type Numbers: Numbers;
    /// The same as a matrix for instanced drawing, column by column.
    type Matrix;

    /// The numbers of a pose.
    #[doc(hidden)]
    fn numbers(self) -> Self::Numbers;

    /// The pose of numbers.
    #[doc(hidden)]
    fn from_numbers(numbers: Self::Numbers) -> Self;

    /// Sets neighbouring poses.
    #[doc(hidden)]
    fn set_range(poses: &mut Poses<Self>, start: usize, states: &[Self]);

    /// Writes the poses that have moved since they were written last, as they blend.
    #[doc(hidden)]
    fn write(poses: &mut Poses<Self>, alpha: f64, out: Out<'_, Self, Self::Matrix>);

    /// Writes the poses of neighbours as they blend.
    #[doc(hidden)]
    fn write_range(poses: &Poses<Self>, start: usize, alpha: f64, out: Out<'_, Self, Self::Matrix>);
}

/// Where poses are written, and in which form.
pub enum Out<'a, P, M> {
    /// As they are.
    Poses(&'a mut [P]),
    /// As matrices.
    Matrices(&'a mut [M]),
}

/// Poses of many bodies, smoothed together: a [`Smoothed`](crate::Smoothed) for all of them at once. Use it by its names [`Poses2`] and
/// [`Poses3`].
///
/// Bodies at rest cost nothing. The numbers of 32 bodies are stored side by side, so that the compiler blends several at once; 32
/// with one that turns by more than 14° in a step (in space: 29°) take about five times as long. The results are bit-identical to the
/// pose's own [`Blend`](crate::Blend). `clone_from` reuses memory. Bodies that are extrapolated or drawn along curves need velocities:
/// keep a `Smoothed` of a [`Motion2`](crate::poses::Motion2) or [`Motion3`](crate::poses::Motion3) for each.
#[derive(Debug)]
pub struct Poses<S: Body> {
    blocks: Vec<Block<<S::Numbers as Numbers>::Lanes>>,
    len: usize,
    /// The number of the last step.
    step: u64,
    /// The step in which a body of each block was set last. Before the last step, the block's previous states are outdated: it is at rest.
    moved_in: Vec<u64>,
    /// The same of all blocks.
    any_moved_in: u64,
    /// The step after which all were drawn last.
    drawn_in: u64,
    /// The bodies of each block that teleported in the step in which the block moved last: they are not drawn between its states.
    teleported: Vec<Marks>,
}

/// Poses of many bodies in the plane.
///
/// ```
/// use evenstep::poses::{Pose2, Poses2, Rot2};
///
/// let mut poses = Poses2::new();
/// let ball = poses.push(Pose2::IDENTITY);
/// let mut drawn = vec![Pose2::IDENTITY; poses.len()];
/// // in every step, for bodies that have moved:
/// poses.begin_step();
/// poses.set(ball, Pose2::new([4.0, 2.0], Rot2::IDENTITY));
/// // in every frame:
/// poses.blend(0.25, &mut drawn);
/// assert_eq!(drawn[ball].position, [1.0, 0.5]);
/// ```
pub type Poses2 = Poses<Pose2>;

/// Poses of many bodies in space.
///
/// ```
/// use evenstep::poses::{Pose3, Poses3, Quat};
///
/// let mut poses = Poses3::new();
/// let box_ = poses.push(Pose3::IDENTITY);
/// poses.begin_step();
/// poses.set(box_, Pose3::new([0.0, 4.0, 0.0], Quat::IDENTITY));
/// let mut matrices = vec![[[0.0; 4]; 4]; poses.len()];
/// poses.blend_matrices(0.5, &mut matrices);
/// assert_eq!(matrices[box_][3], [0.0, 2.0, 0.0, 1.0]);
/// ```
pub type Poses3 = Poses<Pose3>;

impl<S: Body> Poses<S> {
    /// Poses without bodies.
    #[must_use]
    pub const fn new() -> Self {
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

    /// The number of bodies.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bodies.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a body, at rest. Returns its index.
    pub fn push(&mut self, state: S) -> usize {
        let index = self.len;
        if index % WIDTH == 0 {
            // Places that are not taken yet are blended with the others: as this body, which is as fast as any.
            let all = state.numbers().lanes();
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

    /// Removes a body; the last one takes its index. `None` if there is no such body.
    pub fn swap_remove(&mut self, index: usize) -> Option<S> {
        let removed = self.current(index)?;
        let last = self.len - 1;
        if let Some(states) = self.states(last) {
            self.put(index, states, self.has_teleported(last));
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

    /// Begins a step: current states become previous ones. Constant time.
    // Those of a block do so when it is next written to; until then, it is at rest.
    pub fn begin_step(&mut self) {
        self.step += 1;
    }

    /// Sets the state of a body after the step. Only bodies that move need this. Returns whether there is such a
    /// body.
    #[inline]
    pub fn set(&mut self, index: usize, state: S) -> bool {
        if index < self.len {
            let block = self.touch(index / WIDTH);
            state.numbers().put(&mut block.current, index % WIDTH);
        }
        index < self.len
    }

    /// Sets the states of neighbours after the step, from the body `start` on; faster than one by one. Returns whether there is a body
    /// for each; states without one are ignored.
    pub fn set_range(&mut self, start: usize, states: &[S]) -> bool {
        S::set_range(self, start, states);
        states.len() <= self.len.saturating_sub(start)
    }

    /// Like [`set`](Self::set), for a teleport: in this step the body is drawn only at its new pose, also if it is set again.
    pub fn teleport(&mut self, index: usize, state: S) -> bool {
        let is_body = self.set(index, state);
        if is_body {
            self.mark(index, true);
        }
        is_body
    }

    /// Replaces a body by another one, at rest. Returns whether there is such a body.
    pub fn reset(&mut self, index: usize, state: S) -> bool {
        self.put(index, [state; 2], false)
    }

    /// Sets the state of a body before the last step: what is spawned moving is here now, by [`push`](Self::push) or [`reset`](Self::reset),
    /// and was there a step ago. Returns whether there is such a body.
    pub fn set_previous(&mut self, index: usize, state: S) -> bool {
        self.current(index)
            .is_some_and(|current| self.put(index, [state, current], false))
    }

    /// Changes both states of a body alike and keeps the motion between them: use it when the origin of the world moves.
    /// Returns whether there is such a body.
    pub fn shift(&mut self, index: usize, change: impl FnMut(&mut S)) -> bool {
        self.states(index).is_some_and(|mut states| {
            states.iter_mut().for_each(change);
            self.put(index, states, self.has_teleported(index))
        })
    }

    /// Whether a body teleported in the last step; false if there is no such body.
    #[must_use]
    pub fn has_teleported(&self, index: usize) -> bool {
        index < self.len && self.moved(index / WIDTH).is_some_and(|marks| marks & mark(index) != 0)
    }

    /// Brings all bodies back to the states of an earlier copy, to roll back. The count of steps continues.
    // All bodies have moved in this step, so that they are drawn and uploaded again.
    pub fn restore(&mut self, saved: &Self) {
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

    /// The number of the last step, counted by [`begin_step`](Self::begin_step).
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.step
    }

    /// Index ranges of bodies that changed since a step, with some neighbours: the data to upload to the graphics card.
    pub fn moved_since(&self, step: u64) -> impl Iterator<Item = Range<usize>> {
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

    /// The state of a body before the step.
    #[must_use]
    pub fn previous(&self, index: usize) -> Option<S> {
        let block = index / WIDTH;
        if index < self.len && self.moved_in[block] == self.step {
            let numbers = S::Numbers::at(&self.blocks[block].previous, index % WIDTH);
            Some(S::from_numbers(numbers))
        } else {
            self.current(index)
        }
    }

    /// The state of a body after the step.
    #[must_use]
    pub fn current(&self, index: usize) -> Option<S> {
        let numbers = || S::Numbers::at(&self.blocks[index / WIDTH].current, index % WIDTH);
        (index < self.len).then(|| S::from_numbers(numbers()))
    }

    /// Writes the poses to draw at `alpha`, of bodies that have moved since the last call. Keep one buffer for all calls, because
    /// bodies at rest are not written again; [`blend_range`](Self::blend_range) fills a new one. A buffer may be shorter or longer than
    /// there are bodies.
    pub fn blend(&mut self, alpha: f64, out: &mut [S]) {
        S::write(self, alpha, Out::Poses(out));
    }

    /// Writes the poses to draw at `alpha` of the bodies from `start` on, whether they have moved or not: for the threads of a pool, each
    /// with its part of the buffer, or directly into a mapped buffer. The results are bit-identical to one call for all, and
    /// nothing is allocated. Parts that begin at a multiple of 32 are fastest. It does not count as a call of [`blend`](Self::blend),
    /// which still writes these bodies.
    ///
    /// ```
    /// use evenstep::poses::{Pose2, Poses2, Rot2};
    ///
    /// const PART: usize = 4096;
    /// let mut poses = Poses2::new();
    /// (0..10_000).for_each(|x| _ = poses.push(Pose2::new([x as f32, 0.0], Rot2::IDENTITY)));
    /// let mut drawn = vec![Pose2::IDENTITY; poses.len()];
    /// std::thread::scope(|scope| {
    ///     for (number, part) in drawn.chunks_mut(PART).enumerate() {
    ///         let poses = &poses;
    ///         scope.spawn(move || poses.blend_range(number * PART, 0.5, part));
    ///     }
    /// });
    /// assert_eq!(drawn[9_999].position, [9_999.0, 0.0]);
    /// ```
    pub fn blend_range(&self, start: usize, alpha: f64, out: &mut [S]) {
        S::write_range(self, start, alpha, Out::Poses(out));
    }

    /// As [`blend`](Self::blend), as matrices for instanced drawing: 3×2 in the plane and 4×4 in space, column by column.
    pub fn blend_matrices(&mut self, alpha: f64, out: &mut [S::Matrix]) {
        S::write(self, alpha, Out::Matrices(out));
    }

    /// Like [`blend_range`](Self::blend_range), as matrices.
    pub fn blend_range_matrices(&self, start: usize, alpha: f64, out: &mut [S::Matrix]) {
        S::write_range(self, start, alpha, Out::Matrices(out));
    }

    /// Begins to draw the first `len` bodies. Blocks that moved in the step that it returns, or later, differ from when they were drawn
    /// last: bodies that came to rest are drawn once more. None if there are no such blocks.
    fn begin_drawing(&mut self, len: usize) -> Option<u64> {
        let since = self.drawn_in;
        if len == self.len {
            self.drawn_in = self.step;
        }
        (self.any_moved_in >= since).then_some(since)
    }

    /// A block that is about to move: its current states become its previous ones, if the step has not done so yet.
    #[inline]
    fn touch(&mut self, block: usize) -> &mut Block<<S::Numbers as Numbers>::Lanes> {
        let (states, moved_in) = (&mut self.blocks[block], &mut self.moved_in[block]);
        if *moved_in != self.step {
            states.previous = states.current;
            self.teleported[block] = 0;
            *moved_in = self.step;
            self.any_moved_in = self.step;
        }
        states
    }

    /// The marks of a block that has moved in this step: the bodies that teleported.
    #[inline]
    fn moved(&self, block: usize) -> Option<Marks> {
        (self.moved_in[block] == self.step).then_some(self.teleported[block])
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

    /// The states of a body before and after the step.
    fn states(&self, index: usize) -> Option<[S; 2]> {
        Some([self.previous(index)?, self.current(index)?])
    }

    /// Sets the states of a body before and after the step, and whether it teleported. Returns whether there is such a body.
    fn put(&mut self, index: usize, [previous, current]: [S; 2], has_teleported: bool) -> bool {
        let is_body = self.set(index, current);
        if is_body {
            let states = &mut self.blocks[index / WIDTH];
            previous.numbers().put(&mut states.previous, index % WIDTH);
            self.mark(index, has_teleported);
        }
        is_body
    }
}

// Derived, it would not use memory again.
impl<S: Body> Clone for Poses<S> {
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

impl<S: Body> Default for Poses<S> {
    fn default() -> Self {
        Self::new()
    }
}

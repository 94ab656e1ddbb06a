//! Smoothing for many bodies at once.

use core::ops::Range;

use crate::drawing::Smoothing;
use crate::poses::{Motion2, Motion3, Pose2, Pose3};

mod blocks;
mod body;
mod plane;
mod space;
mod write;

use blocks::Blocks;
pub use body::Body;
use body::{MovingBody, Out};

/// States of many bodies, smoothed together: a [`Smoothed`](crate::Smoothed) for all of them at once. A state is a [`Pose2`], [`Pose3`],
/// [`Motion2`] or [`Motion3`]: use it by its names [`Poses2`], [`Poses3`], [`Motions2`] and [`Motions3`].
///
/// Bodies at rest cost nothing. The numbers of 32 bodies are stored side by side, so that the compiler blends several at once; those
/// of which one turns by more than 14° in a step (in space: 29°) take about five times as long. The results are bit-identical to those
/// of the state's own [`Blend`](crate::Blend). `clone_from` reuses memory.
#[derive(Debug)]
pub struct Poses<S: Body> {
    blocks: Blocks<S::Numbers>,
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

/// Poses and velocities of many bodies in the plane, to extrapolate or to draw along curves with
/// [`blend_with`](Poses::blend_with). Both work body by body.
///
/// ```
/// use evenstep::Smoothing;
/// use evenstep::poses::{Motion2, Motions2, Pose2, Rot2};
/// use std::time::Duration;
///
/// let mut motions = Motions2::new();
/// let ball = motions.push(Motion2::default());
/// motions.begin_step();
/// let pose = Pose2::new([0.1, 0.0], Rot2::IDENTITY);
/// motions.set(ball, Motion2 { pose, velocity: [6.0, 0.0], ..Motion2::default() });
/// let mut drawn = vec![Pose2::IDENTITY; motions.len()];
/// let ahead = Smoothing::Extrapolate { horizon: Duration::from_millis(100) };
/// motions.blend_with(ahead, 0.5, 1.0 / 60.0, &mut drawn);
/// assert!((drawn[ball].position[0] - 0.15).abs() < 1e-6);
/// ```
pub type Motions2 = Poses<Motion2>;

/// Poses and velocities of many bodies in space. As [`Motions2`].
///
/// ```
/// use evenstep::Smoothing;
/// use evenstep::poses::{Motion3, Motions3, Pose3};
///
/// let mut motions = Motions3::new();
/// let top = motions.push(Motion3 { angular_velocity: [0.0, 6.0, 0.0], ..Motion3::default() });
/// let mut drawn = vec![Pose3::IDENTITY; motions.len()];
/// motions.blend_with(Smoothing::Hermite, 0.5, 1.0 / 60.0, &mut drawn);
/// assert_eq!(drawn[top], Pose3::IDENTITY); // it has not moved yet
/// ```
pub type Motions3 = Poses<Motion3>;

impl<S: Body> Poses<S> {
    /// Poses without bodies.
    #[must_use]
    pub const fn new() -> Self {
        Self { blocks: Blocks::new() }
    }

    /// The number of bodies.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there are no bodies.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a body, at rest. Returns its index.
    pub fn push(&mut self, state: S) -> usize {
        self.blocks.push(state.numbers())
    }

    /// Removes a body; the last one takes its index. `None` if there is no such body.
    pub fn swap_remove(&mut self, index: usize) -> Option<S> {
        self.blocks.swap_remove(index).map(S::from_numbers)
    }

    /// Begins a step: current states become previous ones. Constant time.
    pub fn begin_step(&mut self) {
        self.blocks.begin_step();
    }

    /// Sets the state of a body after the step. Only bodies that move need this. Returns whether there is such a
    /// body.
    #[inline]
    pub fn set(&mut self, index: usize, state: S) -> bool {
        self.blocks.set(index, state.numbers());
        index < self.len()
    }

    /// Sets the states of neighbours after the step, from the body `start` on; faster than one by one. Returns whether there is a body
    /// for each; states without one are ignored.
    pub fn set_range(&mut self, start: usize, states: &[S]) -> bool {
        S::set_range(&mut self.blocks, start, states);
        states.len() <= self.len().saturating_sub(start)
    }

    /// Like [`set`](Self::set), for a teleport: in this step the body is drawn only at its new pose, also if it is set again.
    pub fn teleport(&mut self, index: usize, state: S) -> bool {
        self.blocks.teleport(index, state.numbers());
        index < self.len()
    }

    /// Replaces a body by another one, at rest. Returns whether there is such a body.
    pub fn reset(&mut self, index: usize, state: S) -> bool {
        self.blocks.reset(index, state.numbers());
        index < self.len()
    }

    /// Changes both states of a body alike and keeps the motion between them: use it when the origin of the world moves.
    /// Returns whether there is such a body.
    pub fn shift(&mut self, index: usize, mut change: impl FnMut(&mut S)) -> bool {
        let states = self.previous(index).zip(self.current(index));
        if let Some((mut previous, mut current)) = states {
            change(&mut previous);
            change(&mut current);
            self.blocks.shift(index, previous.numbers(), current.numbers());
        }
        states.is_some()
    }

    /// Whether a body teleported in the last step; false if there is no such body.
    #[must_use]
    pub fn has_teleported(&self, index: usize) -> bool {
        self.blocks.has_teleported(index)
    }

    /// Brings all bodies back to the states of an earlier copy, to roll back. The count of steps continues.
    pub fn restore(&mut self, saved: &Self) {
        self.blocks.restore(&saved.blocks);
    }

    /// The number of the last step, counted by [`begin_step`](Self::begin_step).
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.blocks.step()
    }

    /// Index ranges of bodies that changed since a step, with some neighbours: the data to upload to the graphics card.
    pub fn moved_since(&self, step: u64) -> impl Iterator<Item = Range<usize>> {
        self.blocks.moved_since(step)
    }

    /// The state of a body before the step.
    #[must_use]
    pub fn previous(&self, index: usize) -> Option<S> {
        self.blocks.previous(index).map(S::from_numbers)
    }

    /// The state of a body after the step.
    #[must_use]
    pub fn current(&self, index: usize) -> Option<S> {
        self.blocks.current(index).map(S::from_numbers)
    }

    /// Writes the poses to draw at `alpha`, of bodies that have moved since the last call. Keep one buffer for all calls, because
    /// bodies at rest are not written again; [`blend_range`](Self::blend_range) fills a new one. A buffer may be shorter or longer than
    /// there are bodies.
    pub fn blend(&mut self, alpha: f64, out: &mut [S::Pose]) {
        S::write(&mut self.blocks, alpha, Out::Poses(out));
    }

    /// Writes the poses to draw at `alpha` of the bodies from `start` on, whether they have moved or not: for the threads of a pool, each
    /// with its part of the buffer, or directly into a mapped buffer. The results are bit-identical to those of one call for all, and
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
    pub fn blend_range(&self, start: usize, alpha: f64, out: &mut [S::Pose]) {
        S::write_range(&self.blocks, start, alpha, Out::Poses(out));
    }

    /// As [`blend`](Self::blend), as matrices for instanced drawing: 3×2 in the plane and 4×4 in space, column by column.
    pub fn blend_matrices(&mut self, alpha: f64, out: &mut [S::Matrix]) {
        S::write(&mut self.blocks, alpha, Out::Matrices(out));
    }

    /// Like [`blend_range`](Self::blend_range), as matrices.
    pub fn blend_range_matrices(&self, start: usize, alpha: f64, out: &mut [S::Matrix]) {
        S::write_range(&self.blocks, start, alpha, Out::Matrices(out));
    }
}

impl<S: MovingBody> Poses<S> {
    /// Like [`blend`](Self::blend), with a [`Smoothing`](crate::Smoothing), between steps of `dt` seconds. Use the same smoothing in all
    /// calls for a buffer.
    pub fn blend_with(&mut self, smoothing: Smoothing, alpha: f64, dt: f64, out: &mut [S::Pose]) {
        S::write_with(&mut self.blocks, (smoothing, alpha, dt), out);
    }
}

// Derived, it would not use memory again.
impl<S: Body> Clone for Poses<S> {
    fn clone(&self) -> Self {
        Self {
            blocks: self.blocks.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.blocks.clone_from(&source.blocks);
    }
}

impl<S: Body> Default for Poses<S> {
    fn default() -> Self {
        Self::new()
    }
}

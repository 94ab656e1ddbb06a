//! [`Slices`]: an expensive step in parts, spread over the frames until it is due.

use core::iter::FusedIterator;
use core::num::NonZeroU32;

use crate::step::Frame;
use crate::time::Tick;

/// Divides each step into slices and assigns them to frames, so that a step that takes as long as several frames delays none of them.
///
/// A step of 12 ms at 20 Hz on a display at 240 Hz takes three frames at once, or 1 ms of each of twelve frames. The program cuts
/// it, where it likes, into parts of about equal cost; the slices of a step are done, in order, while it is under way, and the last
/// one by the time at which a [`FixedTimestep`](crate::FixedTimestep) grants it. Which frame does them changes nothing in the
/// result. With frames of equal length no frame has more than one slice above the mean: cut a step into at least ten slices for
/// each frame to stay within a tenth of it.
///
/// A step begins a period before it is granted, so input reaches it a step later than if it ran at once.
///
/// ```
/// use evenstep::control::Slices;
/// use evenstep::{FixedTimestep, Rate};
/// use std::num::NonZeroU32;
/// use std::time::Duration;
///
/// let mut timestep = FixedTimestep::new(Rate::hz(20));
/// let mut slices = Slices::new(NonZeroU32::new(120).unwrap());
/// let mut ends = 0;
/// for _ in 0..240 {
///     let frame = timestep.advance(Duration::from_nanos(4_166_667)); // a display at 240 Hz
///     let due = slices.begin_frame(&frame);
///     assert!((9..=11).contains(&due.len()));
///     for slice in due {
///         // a part of step `slice.tick`: a group of agents, a block of a grid, an iteration of a solver
///         ends += u32::from(slice.is_last);
///     }
/// }
/// assert_eq!(ends, 20); // steps
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slices {
    per_step: NonZeroU32,
    /// Slices done since tick 0.
    done: u128,
}

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Slice {
    /// The step.
    pub tick: Tick,
    /// The index of the part, from 0.
    pub index: u32,
    /// Whether it is the last slice of the step: then commit the state for drawing.
    pub is_last: bool,
}

impl Slices {
    /// Steps of `per_step` slices, from tick 0.
    #[must_use]
    pub const fn new(per_step: NonZeroU32) -> Self {
        Self { per_step, done: 0 }
    }

    /// The slices to do in this frame, in order: the remaining slices of the steps that the frame grants, and a share of the slices of
    /// the current step that equals the share of its time that has passed. Do all of them, because they are counted as done.
    ///
    /// After a [`reset`](crate::FixedTimestep::reset) of the timestep begin with new `Slices`.
    #[must_use = "slices that are not done are missing in the state"]
    pub fn begin_frame(&mut self, frame: &Frame) -> SlicesOfFrame {
        let tick = u128::from(frame.tick());
        let per_step = u128::from(self.per_step.get());
        let target = tick * per_step + ((u128::from(frame.under_way()) * per_step) >> 32);
        let next = self.done;
        self.done = self.done.max(target);
        SlicesOfFrame {
            next,
            end: self.done,
            per_step: self.per_step,
        }
    }
}

/// The slices to do in a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlicesOfFrame {
    next: u128,
    end: u128,
    per_step: NonZeroU32,
}

impl Iterator for SlicesOfFrame {
    type Item = Slice;

    fn next(&mut self) -> Option<Slice> {
        if self.next == self.end {
            return None;
        }
        let per_step = u128::from(self.per_step.get());
        let index = (self.next % per_step) as u32;
        let slice = Slice {
            tick: (self.next / per_step) as Tick,
            index,
            is_last: index + 1 == self.per_step.get(),
        };
        self.next += 1;
        Some(slice)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.end - self.next);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}

impl ExactSizeIterator for SlicesOfFrame {}
impl FusedIterator for SlicesOfFrame {}

//! A copy of the simulation that runs ahead to the present.

use crate::step::{Frame, Step};

/// A copy of the true state, simulated up to the moment of a frame, drawn and thrown away.
///
/// Interpolation draws a step behind. A fork draws the present. It copies the state after the last step, steps the copy by the
/// time since, which is less than a step, and draws the copy. The true state never sees that step and stays deterministic.
///
/// A fork costs a copy and a step for each frame. Input that arrives during a step shows when the true step has run: the copy may
/// then jump by what the input changed. Known as *fixed render tick*: J. Tomsu, *Fixed timestep without interpolation* (2024).
///
/// ```
/// use evenstep::{FixedTimestep, Fork, Rate, Step};
/// use std::time::Duration;
///
/// #[derive(Clone)]
/// struct Ball(f64);
///
/// fn step(ball: &mut Ball, step: &Step) {
///     ball.0 += 2.0 * step.dt; // 2 m/s
/// }
///
/// let mut timestep = FixedTimestep::new(Rate::hz(10));
/// let (mut ball, mut fork) = (Ball(0.0), Fork::new(Ball(0.0)));
/// let frame = timestep.advance(Duration::from_millis(250));
/// frame.steps().for_each(|s| step(&mut ball, &s));
/// let drawn = fork.draw(&ball, &frame, step);
/// assert!((drawn.0 - 0.5).abs() < 1e-12); // 250 ms, not 200
/// assert!((ball.0 - 0.4).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fork<S> {
    copy: S,
}

impl<S: Clone> Fork<S> {
    /// A fork that reuses the memory of a state.
    pub const fn new(copy: S) -> Self {
        Self { copy }
    }

    /// The state at the moment of a frame: a copy of the true state, stepped by the frame's
    /// [remainder](Frame::remainder).
    pub fn draw(&mut self, truth: &S, frame: &Frame, step: impl FnOnce(&mut S, &Step)) -> &S {
        self.copy.clone_from(truth);
        let remainder = frame.remainder();
        if remainder.dt > 0.0 {
            step(&mut self.copy, &remainder);
        }
        &self.copy
    }
}

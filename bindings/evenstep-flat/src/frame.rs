//! The plan for a frame, as plain numbers.

use crate::exact::nanos;

/// The plan for a frame: run its steps, from tick `first_tick` up to and without `tick`, then draw at `alpha`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// The tick of its first step. Ticks count steps from 0.
    pub first_tick: u64,
    /// The number of steps that the simulation has completed after this frame's steps; the tick of the next step.
    pub tick: u64,
    /// Where to draw between the previous state (0) and the current one; below 1, also as a `float`.
    pub alpha: f64,
    /// The length of every step, in seconds.
    pub dt: f64,
    /// Real time that was cut off because the delta was too long, in nanoseconds. It never reached the simulation.
    pub clamped: i64,
    /// Real time of a known pause, in nanoseconds.
    pub paused: i64,
    /// The number of due steps that were dropped.
    pub dropped: u64,
    /// The number of steps: `tick - first_tick`.
    pub steps: u32,
    /// How many of them were requested one by one and use up no time.
    pub single_steps: u32,
    /// Whether time is kept back for later frames.
    pub is_behind: bool,
}

impl Frame {
    /// A frame of the core, whose steps are `dt` seconds long.
    pub(crate) fn of(frame: &evenstep::Frame, dt: f64) -> Self {
        let (steps, lost) = (frame.steps().len() as u32, frame.lost());
        Self {
            first_tick: frame.tick() - u64::from(steps),
            tick: frame.tick(),
            alpha: frame.alpha(),
            dt,
            clamped: nanos(lost.clamped),
            paused: nanos(lost.paused),
            dropped: lost.dropped,
            steps,
            single_steps: frame.single_steps(),
            is_behind: frame.is_behind(),
        }
    }
}

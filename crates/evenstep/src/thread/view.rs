//! The last two states that the simulation published, and the renderer's view of them.

use std::time::{Duration, Instant};

use crate::drawing::Blend;
use crate::input::InputCounts;
use crate::step::frame::LARGEST_ALPHA;
use crate::time::Tick;

/// Statistics of a simulation on its own thread.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SimStats {
    /// How long after its time the current tick was ready, with the time that is kept back.
    pub lateness: Duration,
    /// The number of steps dropped in all, because the machine could not keep up.
    pub dropped: u64,
    /// Real time clamped in all, because a delta exceeded the timestep's limit: the machine was asleep or overloaded. A paused
    /// game loses none.
    pub clamped: Duration,
    /// The [real-time factor](crate::FrameStats::real_time_factor) of the last 256 frames.
    pub real_time_factor: f64,
    /// The number of steps that ended after the next one was due, in all.
    pub deadline_misses: u64,
    /// The longest time after its due time at which a step began.
    pub longest_lateness: Duration,
    /// Counts of input that was not delivered in the ordinary way.
    pub input: InputCounts,
}

/// The states to draw at an instant: two snapshots, and where between them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct View<'a, S> {
    /// The snapshot before the current one; at first the same.
    pub previous: &'a S,
    /// The newest snapshot.
    pub current: &'a S,
    /// Where between them to draw: from 0, below 1.
    pub alpha: f64,
    /// The number of steps from the start to the current snapshot.
    pub tick: Tick,
    /// Statistics of the simulation.
    pub stats: SimStats,
}

impl<S: Blend> View<'_, S> {
    /// The snapshots blended at alpha.
    #[must_use]
    pub fn drawn(&self) -> S {
        self.previous.blend(self.current, self.alpha)
    }
}

/// The message of the simulation to the renderer.
#[derive(Clone, Debug)]
pub(super) struct Published<S> {
    pub(super) previous: S,
    pub(super) current: S,
    pub(super) tick: Tick,
    /// When it was published, on the simulation's clock, and the frame's alpha then.
    pub(super) at: Instant,
    pub(super) alpha: f64,
    /// Real time from `at` to the next step; none while time stands still.
    pub(super) until_next: Option<Duration>,
    /// Real seconds that a step takes.
    pub(super) period: f64,
    pub(super) stats: SimStats,
}

impl<S> Published<S> {
    /// Alpha at an instant. It reaches 1 when the next step is due; before publication it is smaller, at the speed of time.
    pub(super) fn alpha(&self, now: Instant) -> f64 {
        let Some(until_next) = self.until_next else {
            return self.alpha;
        };
        let since = now.saturating_duration_since(self.at);
        let alpha = if since.is_zero() {
            self.alpha - (self.at - now).as_secs_f64() / self.period
        } else if since < until_next {
            self.alpha + (1.0 - self.alpha) * (since.as_secs_f64() / until_next.as_secs_f64())
        } else {
            1.0
        };
        alpha.clamp(0.0, LARGEST_ALPHA)
    }
}

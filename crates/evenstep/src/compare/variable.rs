//! Variable timesteps, for comparison with a fixed one.

use core::time::Duration;

use crate::compare::frame::{Span, VariableFrame};
use crate::step::Lost;
use crate::step::sim_clock::SimClock;
use crate::time::{Rate, SimDuration, Tick, TimeScale};

/// Stepping that follows the display: the ways that a [`FixedTimestep`](crate::FixedTimestep) replaces, for comparison.
///
/// The outcome of its steps depends on the display's deltas, and the newest state is drawn unchanged. For a program that switches
/// between the two there is [`Timestep`](super::Timestep).
///
/// ```
/// use evenstep::compare::VariableTimestep;
/// use std::time::Duration;
///
/// let mut timestep = VariableTimestep::new();
/// let frame = timestep.advance(Duration::from_millis(100));
/// let steps: Vec<f64> = frame.steps().map(|step| step.dt).collect();
/// assert_eq!(steps, [0.1]); // a stiff spring explodes here
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VariableTimestep {
    stepping: Stepping,
    /// The simulated time that has arrived.
    clock: SimClock,
    tick: Tick,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Stepping {
    Whole,
    AtMost { nanos: u64 },
    Locked(Rate),
}

impl VariableTimestep {
    /// One step a frame, as long as the delta.
    #[must_use]
    pub fn new() -> Self {
        Self::with_stepping(Stepping::Whole)
    }

    /// As many steps of one period of `rate` as fit into the delta, then a shorter step for the remaining time. The period is
    /// rounded down to nanoseconds.
    #[must_use]
    pub fn semi_fixed(rate: Rate) -> Self {
        Self::with_stepping(Stepping::AtMost {
            nanos: rate.period_nanos().max(1),
        })
    }

    /// One step of one period of `rate` in every frame, independent of the delta: the game runs as fast as the display. The
    /// time scale has no effect except a pause at 0.
    #[must_use]
    pub fn locked(rate: Rate) -> Self {
        Self::with_stepping(Stepping::Locked(rate))
    }

    fn with_stepping(stepping: Stepping) -> Self {
        Self {
            stepping,
            clock: SimClock::new(Rate::hz(1)),
            tick: 0,
        }
    }

    /// The longest delta that is accepted; 250 ms unless set.
    #[must_use]
    pub const fn max_delta(&self) -> Duration {
        self.clock.max_delta()
    }

    /// The same with [`max_delta`](Self::max_delta) set.
    #[must_use]
    pub fn with_max_delta(mut self, max_delta: Duration) -> Self {
        self.set_max_delta(max_delta);
        self
    }

    /// The same with the [`time_scale`](Self::time_scale) set.
    #[must_use]
    pub fn with_time_scale(mut self, scale: TimeScale) -> Self {
        self.set_time_scale(scale);
        self
    }

    /// Sets [`max_delta`](Self::max_delta), from the next frame on.
    pub fn set_max_delta(&mut self, max_delta: Duration) {
        self.clock.set_max_delta(max_delta);
    }

    /// How fast simulated time runs.
    #[must_use]
    pub const fn time_scale(&self) -> TimeScale {
        self.clock.time_scale()
    }

    /// Sets the [`time_scale`](Self::time_scale) for later deltas.
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        self.clock.set_time_scale(scale);
    }

    /// Takes the real time since the last frame, and returns the plan for this frame. Accepts any delta; frames
    /// without simulated time have no steps. Steps start and end at whole nanoseconds. A delta of more than 2^32 steps is
    /// dropped, and so is time after 2^64 ns.
    pub fn advance(&mut self, delta: Duration) -> VariableFrame {
        if let Stepping::Locked(rate) = self.stepping {
            let count = u32::from(!self.time_scale().is_paused());
            return self.frame(Span::Periods(rate), count, Lost::default());
        }
        let longest = match self.stepping {
            Stepping::AtMost { nanos } => nanos,
            _ => u64::MAX,
        };
        let most = Duration::from_nanos(longest.saturating_mul(u64::from(u32::MAX) - 1));
        let start = self.arrived_nanos();
        let (lost, _) = self.clock.advance_until(delta, Duration::from_nanos(u64::MAX), most);
        let end = self.arrived_nanos();
        let longest = longest.min((end - start).max(1));
        let count = (end - start).div_ceil(longest) as u32;
        let lost = Lost {
            clamped: lost.clamped,
            suspended: lost.suspended,
            dropped: whole_steps(lost.dropped, longest),
            rounded: lost.rounded,
        };
        self.frame(Span::Nanos { start, end, longest }, count, lost)
    }

    /// Simulated time that has arrived, in whole nanoseconds.
    fn arrived_nanos(&self) -> u64 {
        self.clock.arrived().to_duration().as_nanos() as u64
    }

    fn frame(&mut self, span: Span, wanted: u32, lost: Lost) -> VariableFrame {
        let count = u32::try_from(Tick::MAX - self.tick).map_or(wanted, |left| wanted.min(left));
        let first = self.tick;
        self.tick += Tick::from(count);
        #[cfg(feature = "tracing")]
        lost.trace_steps(self.tick);
        VariableFrame {
            first,
            count,
            span,
            lost,
        }
    }
}

/// The fewest steps, none of them longer than `longest`, that cover this time.
fn whole_steps(time: SimDuration, longest: u64) -> u64 {
    let steps = time.to_duration().as_nanos().div_ceil(longest.into());
    u64::try_from(steps).unwrap_or(u64::MAX)
}

impl Default for VariableTimestep {
    fn default() -> Self {
        Self::new()
    }
}

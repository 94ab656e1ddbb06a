use core::time::Duration;

use crate::compare::VariableFrame;
use crate::compare::frame::Span;
use crate::step::{FixedTimestep, Lost};
use crate::time::{Rate, Tick, TimeScale};

/// Stepping that follows the display: the ways that a [`FixedTimestep`] replaces, for comparison.
///
/// The outcome of its steps depends on the display's deltas, and the newest state is drawn as it is. A program that switches
/// between the two has a [`Timestep`](super::Timestep).
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
pub struct VariableTimestep {
    stepping: Stepping,
    scale: TimeScale,
    max_delta: Duration,
    tick: Tick,
    /// Simulated time in nanoseconds.
    time: u64,
    /// What scaling left of the last nanosecond, in parts of the scale's denominator.
    remainder: u128,
}

#[derive(Clone, Copy, Debug, PartialEq)]
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

    /// As many steps of one period of `rate` as fit into the delta, then a shorter one for the rest. The period is
    /// rounded down to nanoseconds.
    #[must_use]
    pub fn semi_fixed(rate: Rate) -> Self {
        Self::with_stepping(Stepping::AtMost {
            nanos: rate.period_nanos().max(1),
        })
    }

    /// One step of one period of `rate` in every frame, whatever the delta: the game runs as fast as the display. The
    /// time scale has no influence but to pause at 0.
    #[must_use]
    pub fn locked(rate: Rate) -> Self {
        Self::with_stepping(Stepping::Locked(rate))
    }

    fn with_stepping(stepping: Stepping) -> Self {
        Self {
            stepping,
            scale: TimeScale::NORMAL,
            max_delta: FixedTimestep::DEFAULT_MAX_DELTA,
            tick: 0,
            time: 0,
            remainder: 0,
        }
    }

    /// The same with the longest delta that is believed set.
    #[must_use]
    pub fn with_max_delta(mut self, max_delta: Duration) -> Self {
        self.max_delta = max_delta;
        self
    }

    /// The same with the time scale set.
    #[must_use]
    pub fn with_time_scale(mut self, scale: TimeScale) -> Self {
        self.set_time_scale(scale);
        self
    }

    /// How fast simulated time runs.
    #[must_use]
    pub const fn time_scale(&self) -> TimeScale {
        self.scale
    }

    /// Sets the time scale for deltas to come. Up to a nanosecond of time that has arrived is forgotten.
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        if scale != self.scale {
            (self.scale, self.remainder) = (scale, 0);
        }
    }

    /// Takes the real time since the last frame, and answers with what this frame must do. Accepts any delta; frames
    /// without simulated time have no steps.
    pub fn advance(&mut self, delta: Duration) -> VariableFrame {
        if let Stepping::Locked(rate) = self.stepping {
            let count = u32::from(!self.scale.is_paused());
            return self.frame(Span::Periods(rate), count, Lost::default());
        }
        let accepted = delta.min(self.max_delta).min(self.longest_delta());
        let lost = Lost {
            clamped: delta - accepted,
            ..Lost::default()
        };
        let (start, end) = (self.time, self.time + self.scaled(accepted));
        self.time = end;
        let longest = match self.stepping {
            Stepping::AtMost { nanos } => nanos,
            _ => (end - start).max(1),
        };
        let count = (end - start).div_ceil(longest) as u32;
        self.frame(Span::Nanos { start, end, longest }, count, lost)
    }

    /// The longest delta that overflows neither the simulated time nor the number of steps.
    fn longest_delta(&self) -> Duration {
        let steps = match self.stepping {
            Stepping::AtMost { nanos } => nanos.saturating_mul(u64::from(u32::MAX)),
            _ => u64::MAX,
        };
        let room = u128::from(steps.min(u64::MAX - self.time).saturating_sub(1));
        let denom = u128::from(self.scale.denom());
        let nanos = (room * denom)
            .checked_div(u128::from(self.scale.numer()))
            .unwrap_or(u128::MAX);
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// Simulated nanoseconds that a real time is worth; what is left of the last one is kept for the next time.
    fn scaled(&mut self, real: Duration) -> u64 {
        let (numer, denom) = (u128::from(self.scale.numer()), u128::from(self.scale.denom()));
        let parts = real.as_nanos() * numer + self.remainder;
        self.remainder = parts % denom;
        (parts / denom) as u64
    }

    fn frame(&mut self, span: Span, wanted: u32, lost: Lost) -> VariableFrame {
        let count = u32::try_from(Tick::MAX - self.tick).map_or(wanted, |left| wanted.min(left));
        let first = self.tick;
        self.tick += Tick::from(count);
        VariableFrame {
            first,
            count,
            span,
            lost,
        }
    }
}

impl Default for VariableTimestep {
    fn default() -> Self {
        Self::new()
    }
}

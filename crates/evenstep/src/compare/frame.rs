//! The plan that a variable timestep returns for a delta.

use core::time::Duration;

use crate::step::{Lost, Step};
use crate::time::{NANOS_PER_SEC, Rate, SimTime, Tick};

/// The plan that a [`VariableTimestep`](super::VariableTimestep) returns: which steps to run. Then the newest state is drawn unchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "the steps of a frame are the simulation's due; a frame that is dropped loses them"]
pub struct VariableFrame {
    pub(super) first: Tick,
    pub(super) count: u32,
    pub(super) span: Span,
    pub(super) lost: Lost,
}

/// How the steps of a frame lie in simulated time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Span {
    /// Tick `n` starts at `n` periods.
    Periods(Rate),
    /// Steps of at most `longest` fill the time from `start` to `end`, in nanoseconds.
    Nanos { start: u64, end: u64, longest: u64 },
}

impl VariableFrame {
    /// The steps to run before this frame is drawn, oldest first.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step> + use<> {
        let frame = *self;
        #[cfg(feature = "tracing")]
        let mut span = crate::step::step_span::StepSpan::none();
        (0..self.count).map(move |index| {
            let step = frame.step(index);
            #[cfg(feature = "tracing")]
            span.begin(step.tick);
            step
        })
    }

    fn step(&self, index: u32) -> Step {
        let tick = self.first + Tick::from(index);
        match self.span {
            Span::Periods(rate) => Step::new(tick, rate),
            Span::Nanos { start, end, longest } => {
                let start = start + u64::from(index) * longest;
                let end = end.min(start.saturating_add(longest));
                Step::between(tick, (end - start) as f64 / f64::from(NANOS_PER_SEC), start, end)
            }
        }
    }

    /// The number of steps that the simulation has completed after this frame's steps; the index of the next step.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.first + Tick::from(self.count)
    }

    /// The simulated time of the newest state, which is drawn.
    #[must_use]
    pub fn current_time(&self) -> SimTime {
        match self.span {
            Span::Periods(rate) => SimTime::at_tick(self.tick(), rate),
            Span::Nanos { end, .. } => SimTime::at(Duration::from_nanos(end)),
        }
    }

    /// Time that this frame lost.
    #[must_use]
    pub fn lost(&self) -> Lost {
        self.lost
    }
}

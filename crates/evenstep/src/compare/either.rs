//! A timestep that is fixed or variable, chosen at run time.

use core::time::Duration;

use crate::compare::{VariableFrame, VariableTimestep};
use crate::drawing::Smoothing;
use crate::step::frame::LARGEST_ALPHA;
use crate::step::{FixedTimestep, Frame, Lost, Step};
use crate::time::{SimDuration, SimTime, Tick, TimeScale};

/// Either way of stepping, for a program that lets its user switch between them.
///
/// ```
/// use evenstep::{FixedTimestep, Rate};
/// use evenstep::compare::{Timestep, VariableTimestep};
/// use std::time::Duration;
///
/// let fixed = Timestep::from(FixedTimestep::new(Rate::hz(100)));
/// for mut timestep in [fixed, VariableTimestep::new().into()] {
///     let simulated: f64 = timestep.advance(Duration::from_millis(40)).steps().map(|step| step.dt).sum();
///     assert_eq!(simulated, 0.04);
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Timestep {
    /// Equal steps, independent of the display.
    Fixed(FixedTimestep),
    /// Steps that follow the display.
    Variable(VariableTimestep),
}

impl Timestep {
    /// Takes the real time since the last frame, and returns the plan for this frame.
    pub fn advance(&mut self, delta: Duration) -> EitherFrame {
        match self {
            Self::Fixed(fixed) => fixed.advance(delta).into(),
            Self::Variable(variable) => variable.advance(delta).into(),
        }
    }

    /// The same with its time scale set.
    #[must_use]
    pub fn with_time_scale(mut self, scale: TimeScale) -> Self {
        self.set_time_scale(scale);
        self
    }

    /// Sets how fast simulated time runs, for later deltas.
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        match self {
            Self::Fixed(fixed) => fixed.set_time_scale(scale),
            Self::Variable(variable) => variable.set_time_scale(scale),
        }
    }
}

impl From<FixedTimestep> for Timestep {
    fn from(fixed: FixedTimestep) -> Self {
        Self::Fixed(fixed)
    }
}

impl From<VariableTimestep> for Timestep {
    fn from(variable: VariableTimestep) -> Self {
        Self::Variable(variable)
    }
}

/// The plan that a [`Timestep`] returns: a frame of either way of stepping, to be used as a [`Frame`].
///
/// Exhaustive: steps are equal or follow the display.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "the steps of a frame are the simulation's due; a frame that is dropped loses them"]
pub enum EitherFrame {
    /// Of equal steps.
    Fixed(Frame),
    /// Of steps that follow the display.
    Variable(VariableFrame),
}

impl EitherFrame {
    /// The steps to run before this frame is drawn, oldest first.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step> + use<> {
        match self {
            Self::Fixed(frame) => Steps::Fixed(frame.steps()),
            Self::Variable(frame) => Steps::Variable(frame.steps()),
        }
    }

    /// The number of steps that the simulation has completed after this frame's steps; the index of the next step.
    #[must_use]
    pub fn tick(&self) -> Tick {
        match self {
            Self::Fixed(frame) => frame.tick(),
            Self::Variable(frame) => frame.tick(),
        }
    }

    /// Where to draw between the previous state (0) and the current one (towards 1). For steps that follow the display it is
    /// as near to 1 as [`Frame::alpha`] can be: the current state.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        match self {
            Self::Fixed(frame) => frame.alpha(),
            Self::Variable(_) => LARGEST_ALPHA,
        }
    }

    /// Time that this frame lost.
    #[must_use]
    pub fn lost(&self) -> Lost {
        match self {
            Self::Fixed(frame) => frame.lost(),
            Self::Variable(frame) => frame.lost(),
        }
    }

    /// Simulated time that has arrived but has not been stepped yet. None for steps that follow the display.
    #[must_use]
    pub fn overstep(&self) -> SimDuration {
        match self {
            Self::Fixed(frame) => frame.overstep(),
            Self::Variable(_) => SimDuration::ZERO,
        }
    }

    /// Whether time is kept back for later frames.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        match self {
            Self::Fixed(frame) => frame.is_behind(),
            Self::Variable(_) => false,
        }
    }

    /// The simulated time of the newest state.
    #[must_use]
    pub fn current_time(&self) -> SimTime {
        match self {
            Self::Fixed(frame) => frame.current_time(),
            Self::Variable(frame) => frame.current_time(),
        }
    }

    /// The simulated time that a blended frame shows.
    #[must_use]
    pub fn drawn_time(&self) -> SimTime {
        match self {
            Self::Fixed(frame) => frame.drawn_time(),
            Self::Variable(frame) => frame.current_time(),
        }
    }

    /// The simulated time that an extrapolated frame shows.
    #[must_use]
    pub fn extrapolated_time(&self) -> SimTime {
        match self {
            Self::Fixed(frame) => frame.extrapolated_time(),
            Self::Variable(frame) => frame.current_time(),
        }
    }

    /// The simulated time that a frame shows when it is drawn with this smoothing.
    #[must_use]
    pub fn shown_time(&self, smoothing: Smoothing) -> SimTime {
        match self {
            Self::Fixed(frame) => frame.shown_time(smoothing),
            Self::Variable(frame) => frame.current_time(),
        }
    }
}

impl From<Frame> for EitherFrame {
    fn from(frame: Frame) -> Self {
        Self::Fixed(frame)
    }
}

impl From<VariableFrame> for EitherFrame {
    fn from(frame: VariableFrame) -> Self {
        Self::Variable(frame)
    }
}

enum Steps<F, V> {
    Fixed(F),
    Variable(V),
}

impl<F: Iterator<Item = Step>, V: Iterator<Item = Step>> Iterator for Steps<F, V> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        match self {
            Self::Fixed(steps) => steps.next(),
            Self::Variable(steps) => steps.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Fixed(steps) => steps.size_hint(),
            Self::Variable(steps) => steps.size_hint(),
        }
    }
}

impl<F: ExactSizeIterator<Item = Step>, V: ExactSizeIterator<Item = Step>> ExactSizeIterator for Steps<F, V> {}

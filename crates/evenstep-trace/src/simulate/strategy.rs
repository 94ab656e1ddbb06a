//! Ways to step and to draw, and what evens out deltas before.

use std::fmt;
use std::time::Duration;

use evenstep::{
    DeltaFilter, DisplayClock, FixedTimestep, Frame, MovingAverage, PositionVelocity, Rate, Smoothed, Smoothing, Snap,
    Timestep, VariableTimestep,
};
use serde::Serialize;

/// How a program steps, and what it draws between steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// One step a frame, as long as the frame.
    Variable,
    /// One equal step a frame, however long the frame.
    Locked,
    /// Equal steps; the newest state is drawn.
    Fixed,
    /// Equal steps; drawn between the last two states.
    Interpolate,
    /// Equal steps; drawn ahead of the newest state by its velocity.
    Extrapolate,
    /// Equal steps; drawn on a curve between the last two states.
    Hermite,
    /// Equal steps, one ahead; drawn between the last two states, at the present.
    Lookahead,
    /// Equal steps; the rest of a step is simulated on a copy, which is drawn.
    Fork,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Variable,
        Self::Locked,
        Self::Fixed,
        Self::Interpolate,
        Self::Extrapolate,
        Self::Hermite,
        Self::Lookahead,
        Self::Fork,
    ];

    pub(crate) fn timestep(self, rate: Rate) -> Timestep {
        match self {
            Self::Variable => Timestep::Variable(VariableTimestep::new()),
            Self::Locked => Timestep::Variable(VariableTimestep::locked(rate)),
            Self::Lookahead => Timestep::Fixed(FixedTimestep::new(rate).with_lookahead()),
            _ => Timestep::Fixed(FixedTimestep::new(rate)),
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Variable => "variable",
            Self::Locked => "locked",
            Self::Fixed => "fixed",
            Self::Interpolate => "interpolate",
            Self::Extrapolate => "extrapolate",
            Self::Hermite => "hermite",
            Self::Lookahead => "lookahead",
            Self::Fork => "fork",
        })
    }
}

/// What evens out deltas before they reach the timestep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filter {
    /// Nothing.
    None,
    /// Whole refresh intervals, where a delta is nearly one.
    Snap,
    /// The mean of four.
    Average,
    /// A lock to the display.
    DisplayClock,
}

impl Filter {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::None, Self::Snap, Self::Average, Self::DisplayClock];

    /// A new filter, which has seen nothing yet.
    #[must_use]
    pub fn build(self) -> Box<dyn DeltaFilter> {
        match self {
            Self::None => Box::new(()),
            Self::Snap => Box::new(Snap::estimating()),
            Self::Average => Box::new(MovingAverage::<4>::new()),
            Self::DisplayClock => Box::new(DisplayClock::new()),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Snap => "snap",
            Self::Average => "average",
            Self::DisplayClock => "display-clock",
        })
    }
}

/// Seconds in which the object that is drawn goes round once.
const ROUND: f64 = 2.0;

/// Radians a second.
const SPEED: f64 = std::f64::consts::TAU / ROUND;

/// An object that goes round on a circle, in a simulation that is exact at the end of every step: all that can be wrong of
/// it is what is drawn between steps, and when.
pub(crate) struct Orbit {
    strategy: Strategy,
    period: f64,
    state: Smoothed<PositionVelocity<[f64; 2]>>,
}

impl Orbit {
    pub(crate) fn new(strategy: Strategy, rate: Rate) -> Self {
        Self {
            strategy,
            period: rate.period_secs_f64(),
            state: Smoothed::new(at(0.0)),
        }
    }

    /// Steps and draws a frame. Answers with the time, in seconds, at which the object is where it is drawn.
    pub(crate) fn draw(&mut self, frame: &Frame) -> f64 {
        for step in frame.steps() {
            self.state.begin_step();
            self.state.set(at(step.end().as_secs_f64()));
        }
        let now = frame.current_time().as_secs_f64();
        match self.strategy {
            Strategy::Variable | Strategy::Locked | Strategy::Fixed => now,
            Strategy::Fork => now + frame.remainder().dt,
            Strategy::Interpolate | Strategy::Lookahead => {
                let drawn = frame.drawn_time().as_secs_f64();
                self.time_of(Smoothing::Interpolate, frame.alpha(), drawn)
            }
            Strategy::Hermite => {
                let drawn = frame.drawn_time().as_secs_f64();
                self.time_of(Smoothing::Hermite, frame.alpha(), drawn)
            }
            Strategy::Extrapolate => {
                let horizon = Duration::from_secs_f64(self.period);
                let ahead = now + frame.alpha() * self.period;
                self.time_of(Smoothing::Extrapolate { horizon }, frame.alpha(), ahead)
            }
        }
    }

    /// The time that a drawn position belongs to, near one that is meant.
    fn time_of(&self, smoothing: Smoothing, alpha: f64, meant: f64) -> f64 {
        let [x, y] = self.state.drawn(smoothing, alpha, self.period).position;
        let (sine, cosine) = (SPEED * meant).sin_cos();
        // The angle from where it is meant to be.
        let off = (y * cosine - x * sine).atan2(x * cosine + y * sine);
        meant + off / SPEED
    }
}

fn at(time: f64) -> PositionVelocity<[f64; 2]> {
    let (sine, cosine) = (SPEED * time).sin_cos();
    PositionVelocity {
        position: [cosine, sine],
        velocity: [-SPEED * sine, SPEED * cosine],
    }
}

//! Strategies of stepping and drawing, and the delta filters in front of them.

use std::fmt;
use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::{FixedTimestep, PositionVelocity, Rate, SimTime, Smoothed, Smoothing};
use serde::Serialize;

use crate::simulate::candidates::Candidate;

/// The way in which a program steps, and the pose that it draws between steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Strategy {
    /// One step per frame, as long as the frame.
    Variable,
    /// One step of constant length per frame, however long the frame is.
    Locked,
    /// Steps of constant length; the newest state is drawn.
    Fixed,
    /// Steps of constant length; the drawn state is interpolated between the last two states.
    Interpolate,
    /// Steps of constant length; the newest state is extrapolated by its velocity.
    Extrapolate,
    /// Steps of constant length; the drawn state lies on a Hermite curve between the last two states.
    Hermite,
    /// Steps of constant length, one step early; interpolation between the last two states then has no visual latency.
    Lookahead,
    /// Steps of constant length; a copy of the state simulates the rest of the step and is drawn.
    Fork,
}

impl Strategy {
    /// All strategies.
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
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A delta filter in front of the timestep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Filter {
    /// No filter.
    None,
    /// Rounds deltas near a multiple of the refresh interval to it.
    Snap,
    /// The mean of the last four deltas.
    Average,
    /// The default filter of a `FrameClock`: `DisplayClock`.
    Default,
}

impl Filter {
    /// All filters.
    pub const ALL: [Self; 4] = [Self::None, Self::Snap, Self::Average, Self::Default];

    /// Creates the filter in its initial state.
    #[must_use]
    pub fn build(self) -> Box<dyn DeltaFilter> {
        match self {
            Self::None => Box::new(()),
            Self::Snap => Box::new(Candidate::snap()),
            Self::Average => Box::new(Candidate::average()),
            Self::Default => Box::new(DisplayClock::new()),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The time in seconds that the drawn object takes for one revolution.
const ROUND: f64 = 2.0;

/// The object's speed in radians per second.
const SPEED: f64 = std::f64::consts::TAU / ROUND;

/// An object on a circle whose state is exact at the end of every step. Any error comes from drawing between steps.
pub(crate) struct Orbit {
    strategy: Strategy,
    timestep: FixedTimestep,
    state: Smoothed<PositionVelocity<[f64; 2]>>,
    /// The simulated time of a program whose steps follow the display.
    followed: SimTime,
    /// The number of its steps.
    ticks: u64,
}

/// A simulated and drawn frame. Times are in seconds.
pub(crate) struct OrbitFrame {
    pub(crate) steps: usize,
    /// Time of the delta that is not simulated.
    pub(crate) lost: f64,
    /// The time at which the simulated object is at the drawn position.
    pub(crate) shown: f64,
}

impl Orbit {
    pub(crate) fn new(strategy: Strategy, rate: Rate) -> Self {
        let timestep = FixedTimestep::new(rate);
        Self {
            strategy,
            timestep: match strategy {
                Strategy::Lookahead => timestep.with_lookahead(),
                _ => timestep,
            },
            state: Smoothed::new(at(0.0)),
            followed: SimTime::ZERO,
            ticks: 0,
        }
    }

    /// Steps and draws a frame.
    pub(crate) fn advance(&mut self, delta: Duration) -> OrbitFrame {
        match self.strategy {
            Strategy::Variable => {
                let taken = delta.min(self.timestep.max_delta());
                self.followed = SimTime::at(self.followed.to_duration() + taken);
                self.follow(usize::from(!taken.is_zero()), delta - taken)
            }
            Strategy::Locked => {
                self.ticks += 1;
                self.followed = SimTime::at_tick(self.ticks, self.timestep.rate());
                self.follow(1, Duration::ZERO)
            }
            _ => self.advance_fixed(delta),
        }
    }

    /// A frame that draws the newest state, at the time `followed`.
    fn follow(&self, steps: usize, lost: Duration) -> OrbitFrame {
        OrbitFrame {
            steps,
            lost: lost.as_secs_f64(),
            shown: self.followed.as_secs_f64(),
        }
    }

    fn advance_fixed(&mut self, delta: Duration) -> OrbitFrame {
        let frame = self.timestep.advance(delta);
        for step in frame.steps() {
            self.state.begin_step();
            self.state.set(at(step.end().as_secs_f64()));
        }
        let period = self.timestep.rate().period_secs_f64();
        let smoothing = match self.strategy {
            Strategy::Hermite => Smoothing::Hermite,
            Strategy::Extrapolate => Smoothing::Extrapolate {
                horizon: Duration::from_secs_f64(period),
            },
            Strategy::Interpolate | Strategy::Lookahead => Smoothing::Interpolate,
            _ => Smoothing::None,
        };
        let meant = frame.shown_time(smoothing).as_secs_f64();
        OrbitFrame {
            steps: frame.steps().len(),
            // The longest delta has no more steps than a frame may have: none is dropped.
            lost: frame.lost().clamped.as_secs_f64(),
            shown: match self.strategy {
                Strategy::Fork => frame
                    .shown_time(Smoothing::Extrapolate { horizon: Duration::MAX })
                    .as_secs_f64(),
                Strategy::Fixed => meant,
                _ => self.time_of(smoothing, frame.alpha(), meant),
            },
        }
    }

    /// The time at which the object is at its drawn position, near the time that the drawing is meant to show.
    fn time_of(&self, smoothing: Smoothing, alpha: f64, meant: f64) -> f64 {
        let period = self.timestep.rate().period_secs_f64();
        let [x, y] = self.state.drawn(smoothing, alpha, period).position;
        let (sine, cosine) = (SPEED * meant).sin_cos();
        // The angle between the drawn and the intended position.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_tells_the_time_of_a_long_frame_that_it_does_not_simulate() {
        for strategy in [Strategy::Variable, Strategy::Interpolate, Strategy::Fixed] {
            let mut orbit = Orbit::new(strategy, Rate::hz(100));
            assert_eq!(orbit.advance(Duration::from_millis(20)).lost, 0.0, "{strategy}");
            let lost = orbit.advance(Duration::from_millis(400)).lost;
            assert!((lost - 0.15).abs() < 1e-9, "{strategy}: {lost} s");
        }
    }

    #[test]
    fn each_strategy_shows_the_time_of_the_place_on_the_circle_at_which_it_draws() {
        for strategy in Strategy::ALL {
            let mut orbit = Orbit::new(strategy, Rate::hz(10));
            for frame in 1..20_u32 {
                let drawn = orbit.advance(Duration::from_millis(130));
                let (now, part) = (f64::from(frame) * 0.13, f64::from(frame * 130 % 100) / 100.0);
                let last = now - 0.1 * part;
                // The angle of a point on the chord between two states, and on the tangent at one.
                let on_chord = |middle: f64| middle + ((2.0 * part - 1.0) * (SPEED * 0.05).tan()).atan() / SPEED;
                let (shown, tolerance) = match strategy {
                    Strategy::Variable | Strategy::Fork => (now, 1e-9),
                    Strategy::Locked => (f64::from(frame) * 0.1, 1e-9),
                    Strategy::Fixed => (last, 1e-9),
                    Strategy::Interpolate => (on_chord(last - 0.05), 1e-9),
                    Strategy::Lookahead => (on_chord(last + 0.05), 1e-9),
                    Strategy::Extrapolate => (last + (SPEED * 0.1 * part).atan() / SPEED, 1e-9),
                    Strategy::Hermite => (now - 0.1, 2e-5),
                };
                assert!(
                    (drawn.shown - shown).abs() < tolerance,
                    "{strategy}, frame {frame}: {} not {shown} s",
                    drawn.shown
                );
            }
        }
    }

    #[test]
    fn a_frame_without_time_has_no_step_unless_a_step_is_locked_to_it() {
        for strategy in Strategy::ALL {
            let mut orbit = Orbit::new(strategy, Rate::hz(100));
            let steps = [10, 0, 10].map(|millis| orbit.advance(Duration::from_millis(millis)).steps);
            let expected = match strategy {
                Strategy::Locked => [1, 1, 1],
                Strategy::Lookahead => [2, 0, 1],
                _ => [1, 0, 1],
            };
            assert_eq!(steps, expected, "{strategy}");
        }
    }
}

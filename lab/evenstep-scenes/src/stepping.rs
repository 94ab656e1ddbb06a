//! The ways of stepping that a fixed timestep replaces, to compare them with it.

use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Lost, Rate, SimTime, Smoothing, Step, Tick, TimeScale};

/// The steps of a clock that counts nanoseconds.
const NANOSECONDS: Rate = Rate::hz(1_000_000_000);

/// A timestep that is fixed, or follows the display.
///
/// ```
/// use evenstep_scenes::stepping::Timestep;
/// use std::time::Duration;
///
/// let mut timestep = Timestep::variable();
/// let steps: Vec<f64> = timestep.advance(Duration::from_millis(100)).steps().map(|step| step.dt).collect();
/// assert_eq!(steps, [0.1]); // a stiff spring explodes here
/// ```
#[derive(Clone, Debug)]
pub struct Timestep {
    stepping: Stepping,
    /// Makes the steps; if they follow the display, it counts the nanoseconds of which they are made.
    clock: FixedTimestep,
    tick: Tick,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stepping {
    Fixed,
    Whole,
    AtMost(Rate),
    Locked { is_paused: bool },
}

impl Timestep {
    /// Equal steps, independent of the display.
    #[must_use]
    pub fn fixed(timestep: FixedTimestep) -> Self {
        Self::new(Stepping::Fixed, timestep)
    }

    /// One step a frame, as long as the frame. The newest state is drawn.
    #[must_use]
    pub fn variable() -> Self {
        Self::new(
            Stepping::Whole,
            FixedTimestep::new(NANOSECONDS).with_max_steps(u32::MAX),
        )
    }

    /// As many steps of one period of `rate` as fit into the frame, then a shorter step for the rest.
    #[must_use]
    pub fn semi_fixed(rate: Rate) -> Self {
        Self::new(
            Stepping::AtMost(rate),
            FixedTimestep::new(NANOSECONDS).with_max_steps(u32::MAX),
        )
    }

    /// One step of one period of `rate` in every frame, independent of its length: the game runs as fast as the display.
    #[must_use]
    pub fn locked(rate: Rate) -> Self {
        let stopped = FixedTimestep::new(rate).with_time_scale(TimeScale::PAUSED);
        Self::new(Stepping::Locked { is_paused: false }, stopped)
    }

    fn new(stepping: Stepping, clock: FixedTimestep) -> Self {
        Self {
            stepping,
            clock,
            tick: 0,
        }
    }

    /// Sets how fast simulated time runs. Locked steps only pause.
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        match &mut self.stepping {
            Stepping::Locked { is_paused } => *is_paused = scale.is_paused(),
            _ => self.clock.set_time_scale(scale),
        }
    }

    /// Takes the real time since the last frame, and returns this frame's steps.
    pub fn advance(&mut self, delta: Duration) -> SteppedFrame {
        let frame = match self.stepping {
            Stepping::Locked { is_paused } => {
                if !is_paused {
                    self.clock.step_once();
                }
                self.clock.advance(Duration::ZERO)
            }
            _ => self.clock.advance(delta),
        };
        let count = u64::from(frame.step_count());
        let (whole, rest) = match self.stepping {
            Stepping::Fixed | Stepping::Locked { .. } => ((count, self.clock.rate()), 0),
            Stepping::Whole => ((0, NANOSECONDS), count),
            Stepping::AtMost(rate) => {
                // Counted exactly: whole nanoseconds of a period would drift.
                let whole = u128::from(count) * u128::from(rate.numer()) / (u128::from(rate.denom()) * 1_000_000_000);
                let whole = u64::try_from(whole).unwrap_or(u64::MAX);
                let taken = SimTime::at_tick(whole, rate).to_duration().as_nanos();
                ((whole, rate), count - u64::try_from(taken).unwrap_or(count).min(count))
            }
        };
        let stepped = SteppedFrame {
            frame,
            is_fixed: self.stepping == Stepping::Fixed,
            first: self.tick,
            whole,
            // A step of some nanoseconds is the period of this rate.
            rest: Rate::new(1_000_000_000, rest as u32).ok(),
        };
        self.tick = stepped.tick();
        stepped
    }
}

/// The steps of a frame, and what it shows.
#[derive(Clone, Copy, Debug)]
pub struct SteppedFrame {
    /// The frame of the clock that makes the steps.
    frame: Frame,
    is_fixed: bool,
    first: Tick,
    /// The number of steps of a period of a rate, and the rate.
    whole: (u64, Rate),
    /// The rate whose period is the length of one more step.
    rest: Option<Rate>,
}

impl SteppedFrame {
    /// The steps to run, oldest first. Of steps that follow the display only tick and length are valid, not the time at which they start.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        let Self {
            first,
            whole: (count, rate),
            rest,
            ..
        } = *self;
        (first..self.tick()).map(move |tick| {
            let rest = rest.filter(|_| tick == first + count);
            Step::new(tick, rest.unwrap_or(rate))
        })
    }

    /// The number of steps that are complete after this frame's.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.first + self.whole.0 + u64::from(self.rest.is_some())
    }

    /// Where to draw between the previous state (0) and the newest (1).
    #[must_use]
    pub fn alpha(&self) -> f64 {
        if self.is_fixed { self.frame.alpha() } else { 1.0 }
    }

    /// Time that this frame lost.
    #[must_use]
    pub fn lost(&self) -> Lost {
        self.frame.lost()
    }

    /// The simulated time that has arrived: that of the newest state, and what is kept for the steps of later frames.
    #[must_use]
    pub fn released_time(&self) -> SimTime {
        self.shown_time(Smoothing::None) + self.frame.overstep()
    }

    /// The simulated time that the frame shows when it is drawn with this smoothing.
    #[must_use]
    pub fn shown_time(&self, smoothing: Smoothing) -> SimTime {
        self.frame.shown_time(smoothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn lengths(timestep: &mut Timestep, delta: Duration) -> Vec<f64> {
        let frame = timestep.advance(delta);
        let first = frame.tick() - frame.steps().count() as u64;
        assert!(frame.steps().map(|step| step.tick).eq(first..frame.tick()));
        frame.steps().map(|step| step.dt).collect()
    }

    #[test]
    fn a_step_is_as_long_as_the_frame_and_none_longer_than_the_limit() {
        let mut timestep = Timestep::variable();
        assert_eq!(lengths(&mut timestep, 16 * MS), [0.016]);
        assert!(lengths(&mut timestep, Duration::ZERO).is_empty());
        assert_eq!(timestep.advance(280 * MS).lost().clamped, 30 * MS);
        timestep.set_time_scale(TimeScale::new(1, 2).unwrap());
        assert_eq!(lengths(&mut timestep, 100 * MS), [0.05]);
        assert_eq!(
            timestep.advance(Duration::ZERO).shown_time(Smoothing::None),
            SimTime::at(316 * MS)
        );
    }

    #[test]
    fn semi_fixed_steps_fill_the_frame_and_locked_ones_do_not_see_it() {
        let mut semi = Timestep::semi_fixed(Rate::hz(100));
        assert_eq!(lengths(&mut semi, 25 * MS), [0.01, 0.01, 0.005]);
        assert_eq!(lengths(&mut semi, 10 * MS), [0.01]);
        let mut locked = Timestep::locked(Rate::hz(50));
        for delta in [MS, 100 * MS] {
            assert_eq!(lengths(&mut locked, delta), [0.02]);
        }
        assert_eq!(locked.advance(MS).shown_time(Smoothing::None), SimTime::at(60 * MS));
    }
}

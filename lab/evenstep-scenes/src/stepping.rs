//! The ways of stepping that a fixed timestep replaces, to compare them with it.

use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Lost, Rate, SimTime, Smoothing, Step, Tick, TimeScale};

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
    /// What follows is for steps that follow the display.
    max_delta: Duration,
    scale: TimeScale,
    tick: Tick,
    /// The simulated time that has passed, unless steps are locked.
    now: Duration,
}

#[derive(Clone, Debug)]
enum Stepping {
    Fixed(FixedTimestep),
    Whole,
    AtMost(Rate),
    Locked(Rate),
}

impl Timestep {
    /// Equal steps, independent of the display.
    #[must_use]
    pub fn fixed(timestep: FixedTimestep) -> Self {
        Self::new(Stepping::Fixed(timestep))
    }

    /// One step a frame, as long as the frame. The newest state is drawn.
    #[must_use]
    pub fn variable() -> Self {
        Self::new(Stepping::Whole)
    }

    /// As many steps of one period of `rate` as fit into the frame, then a shorter step for the rest.
    #[must_use]
    pub fn semi_fixed(rate: Rate) -> Self {
        Self::new(Stepping::AtMost(rate))
    }

    /// One step of one period of `rate` in every frame, independent of its length: the game runs as fast as the display.
    #[must_use]
    pub fn locked(rate: Rate) -> Self {
        Self::new(Stepping::Locked(rate))
    }

    fn new(stepping: Stepping) -> Self {
        Self {
            stepping,
            max_delta: FixedTimestep::DEFAULT_MAX_DELTA,
            scale: TimeScale::NORMAL,
            tick: 0,
            now: Duration::ZERO,
        }
    }

    /// The same with a longest delta, if its steps follow the display. A frame never simulates more than 4 s.
    #[must_use]
    pub fn with_max_delta(mut self, max_delta: Duration) -> Self {
        self.max_delta = max_delta;
        self
    }

    /// Sets how fast simulated time runs.
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        self.scale = scale;
        if let Stepping::Fixed(fixed) = &mut self.stepping {
            fixed.set_time_scale(scale);
        }
    }

    /// Takes the real time since the last frame, and returns this frame's steps.
    pub fn advance(&mut self, delta: Duration) -> SteppedFrame {
        let mut frame = SteppedFrame {
            fixed: None,
            first: self.tick,
            whole: (0, Rate::hz(1)),
            rest: None,
            clamped: Duration::ZERO,
            now: SimTime::ZERO,
        };
        match &mut self.stepping {
            Stepping::Fixed(fixed) => {
                let steps = fixed.advance(delta);
                frame.whole = (steps.steps().len() as u64, fixed.rate());
                frame.now = steps.shown_time(Smoothing::None);
                frame.fixed = Some(steps);
            }
            Stepping::Locked(rate) => {
                frame.whole = (u64::from(!self.scale.is_paused()), *rate);
                frame.now = SimTime::at_tick(frame.tick(), *rate);
            }
            Stepping::Whole | Stepping::AtMost(_) => self.follow(delta, &mut frame),
        }
        self.tick = frame.tick();
        frame
    }

    /// Fills the delta with steps.
    fn follow(&mut self, delta: Duration, frame: &mut SteppedFrame) {
        let taken = delta.min(self.max_delta);
        frame.clamped = delta - taken;
        let nanos = taken.as_nanos() * u128::from(self.scale.numer()) / u128::from(self.scale.denom());
        let mut nanos = u32::try_from(nanos).unwrap_or(u32::MAX);
        self.now += Duration::from_nanos(nanos.into());
        if let Stepping::AtMost(rate) = self.stepping {
            let period = rate.period_nanos().max(1);
            frame.whole = (u64::from(nanos) / period, rate);
            nanos = (u64::from(nanos) % period) as u32;
        }
        // A step of `nanos` is the period of this rate.
        frame.rest = Rate::new(1_000_000_000, nanos).ok();
        frame.now = SimTime::at(self.now);
    }
}

/// The steps of a frame, and what it shows.
#[derive(Clone, Copy, Debug)]
pub struct SteppedFrame {
    /// The frame of a fixed timestep.
    fixed: Option<Frame>,
    first: Tick,
    /// The number of steps of a period of a rate, and the rate.
    whole: (u64, Rate),
    /// The rate whose period is the length of one more step.
    rest: Option<Rate>,
    clamped: Duration,
    now: SimTime,
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
        self.fixed.map_or(1.0, |frame| frame.alpha())
    }

    /// Time that this frame lost.
    #[must_use]
    pub fn lost(&self) -> Lost {
        let mut lost = self.fixed.map(|frame| frame.lost()).unwrap_or_default();
        lost.clamped += self.clamped;
        lost
    }

    /// The simulated time of the newest state.
    #[must_use]
    pub const fn current_time(&self) -> SimTime {
        self.now
    }

    /// The simulated time that has arrived: that of the newest state, and what is kept for the steps of later frames.
    #[must_use]
    pub fn released_time(&self) -> SimTime {
        self.fixed.map_or(self.now, |frame| self.now + frame.overstep())
    }

    /// The simulated time that the frame shows when it is drawn with this smoothing.
    #[must_use]
    pub fn shown_time(&self, smoothing: Smoothing) -> SimTime {
        self.fixed.map_or(self.now, |frame| frame.shown_time(smoothing))
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
        let mut timestep = Timestep::variable().with_max_delta(100 * MS);
        assert_eq!(lengths(&mut timestep, 16 * MS), [0.016]);
        assert!(lengths(&mut timestep, Duration::ZERO).is_empty());
        assert_eq!(timestep.advance(130 * MS).lost().clamped, 30 * MS);
        timestep.scale = TimeScale::new(1, 2).unwrap();
        assert_eq!(lengths(&mut timestep, 100 * MS), [0.05]);
        assert_eq!(timestep.advance(Duration::ZERO).current_time(), SimTime::at(166 * MS));
        let mut endless = Timestep::variable().with_max_delta(Duration::MAX);
        assert_eq!(lengths(&mut endless, Duration::MAX).len(), 1);
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
        assert_eq!(locked.advance(MS).current_time(), SimTime::at(60 * MS));
    }
}

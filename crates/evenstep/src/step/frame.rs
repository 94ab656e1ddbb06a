//! The plan that a timestep returns for a delta.

use core::ops::Range;
use core::time::Duration;

use crate::drawing::Smoothing;
use crate::filter::FrameTime;
use crate::step::{Lost, Step, Steps};
use crate::time::{Rate, SimDuration, SimTime, Tick, TimeScale, duration_from_nanos};

/// The largest `f64` below 1 that is still below 1 as `f32`.
pub(crate) const LARGEST_ALPHA: f64 = 1.0 - 1.0 / (1_u32 << 24) as f64;

/// The plan for one displayed frame: which steps to run, then how to draw.
///
/// A `Copy` value that borrows nothing. Run [`steps`](Self::steps), then draw the state between the last two at
/// [`alpha`](Self::alpha).
///
/// ```
/// use evenstep::{FixedTimestep, Rate, Smoothing};
/// use std::time::Duration;
///
/// let mut timestep = FixedTimestep::new(Rate::hz(100));
/// let frame = timestep.advance(Duration::from_millis(25));
///
/// let mut position = 0.0;
/// for step in frame.steps() {
///     position += 3.0 * step.dt;
/// }
/// assert_eq!(frame.step_count(), 2);
/// assert_eq!(frame.alpha(), 0.5);
/// assert_eq!(frame.shown_time(Smoothing::Interpolate).as_secs_f64(), 0.015);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub(super) rate: Rate,
    pub(super) scale: TimeScale,
    pub(super) first: Tick,
    pub(super) count: u32,
    pub(super) single_steps: u32,
    /// Whether time arrived, even if the overrun policy dropped it.
    pub(super) has_time: bool,
    // In units, as the words of [`step`](crate::step) say.
    pub(super) begin: u64,
    pub(super) fraction: u64,
    pub(super) backlog: u64,
    pub(super) shown: u64,
    pub(super) lost: Lost,
}

/// The simulated time by which a frame advanced, from `begin` to `end` after the start of its first step, in units of
/// which `per_step` make a step. A dropped step is not part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Progress {
    /// The step from which it is counted, less `early`.
    pub(crate) first: Tick,
    /// How many steps would lie before tick 0: time that is spent there belongs to tick 0.
    pub(crate) early: Tick,
    pub(crate) begin: u128,
    pub(crate) end: u128,
    pub(crate) per_step: u64,
    /// Whether no time arrived: a frame whose time was dropped has the same begin and end, but is not part of a pause.
    pub(crate) stands_still: bool,
}

impl Frame {
    /// The steps to run before this frame is drawn, oldest first. Each call returns all of them, so a second `for` simulates them again: run
    /// them once, and ask [`step_count`](Self::step_count) for their number.
    pub fn steps(&self) -> Steps {
        Steps {
            next: self.first,
            end: self.tick(),
            rate: self.rate,
            dt: self.rate.period_secs_f64(),
            #[cfg(feature = "tracing")]
            span: super::step_span::StepSpan::none(),
        }
    }

    /// The number of its steps.
    #[must_use]
    pub const fn step_count(&self) -> u32 {
        self.count
    }

    /// The simulated time by which the frame advanced, including time that is kept back.
    pub(crate) fn progress(&self) -> Progress {
        Progress {
            first: self.first,
            early: 0,
            begin: self.begin.into(),
            end: self.units_after(self.count.into()),
            per_step: self.rate.units_per_step(),
            stands_still: !self.has_time && self.single_steps == 0,
        }
    }

    /// So many steps and the overstep, in units.
    fn units_after(&self, steps: u64) -> u128 {
        u128::from(steps) * u128::from(self.rate.units_per_step()) + u128::from(self.fraction + self.backlog)
    }

    /// The simulated time that this frame adds, in 2⁻³² of a step since the start of tick 0: from where the last frame
    /// ended to where this one ends. Time that is kept back counts, steps that were dropped do not.
    ///
    /// A quantity given for a frame, such as a held force, is spread over steps by it: step `n` covers the units from
    /// `n << 32` to `(n + 1) << 32`. The units are whole numbers, so that one frame begins exactly where the last one ended.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(100));
    /// let _ = timestep.advance(Duration::from_millis(5));
    /// let frame = timestep.advance(Duration::from_millis(10));
    /// assert_eq!(frame.covered(), 1 << 31..3 << 31); // half of step 0, half of step 1
    /// ```
    #[must_use]
    pub fn covered(&self) -> Range<u128> {
        let frame = self.progress();
        let (first, per_step) = (u128::from(self.first) << 32, u128::from(frame.per_step));
        let units = |time: u128| first + (time << 32) / per_step; // frames are shorter than 2^96
        units(frame.begin.min(frame.end))..units(frame.end)
    }

    /// How long before this frame a step of it was due: before the moment up to which [`advance`](crate::FixedTimestep::advance)
    /// was given the time. To the nanosecond, rounded down, at the frame's [time scale](Self::time_scale).
    ///
    /// A step is due when time for it has arrived: step 0 of a simulation at 100 Hz is due 10 ms after the first frame. Time that the
    /// overrun policy kept back counts from its arrival. A single step is due together with the step before it, and all steps after it a
    /// period earlier. Zero for steps of later frames and in a pause.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(100));
    /// let frame = timestep.advance(Duration::from_millis(25));
    /// let late: Vec<_> = frame.steps().map(|step| frame.lateness(&step)).collect();
    /// assert_eq!(late, [15, 5].map(Duration::from_millis));
    /// ```
    #[must_use]
    pub fn lateness(&self, step: &Step) -> Duration {
        let later = step.tick.checked_add(1).and_then(|end| self.tick().checked_sub(end));
        let Some(later) = later else {
            return Duration::ZERO;
        };
        // Less than 2^96 x 2^32.
        let parts = self.units_after(later.min(u32::MAX.into())) * u128::from(self.scale.denom());
        let parts_per_nano = self.rate.units_per_nano() * u64::from(self.scale.numer());
        duration_from_nanos(parts.checked_div(parts_per_nano.into()).unwrap_or(0))
    }

    /// When a step of this frame was due on the program's clock: the [time of the frame](FrameTime::now), less its
    /// [lateness](Self::lateness). The time at which its code runs, less this, is by how much it is late.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, FrameClock, Rate};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let (mut clock, mut timestep) = (FrameClock::unfiltered(), FixedTimestep::new(Rate::hz(100)));
    /// clock.begin_frame(ms(1000)); // the first frame: the origin
    /// let time = clock.begin_frame(ms(1025));
    /// let frame = timestep.advance(time.delta);
    /// let due: Vec<_> = frame.steps().map(|step| frame.due(&time, &step)).collect();
    /// assert_eq!(due, [ms(1010), ms(1020)]);
    /// ```
    #[must_use]
    pub fn due(&self, time: &FrameTime, step: &Step) -> Duration {
        time.now().saturating_sub(self.lateness(step))
    }

    /// How fast simulated time ran in this frame.
    #[must_use]
    pub fn time_scale(&self) -> TimeScale {
        self.scale
    }

    /// The number of steps that [`step_once`](crate::FixedTimestep::step_once) requested, which use up no time.
    #[must_use]
    pub fn single_steps(&self) -> u32 {
        self.single_steps
    }

    /// The length of the steps for which time was released: all but single steps.
    pub(crate) fn stepped(&self) -> SimDuration {
        let released = self.count.saturating_sub(self.single_steps);
        SimTime::at_tick(released.into(), self.rate) - SimTime::ZERO
    }

    /// The [`overstep`](Self::overstep) without the time that is kept back: less than a step.
    pub(crate) fn fraction(&self) -> SimDuration {
        self.length(self.fraction)
    }

    fn length(&self, units: u64) -> SimDuration {
        SimDuration::new(units.into(), self.rate.units_per_nano().into())
    }

    /// The number of steps that the simulation has completed after this frame's steps; the index of the next step.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.first + Tick::from(self.count)
    }

    /// Where to draw between the previous state (0) and the current one (towards 1). At least 0, and below 1 also
    /// after rounding to `f32`.
    #[must_use]
    #[inline]
    pub fn alpha(&self) -> f64 {
        alpha(self.shown, self.rate)
    }

    /// Simulated time that has arrived but has not been stepped yet, exact. Less than a period unless the simulation
    /// [is behind](Self::is_behind).
    #[must_use]
    pub fn overstep(&self) -> SimDuration {
        self.length(self.fraction + self.backlog)
    }

    /// Whether time is kept back for later frames, by a [policy that keeps time](crate::Overrun::keeps_time).
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.backlog > 0
    }

    /// The step that is under way: from the newest state to the moment of the frame, shorter than a period; its length may be zero.
    ///
    /// Run it on a copy of the state, draw the copy and discard it: this draws the present, while interpolation draws a step behind.
    /// The true state does not run this step, so it stays deterministic. It costs a copy and a step for each frame, and the effect of
    /// input is drawn only after the true step has run. Known as *fixed render tick*: J. Tomsu, *Fixed timestep without
    /// interpolation* (2024).
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate, Step};
    /// use std::time::Duration;
    ///
    /// #[derive(Clone)]
    /// struct Ball(f64);
    ///
    /// fn step(ball: &mut Ball, step: &Step) {
    ///     ball.0 += 2.0 * step.dt; // 2 m/s
    /// }
    ///
    /// let mut ball = Ball(0.0);
    /// let frame = FixedTimestep::new(Rate::hz(10)).advance(Duration::from_millis(250));
    /// frame.steps().for_each(|s| step(&mut ball, &s));
    /// let mut drawn = ball.clone();
    /// step(&mut drawn, &frame.remainder());
    /// assert!((drawn.0 - 0.5).abs() < 1e-12); // 250 ms, not 200
    /// assert!((ball.0 - 0.4).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn remainder(&self) -> Step {
        let mut step = Step::new(self.tick(), self.rate);
        step.dt *= self.alpha();
        step
    }

    /// Time that this frame lost.
    #[must_use]
    pub fn lost(&self) -> Lost {
        self.lost
    }

    /// The simulated time that the frame shows when it is drawn with a smoothing, exact. It never goes back.
    ///
    /// | smoothing | shows |
    /// |---|---|
    /// | [`None`](Smoothing::None) | the current state: `tick × period`. An event that is due by it is due as soon as its step has run |
    /// | [`Interpolate`](Smoothing::Interpolate), [`Hermite`](Smoothing::Hermite) | between the previous state and the current one, at [`alpha`](Self::alpha); zero until the first step |
    /// | [`Extrapolate`](Smoothing::Extrapolate) | time that has arrived, up to the horizon after the current state. With [`Duration::MAX`], the time of a copy that ran the [`remainder`](Self::remainder) |
    ///
    /// The difference between the intervals of this and of the times at which the frames are presented is the *animation error*.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate, Smoothing};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let frame = FixedTimestep::new(Rate::hz(100)).advance(ms(25));
    /// let shown = |smoothing| frame.shown_time(smoothing).to_duration();
    /// assert_eq!(shown(Smoothing::None), ms(20));
    /// assert_eq!(shown(Smoothing::Interpolate), ms(15));
    /// assert_eq!(shown(Smoothing::Extrapolate { horizon: ms(100) }), ms(25));
    /// assert_eq!(shown(Smoothing::Extrapolate { horizon: ms(3) }), ms(23));
    /// ```
    #[must_use]
    pub fn shown_time(&self, smoothing: Smoothing) -> SimTime {
        let current = SimTime::at_tick(self.tick(), self.rate);
        let after = |time: SimTime| time.after(self.shown.into(), self.rate.units_per_nano().into());
        match smoothing {
            Smoothing::None => current,
            Smoothing::Interpolate | Smoothing::Hermite => match self.tick().checked_sub(1) {
                Some(previous) => after(SimTime::at_tick(previous, self.rate)),
                None => SimTime::ZERO,
            },
            Smoothing::Extrapolate { horizon } => after(current).min(current + SimDuration::from(horizon)),
        }
    }
}

/// A number of units, at most a step, as a part of a step.
#[inline]
pub(super) fn alpha(units: u64, rate: Rate) -> f64 {
    // Below 2⁶²: processors convert signed numbers in one instruction.
    (units as i64 as f64 / rate.units_per_step() as i64 as f64).min(LARGEST_ALPHA)
}

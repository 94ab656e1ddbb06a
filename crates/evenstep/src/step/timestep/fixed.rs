//! The accumulator of a [`FixedTimestep`].

use core::time::Duration;

use crate::step::frame::{LARGEST_ALPHA, Leftover};
use crate::step::sim_clock::SimClock;
use crate::step::{Frame, Lost};
use crate::time::{Rate, Tick};

/// An accumulator in exact arithmetic: it takes the renderer's deltas and grants equal steps.
///
/// Use it for every simulation whose outcome must not depend on the display. It is a plain value that never reads a
/// clock: pass it the time that has passed, and it returns a [`Frame`], whose steps you run in your own loop. After any sequence
/// of deltas,
///
/// ```text
/// ticks × period + overstep + lost = Σ delta × time scale + single steps × period
/// ```
///
/// in exact arithmetic, where `lost` is [clamped](Lost::clamped) time × time scale, [dropped](Lost::dropped) steps ×
/// period and [rounded](Lost::rounded) time. [Suspended](Lost::suspended) deltas do not count.
///
/// The [drawn time](Frame::shown_time) never goes back from one frame to the next, whichever methods are called in between, except for
/// [`reset`](Self::reset). Where dropped steps would take it back, it stands still.
///
/// ```
/// use evenstep::{FixedTimestep, Rate};
/// use std::time::Duration;
///
/// let mut timestep = FixedTimestep::new(Rate::hz(60));
/// let mut ticks = 0;
/// for _ in 0..144 {
///     let frame = timestep.advance(Duration::from_nanos(6_944_444)); // a display at 144 Hz
///     for step in frame.steps() {
///         assert_eq!(step.tick, ticks);
///         ticks += 1;
///     }
/// }
/// assert_eq!(ticks, 59); // 64 ns short of a second
/// assert_eq!(timestep.advance(Duration::from_nanos(64)).steps().len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "super::saved::Saved", into = "super::saved::Saved")
)]
pub struct FixedTimestep {
    /// The clock whose period is a step: it counts the steps that were granted and the time towards the next one.
    pub(super) clock: SimClock,
    /// None if it follows from the other settings.
    pub(super) max_steps: Option<u32>,
    /// The most steps of a frame: `max_steps`, or the number that follows from `max_delta`.
    pub(super) step_limit: u32,
    /// The drawn time within the current step, in units: the clock's fraction, or more while it stands still because time was
    /// dropped.
    pub(super) drawn: u128,
    pub(super) single_steps: u32,
    pub(super) lookahead: bool,
    pub(super) last: LastFrame,
}

/// The part of the last frame that is needed to take its steps back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct LastFrame {
    /// Its steps that were not given back.
    pub(super) count: u32,
    /// Fraction and debt before it.
    pub(super) before: u128,
    /// `drawn` before it.
    pub(super) drawn: u128,
}

impl FixedTimestep {
    /// A timestep at tick 0 that grants steps at `rate`.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        let clock = SimClock::new(rate);
        Self {
            step_limit: clock.most_periods(),
            clock,
            max_steps: None,
            drawn: 0,
            single_steps: 0,
            lookahead: false,
            last: LastFrame::default(),
        }
    }

    /// The same, one step ahead: the first frame, also after a [`reset`](Self::reset), has one step more than its time pays
    /// for. The blended state is then the present and not a step ago, but input acts a step later.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate, Smoothing};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(10)).with_lookahead();
    /// let frame = timestep.advance(Duration::from_millis(250));
    /// assert_eq!(frame.steps().len(), 3);
    /// assert_eq!(frame.shown_time(Smoothing::Interpolate).to_duration(), Duration::from_millis(250));
    /// ```
    #[must_use]
    pub fn with_lookahead(mut self) -> Self {
        if !self.lookahead {
            self.lookahead = true;
            self.step_once();
        }
        self
    }

    /// An idle frame, without time and steps, at the current time of this timestep. Use it to draw before the first
    /// [`advance`](Self::advance).
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    ///
    /// let timestep = FixedTimestep::new(Rate::hz(60)).with_lookahead();
    /// let frame = timestep.idle_frame();
    /// assert_eq!((frame.tick(), frame.steps().len()), (0, 0));
    /// ```
    pub fn idle_frame(&self) -> Frame {
        Frame {
            rate: self.clock.rate,
            scale: self.time_scale(),
            first: self.clock.tick,
            count: 0,
            single_steps: 0,
            has_time: false,
            leftover: Leftover {
                before: self.clock.fraction + self.clock.debt,
                ..self.leftover()
            },
            lost: Lost::default(),
        }
    }

    /// The rate at which steps are granted.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.clock.rate
    }

    /// How many steps have been granted; the index of the next.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.clock.tick
    }

    /// Grants one more step in the next frame without using up any time, for stepping through a pause: at a time scale of zero, or
    /// [suspended](Self::suspend). At most 2^32 - 1 such steps wait for a frame.
    pub fn step_once(&mut self) {
        self.single_steps = self.single_steps.saturating_add(1);
    }

    /// Begins a known pause, such as a hidden tab or a level that loads: until [`resume`](Self::resume), deltas are
    /// reported as [suspended](Lost::suspended) and grant nothing but [single steps](Self::step_once). It is not a slow frame.
    pub fn suspend(&mut self) {
        self.clock.suspend();
    }

    /// Ends a known pause. The next delta began within it, so it is the last to be reported as
    /// [suspended](Lost::suspended). Without a pause it does nothing.
    pub fn resume(&mut self) {
        self.clock.resume();
    }

    /// Whether it is in a known pause: from [`suspend`](Self::suspend) to [`resume`](Self::resume).
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.clock.is_suspended()
    }

    /// Drops the backlog, after a load or an alt-tab that was noticed too late to [`suspend`](Self::suspend): the next frame drops the
    /// steps kept back, and its delta counts as [suspended](Lost::suspended).
    pub fn resync(&mut self) {
        self.clock.resync();
    }

    /// Starts over at tick 0 with the same settings and lookahead. A known pause continues. No other method sets time back:
    /// [retract](crate::input::EventQueue::retract_from) events that have not been presented yet.
    pub fn reset(&mut self) {
        self.clock.reset();
        (self.drawn, self.last) = (0, LastFrame::default());
        self.single_steps = u32::from(self.lookahead);
    }

    /// Takes the real time since the last frame, and returns the plan for this frame. Integer arithmetic only;
    /// accepts any delta.
    #[inline]
    #[must_use = "the steps of a frame are the simulation's due; a frame that is dropped loses them"]
    pub fn advance(&mut self, delta: Duration) -> Frame {
        let nanos = u64::try_from(delta.as_nanos()).ok();
        match nanos.and_then(|nanos| self.advance_plain(nanos)) {
            Some(_) => self.plain_frame(),
            None => self.advance_any(delta),
        }
    }

    /// The first case of [`advance`](Self::advance): a frame in which no time is lost, kept back or suspended, no setting takes
    /// effect, and all numbers fit into 64 bits, as in nearly every frame. Takes nanoseconds, and returns the number of steps
    /// and the alpha. For any other frame it returns none, and nothing has changed.
    ///
    /// Packages for other languages, which return a few numbers, call it first and do not build a [`Frame`].
    #[doc(hidden)]
    #[inline(always)]
    pub fn advance_plain(&mut self, nanos: u64) -> Option<(u32, f64)> {
        let clock = &mut self.clock;
        let units = &clock.units;
        let amounts = clock.fraction | self.drawn | units.per_step | units.per_nano_of_delta;
        let is_small = (amounts >> 64) as u64 | clock.debt as u64 | (clock.debt >> 64) as u64 == 0;
        if !is_small || self.single_steps > 0 || !clock.is_plain() || nanos > clock.longest_nanos {
            return None;
        }
        let (before, per_step) = (clock.fraction as u64, units.per_step as u64);
        let arrived = nanos.checked_mul(units.per_nano_of_delta as u64)?.checked_add(before)?;
        let (due, fraction) = match arrived.checked_sub(per_step) {
            None => (0, arrived),
            Some(rest) if rest < per_step => (1, rest),
            Some(_) => (arrived / per_step, arrived % per_step),
        };
        if due > u64::from(self.step_limit) {
            return None;
        }
        clock.tick = clock.tick.checked_add(due)?;
        let count = due as u32;
        let drawn = if count == 0 {
            fraction.max(self.drawn as u64)
        } else {
            fraction
        };
        (self.last.count, self.last.before, self.last.drawn) = (count, before.into(), self.drawn);
        (clock.fraction, self.drawn) = (fraction.into(), drawn.into());
        Some((count, (drawn as f64 / per_step as f64).min(LARGEST_ALPHA)))
    }

    /// The frame of the last [`advance_plain`](Self::advance_plain) that returned one, if neither [`advance`](Self::advance) nor
    /// [`reset`](Self::reset) was called since. Settings do not change it.
    #[doc(hidden)]
    #[inline]
    pub fn plain_frame(&self) -> Frame {
        Frame {
            rate: self.clock.rate,
            scale: self.clock.units.scale,
            first: self.clock.tick - Tick::from(self.last.count),
            count: self.last.count,
            single_steps: 0,
            has_time: self.last.count > 0 || self.clock.fraction != self.last.before,
            leftover: self.leftover(),
            lost: Lost::default(),
        }
    }

    /// The other case of [`advance`](Self::advance): any delta, in any state.
    #[cold]
    fn advance_any(&mut self, delta: Duration) -> Frame {
        let mut lost = Lost::default();
        if self.clock.resync || self.clock.is_rescaled() {
            self.settle(&mut lost);
        }
        let clock = &mut self.clock;
        (self.last.before, self.last.drawn) = (clock.fraction + clock.debt, self.drawn);
        let (arrived, released) = clock.pass(delta, &mut lost);
        let (due, fraction) = div_rem(clock.fraction + released, clock.units.per_step);
        clock.fraction = fraction;
        let due = due as u64;
        let granted = due.min(u64::from(self.step_limit)) as u32;
        if due > u64::from(granted) {
            lost.dropped += self.keep_back_steps(due - u64::from(granted));
        }
        let frame = self.grant(granted, arrived > 0, lost);
        #[cfg(feature = "tracing")]
        frame.lost.trace_steps(frame.tick());
        frame
    }

    /// Takes back the last `unrun` steps of `frame`, the last frame granted, for which the caller had no time; all of them if it has
    /// fewer. The [overrun policy](Self::overrun) decides about them. Returns the resulting frame, which is the one to draw.
    ///
    /// A frame that is neither the last one granted nor the last result of this method is returned unchanged.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(100));
    /// let frame = timestep.advance(Duration::from_millis(40));
    /// let mut steps = frame.steps();
    /// let ran_in_time = steps.next();
    /// let frame = timestep.give_back(frame, steps.len() as u32);
    /// assert_eq!((frame.tick(), frame.lost().dropped), (1, 3));
    /// ```
    pub fn give_back(&mut self, frame: Frame, unrun: u32) -> Frame {
        if !self.is_last(&frame) {
            return frame;
        }
        let unrun = unrun.min(frame.count);
        self.clock.tick -= Tick::from(unrun);
        self.last.count -= unrun;
        if self.last.count == 0 {
            self.drawn = self.drawn.max(self.last.drawn);
        }
        let mut lost = frame.lost;
        let dropped = self.keep_back_steps(u64::from(unrun));
        lost.dropped += dropped;
        #[cfg(feature = "tracing")]
        Lost {
            dropped,
            ..Lost::default()
        }
        .trace_steps(self.clock.tick);
        Frame {
            count: self.last.count,
            leftover: self.leftover(),
            lost,
            ..frame
        }
    }

    fn is_last(&self, frame: &Frame) -> bool {
        frame.count == self.last.count
            && frame.tick() == self.clock.tick
            && frame.rate == self.clock.rate
            && frame.leftover == self.leftover()
    }

    /// Drops time that is kept back, and counts in units that suit a new time scale.
    #[cold]
    fn settle(&mut self, lost: &mut Lost) {
        let clock = &mut self.clock;
        if core::mem::take(&mut clock.resync) {
            let (dropped, fraction) = div_rem(clock.fraction + clock.debt, clock.units.per_step);
            lost.dropped = dropped as u64;
            (clock.fraction, clock.debt) = (fraction, 0);
            self.drawn = self.drawn.max(fraction);
        }
        if clock.is_rescaled() {
            let (former, rounded) = clock.rescale();
            lost.rounded = rounded;
            // Rounded up, so that the drawn time does not go back.
            let is_rounded = former.convert(&mut self.drawn, &clock.units) > 0;
            self.drawn += u128::from(is_rounded);
        }
    }

    /// Keeps as many `steps` for later as the policy allows. Returns the number of the others.
    fn keep_back_steps(&mut self, steps: u64) -> u64 {
        let per_step = self.clock.units.per_step;
        (self.clock.keep_back(u128::from(steps) * per_step, per_step) / per_step) as u64
    }

    #[inline]
    fn grant(&mut self, granted: u32, has_time: bool, mut lost: Lost) -> Frame {
        let single_steps = core::mem::take(&mut self.single_steps);
        let wanted = granted.saturating_add(single_steps);
        let clock = &mut self.clock;
        let count = u32::try_from(Tick::MAX - clock.tick).map_or(wanted, |left| wanted.min(left));
        lost.dropped += u64::from(wanted - count);
        let first = clock.tick;
        clock.tick += Tick::from(count);
        self.last.count = count;
        self.drawn = if count == 0 {
            self.drawn.max(clock.fraction)
        } else {
            clock.fraction
        };
        Frame {
            rate: self.clock.rate,
            scale: self.clock.units.scale,
            first,
            count,
            single_steps: wanted - granted,
            has_time,
            leftover: self.leftover(),
            lost,
        }
    }

    fn leftover(&self) -> Leftover {
        let clock = &self.clock;
        Leftover {
            before: self.last.before,
            drawn: self.drawn,
            fraction: clock.fraction,
            debt: clock.debt,
            per_step: clock.units.per_step,
            per_nano: clock.units.per_nano,
        }
    }
}

/// Division that takes the processor's own instruction where both numbers fit, which is nearly always.
#[inline]
fn div_rem(dividend: u128, divisor: u128) -> (u128, u128) {
    if dividend < divisor {
        return (0, dividend);
    }
    if dividend - divisor < divisor {
        return (1, dividend - divisor);
    }
    match (u64::try_from(dividend), u64::try_from(divisor)) {
        (Ok(dividend), Ok(divisor)) => (u128::from(dividend / divisor), u128::from(dividend % divisor)),
        _ => (dividend / divisor, dividend % divisor),
    }
}

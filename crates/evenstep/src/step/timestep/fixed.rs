//! The accumulator of a [`FixedTimestep`].

use core::mem;
use core::time::Duration;

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
/// where `lost` is [clamped](Lost::clamped) time × time scale and [dropped](Lost::dropped) steps × period.
/// [Paused](Lost::paused) deltas do not count. At normal speed this is exact. At any other constant scale the left side is less by under a
/// nanosecond; each change of scale loses under a nanosecond.
///
/// The [drawn time](Frame::shown_time) never goes back from one frame to the next, except by [`reset`](Self::reset). Where dropped steps
/// would take it back, it stands still.
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
/// assert_eq!(timestep.advance(Duration::from_nanos(64)).step_count(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::saved::Saved"))]
pub struct FixedTimestep {
    pub(super) clock: SimClock,
    /// None if it follows from the other settings.
    pub(super) max_steps: Option<u32>,
    /// The most steps of a frame: `max_steps`, or the number that follows from `max_delta`.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) step_limit: u32,
    /// Steps that were granted.
    pub(super) tick: Tick,
    // In units, as the words of [`step`](crate::step) say.
    pub(super) fraction: u64,
    pub(super) shown: u64,
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
    pub(super) begin: u64,
    /// `shown` before it.
    pub(super) shown: u64,
}

impl FixedTimestep {
    /// A timestep at tick 0 that grants steps at `rate`.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        let clock = SimClock::new(rate);
        Self {
            step_limit: clock.most_steps(),
            clock,
            max_steps: None,
            tick: 0,
            fraction: 0,
            shown: 0,
            single_steps: 0,
            lookahead: false,
            last: LastFrame::default(),
        }
    }

    /// The same, one step ahead: the first frame, also after a [`reset`](Self::reset), has one step more than its time is worth.
    /// The blended state is then the present and not a step ago, but input acts a step later.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate, Smoothing};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(10)).with_lookahead();
    /// let frame = timestep.advance(Duration::from_millis(250));
    /// assert_eq!(frame.step_count(), 3);
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
    /// assert_eq!((frame.tick(), frame.step_count()), (0, 0));
    /// ```
    pub fn idle_frame(&self) -> Frame {
        Frame {
            first: self.tick,
            count: 0,
            begin: self.fraction + self.clock.backlog(),
            ..self.last_frame()
        }
    }

    /// The frame granted last, without the steps that were [given back](Self::give_back) since, for code that gives back the others and has not
    /// kept the frame. What it lost and which of its steps were single is not kept.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(100));
    /// let frame = timestep.advance(Duration::from_millis(40));
    /// let _ = timestep.give_back(frame, 1);
    /// let last = timestep.last_frame();
    /// assert_eq!(last.step_count(), 3);
    /// let _ = timestep.give_back(last, 3);
    /// assert_eq!(timestep.tick(), 0);
    /// ```
    pub fn last_frame(&self) -> Frame {
        self.frame(0, false, Lost::default())
    }

    /// The rate at which steps are granted.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.clock.rate()
    }

    /// How many steps have been granted; the index of the next.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// Grants one more step in the next frame without using up any time, for stepping through a pause: at a time scale of zero, or
    /// [paused](Self::pause). At most 2^32 - 1 such steps wait for a frame.
    pub fn step_once(&mut self) {
        self.single_steps = self.single_steps.saturating_add(1);
    }

    /// Begins a known pause, such as a hidden tab or a level that loads: until [`resume`](Self::resume), deltas are
    /// reported as [paused](Lost::paused) and grant nothing but [single steps](Self::step_once). It is not a slow frame.
    pub fn pause(&mut self) {
        self.clock.pause();
    }

    /// Ends a known pause. The next delta began within it, so it is the last to be reported as [paused](Lost::paused). Steps that were kept
    /// back before the pause are run after it. Without a pause it does nothing.
    pub fn resume(&mut self) {
        self.clock.resume();
    }

    /// As [`resume`](Self::resume), but the next frame drops the steps that were kept back. Without a pause, for a load or an alt-tab that was
    /// noticed too late to [`pause`](Self::pause): the next delta then counts as paused.
    pub fn resume_dropping(&mut self) {
        self.clock.resume_dropping();
    }

    /// Whether it is in a known pause: from [`pause`](Self::pause) to [`resume`](Self::resume).
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.clock.is_paused()
    }

    /// Starts over at tick 0 with the same settings and lookahead. A known pause continues. No other method sets time back:
    /// [retract](crate::input::EventQueue::retract_from) events that have not been presented yet.
    pub fn reset(&mut self) {
        self.clock.reset();
        (self.tick, self.fraction, self.shown) = (0, 0, 0);
        self.last = LastFrame::default();
        self.single_steps = u32::from(self.lookahead);
    }

    /// Starts over at tick 0, as [`reset`](Self::reset), at another rate. [Single steps](Self::step_once) that wait go on waiting.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(60));
    /// timestep.pause();
    /// timestep.restart_at(Rate::hz(30));
    /// assert!(timestep.is_paused() && timestep.rate() == Rate::hz(30));
    /// ```
    pub fn restart_at(&mut self, rate: Rate) {
        // Before the first step, that of the lookahead still waits.
        let waiting = self
            .single_steps
            .saturating_sub(u32::from(self.lookahead && self.tick == 0));
        self.clock.set_rate(rate);
        self.reset();
        self.single_steps = self.single_steps.saturating_add(waiting);
        self.set_step_limit();
    }

    /// Takes the real time since the last frame, and returns the plan for this frame. Integer arithmetic only;
    /// accepts any delta.
    #[inline]
    #[must_use = "the steps of a frame are the simulation's due; a frame that is dropped loses them"]
    pub fn advance(&mut self, delta: Duration) -> Frame {
        let mut lost = Lost::default();
        if let Some(backlog) = self.clock.take_backlog_to_drop() {
            lost.dropped = self.drop_backlog(backlog);
        }
        let nanos = self.clock.accept_delta(delta, &mut lost);
        (self.last.begin, self.last.shown) = (self.fraction + self.clock.backlog(), self.shown);
        let passed = self.clock.advance(nanos);
        let (due, fraction) = div_rem(self.fraction + passed.released, self.rate().units_per_step());
        self.fraction = fraction;
        let granted = due.min(u64::from(self.step_limit)) as u32;
        if due > u64::from(granted) {
            lost.dropped += self.keep_back(due - u64::from(granted));
        }
        let wanted = granted.saturating_add(mem::take(&mut self.single_steps));
        let single_steps = wanted - granted;
        let tick = self.tick.saturating_add(wanted.into());
        let count = (tick - self.tick) as u32;
        lost.dropped += u64::from(wanted - count);
        self.tick = tick;
        self.last.count = count;
        if count > 0 || fraction > self.shown {
            self.shown = fraction;
        }
        let frame = self.frame(single_steps, passed.has_time, lost);
        #[cfg(feature = "tracing")]
        lost.trace(Some(frame.tick()), Some(lost.dropped), None);
        frame
    }

    /// The last frame.
    #[inline]
    fn frame(&self, single_steps: u32, has_time: bool, lost: Lost) -> Frame {
        Frame {
            rate: self.rate(),
            scale: self.time_scale(),
            first: self.tick - Tick::from(self.last.count),
            count: self.last.count,
            single_steps,
            has_time,
            begin: self.last.begin,
            fraction: self.fraction,
            backlog: self.clock.backlog(),
            shown: self.shown,
            lost,
        }
    }

    /// Drops the whole steps of the fraction and a backlog. Returns their number.
    #[cold]
    fn drop_backlog(&mut self, backlog: u64) -> u64 {
        let (dropped, fraction) = div_rem(self.fraction + backlog, self.rate().units_per_step());
        self.fraction = fraction;
        self.shown = self.shown.max(fraction);
        dropped
    }

    /// Keeps as many steps for later as the policy allows. Returns the number of the others.
    #[cold]
    fn keep_back(&mut self, steps: u64) -> u64 {
        self.clock.keep_back(steps, self.clock.rate().units_per_step())
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
        self.tick -= Tick::from(unrun);
        self.last.count -= unrun;
        if self.last.count == 0 {
            self.shown = self.shown.max(self.last.shown);
        }
        let dropped = self.keep_back(u64::from(unrun));
        #[cfg(feature = "tracing")]
        Lost {
            dropped,
            ..Lost::default()
        }
        .trace(Some(self.tick), Some(dropped), None);
        let mut lost = frame.lost;
        lost.dropped += dropped;
        Frame {
            count: self.last.count,
            backlog: self.clock.backlog(),
            shown: self.shown,
            lost,
            ..frame
        }
    }

    fn is_last(&self, frame: &Frame) -> bool {
        let last = self.frame(frame.single_steps, frame.has_time, frame.lost);
        let scale = frame.scale; // may have changed since
        *frame == Frame { scale, ..last }
    }
}

/// Division without a division instruction in the usual frame, which has no step or one.
#[inline]
fn div_rem(dividend: u64, divisor: u64) -> (u64, u64) {
    if dividend < divisor {
        return (0, dividend);
    }
    match dividend - divisor {
        rest if rest < divisor => (1, rest),
        _ => (dividend / divisor, dividend % divisor),
    }
}

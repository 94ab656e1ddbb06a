//! The steps of a frame.

use core::iter::FusedIterator;
use core::time::Duration;

use crate::time::{Rate, SimDuration, SimTime, Tick};

/// One step of the simulation.
///
/// Two are equal if they are of one tick and of one length; whether one [is the last](Self::is_last) of a frame does not matter.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its index; the first step of a simulation is tick 0.
    pub tick: Tick,
    /// Its length in seconds: the same number for every step at one [`Rate`].
    pub dt: f64,
    rate: Rate,
    pub(crate) is_last: bool,
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        (self.tick, self.dt, self.rate) == (other.tick, other.dt, other.rate)
    }
}

impl Step {
    /// The step of a tick at a rate: for replays, tests and loops that have no timestep.
    #[must_use]
    pub const fn new(tick: Tick, rate: Rate) -> Self {
        Self {
            tick,
            dt: rate.period_secs_f64(),
            rate,
            is_last: true,
        }
    }

    /// Whether no other step of its frame follows, so that the frame is drawn between the states before and after it: only then a copy of
    /// the state before it [is needed](crate::Smoothed#several-steps-in-a-frame).
    ///
    /// A step of a [`Schedule`](crate::schedule::Schedule) is the last if no other step of its task is due. A step that is not a frame's is its own last.
    /// Steps that are [given back](crate::FixedTimestep::give_back) were the last of their frame: a loop that may give back steps makes a
    /// copy before each.
    #[must_use]
    pub const fn is_last(&self) -> bool {
        self.is_last
    }

    /// [`dt`](Self::dt) for states of `f32`: rounded once, the same number for every step at one [`Rate`].
    ///
    /// ```
    /// use evenstep::{Rate, Step};
    ///
    /// let step = Step::new(0, Rate::hz(60));
    /// let height: f32 = 2.0 * step.dt_f32();
    /// assert_eq!(height, 2.0 / 60.0);
    /// ```
    #[must_use]
    pub const fn dt_f32(&self) -> f32 {
        self.dt as f32
    }

    /// The simulated time at which it starts, exact.
    #[must_use]
    pub fn start(&self) -> SimTime {
        SimTime::at_tick(self.tick, self.rate)
    }

    /// The simulated time at which it ends, exact; of a [remainder](crate::Frame::remainder) to the nanosecond.
    #[must_use]
    pub fn end(&self) -> SimTime {
        if self.dt < self.rate.period_secs_f64() {
            return self.start() + SimDuration::from(Duration::try_from_secs_f64(self.dt).unwrap_or_default());
        }
        SimTime::at_tick(self.tick.saturating_add(1), self.rate)
    }

    /// Its length as a [`Duration`]: from its start to its end, each rounded down to nanoseconds. So a step at 60 Hz is a nanosecond longer
    /// or shorter than the next, and the lengths of all steps add up without drift.
    ///
    /// ```
    /// use evenstep::{Rate, Step};
    /// use std::time::Duration;
    ///
    /// let minute: Duration = (0..3600).map(|tick| Step::new(tick, Rate::hz(60)).duration()).sum();
    /// assert_eq!(minute, Duration::from_secs(60));
    /// ```
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.end().to_duration().saturating_sub(self.start().to_duration())
    }
}

/// The steps of a [`Frame`](crate::Frame), oldest first. A second call of [`steps`](crate::Frame::steps) begins again with the first.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "iterators do nothing until they are used"]
pub struct Steps {
    pub(super) next: Tick,
    pub(super) end: Tick,
    pub(super) rate: Rate,
    pub(super) dt: f64,
    #[cfg(feature = "tracing")]
    pub(super) span: super::step_span::StepSpan,
}

impl Iterator for Steps {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        if self.next == self.end {
            #[cfg(feature = "tracing")]
            self.span.end();
            return None;
        }
        let tick = self.next;
        self.next += 1;
        #[cfg(feature = "tracing")]
        self.span.begin(tick, None);
        Some(Step {
            tick,
            dt: self.dt,
            rate: self.rate,
            is_last: self.next == self.end,
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = (self.end - self.next) as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Steps {}
impl FusedIterator for Steps {}

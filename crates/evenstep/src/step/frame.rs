use core::iter::FusedIterator;
use core::ops::Range;
use core::time::Duration;

use crate::time::NANOS_PER_SEC;
use crate::time::{Rate, SimDuration, SimTime, Tick};

/// The largest `f64` below 1 that is still below 1 as `f32`.
pub(crate) const LARGEST_ALPHA: f64 = 1.0 - 1.0 / (1_u32 << 24) as f64;

/// What one displayed frame must do: which steps to run, then how to draw.
///
/// A plain answer that borrows nothing. Run [`steps`](Self::steps), then draw the state between the last two at
/// [`alpha`](Self::alpha).
///
/// ```
/// use evenstep::{FixedTimestep, Rate};
/// use std::time::Duration;
///
/// let mut timestep = FixedTimestep::new(Rate::hz(100));
/// let frame = timestep.advance(Duration::from_millis(25));
///
/// let mut position = 0.0;
/// for step in frame.steps() {
///     position += 3.0 * step.dt;
/// }
/// assert_eq!(frame.steps().len(), 2);
/// assert_eq!(frame.alpha(), 0.5);
/// assert_eq!(frame.drawn_time().as_secs_f64(), 0.015);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "the steps of a frame are the simulation's due; a frame that is dropped loses them"]
pub struct Frame {
    pub(crate) first: Tick,
    pub(crate) count: u32,
    pub(crate) single_steps: u32,
    pub(crate) grid: Grid,
    pub(crate) leftover: Leftover,
    pub(crate) lost: Lost,
}

/// How the steps of a frame lie in simulated time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Grid {
    /// Tick `n` starts at `n` periods.
    Even(Rate),
    /// Steps of at most `longest` fill the time from `start` to `end`, in nanoseconds.
    Uneven { start: u64, end: u64, longest: u64 },
}

/// Simulated time that has arrived but has not been stepped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Leftover {
    /// The newest state is drawn as it is.
    None,
    /// In units of which `per_step` make a step and `per_nano` billion a second.
    Units {
        /// What was there when the frame began.
        before: u128,
        fraction: u128,
        debt: u128,
        /// What the picture shows: `fraction`, or more while it waits for time that was given up.
        drawn: u128,
        per_step: u128,
        per_nano: u128,
    },
}

/// How far simulated time moved on in a frame, from `begin` to `end` after the start of its first step, in units of
/// which `per_step` make a step. A step that was dropped is no part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Progress {
    /// The step from which it is counted, less `early`.
    pub(crate) first: Tick,
    /// How many steps would lie before tick 0: time that is spent there belongs to tick 0.
    pub(crate) early: Tick,
    pub(crate) begin: u128,
    pub(crate) end: u128,
    pub(crate) per_step: u128,
}

/// Time that a frame gave up, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost<D = u64> {
    /// Real time cut off because the delta exceeded [`max_delta`](crate::FixedTimestep::max_delta). Nothing of it
    /// reached the simulation.
    pub clamped: Duration,
    /// Real time of a known pause, between [`suspend`](crate::FixedTimestep::suspend) and the first frame after
    /// [`resume`](crate::FixedTimestep::resume), or before a [`resync`](crate::FixedTimestep::resync).
    pub suspended: Duration,
    /// What was due and was dropped. Of a [`FixedTimestep`](crate::FixedTimestep) whole steps, of one period of simulated time
    /// each, by [`Overrun`](crate::Overrun) or `resync`; of a [`Schedule`](crate::schedule::Schedule) simulated time.
    pub dropped: D,
    /// Simulated time rounded away, below a billionth of a step. Zero unless the [time scale](crate::TimeScale)
    /// changed between fractions whose common denominator exceeds 32 bits.
    pub rounded: SimDuration,
}

impl<D: Default + PartialEq> Lost<D> {
    /// Whether nothing was given up, known pauses aside.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.clamped.is_zero() && self.dropped == D::default() && self.rounded.is_zero()
    }
}

impl Frame {
    /// The steps to run before this frame is drawn, oldest first.
    pub fn steps(&self) -> Steps {
        Steps {
            next: self.first,
            end: self.first + Tick::from(self.count),
            grid: self.grid,
            dt: match self.grid {
                Grid::Even(rate) => rate.period_secs_f64(),
                Grid::Uneven { .. } => 0.0,
            },
        }
    }

    /// How far simulated time moved on, time that is kept back included.
    pub(crate) fn progress(&self) -> Progress {
        let count = u128::from(self.count);
        match (self.leftover, self.grid) {
            (
                Leftover::Units {
                    before,
                    fraction,
                    debt,
                    per_step,
                    ..
                },
                _,
            ) => Progress {
                first: self.first,
                early: 0,
                begin: before,
                end: count * per_step + fraction + debt,
                per_step,
            },
            (Leftover::None, Grid::Even(_)) => Progress {
                first: self.first,
                early: 0,
                begin: 0,
                end: count,
                per_step: 1,
            },
            (Leftover::None, Grid::Uneven { start, end, longest }) => Progress {
                first: self.first,
                early: 0,
                begin: 0,
                end: u128::from(end - start),
                per_step: u128::from(longest.max(1)),
            },
        }
    }

    /// The simulated time that this frame adds, in 2⁻³² of a step since the start of tick 0: from where the last frame
    /// ended to where this one ends. Time that is kept back counts, steps that were dropped do not.
    ///
    /// What is given for a frame, such as a force that is held, is spread over steps by it: step `n` covers the units from
    /// `n << 32` to `(n + 1) << 32`.
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
        let Progress {
            begin, end, per_step, ..
        } = self.progress();
        let first = u128::from(self.first) << 32;
        let units = |time: u128| first + ((time / per_step) << 32) + ((time % per_step) << 32) / per_step;
        units(begin.min(end))..units(end)
    }

    /// How many of the steps were asked for by [`step_once`](crate::FixedTimestep::step_once) and paid for by no
    /// delta.
    #[must_use]
    pub fn single_steps(&self) -> u32 {
        self.single_steps
    }

    /// How many steps the simulation has completed once this frame's are run; the index of the next.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.first + Tick::from(self.count)
    }

    /// Where to draw between the previous state (0) and the current one (towards 1). At least 0, and below 1 also
    /// after rounding to `f32`. For variable and locked steps it is as near to 1 as that allows: the current state.
    #[must_use]
    #[inline]
    pub fn alpha(&self) -> f64 {
        match self.leftover {
            Leftover::Units { drawn, per_step, .. } => (as_f64(drawn) / as_f64(per_step)).min(LARGEST_ALPHA),
            Leftover::None => LARGEST_ALPHA,
        }
    }

    /// Simulated time that has arrived but is not stepped yet, exact. Less than a period unless the simulation
    /// [is behind](Self::is_behind).
    #[must_use]
    pub fn overstep(&self) -> SimDuration {
        match self.leftover {
            Leftover::Units {
                fraction,
                debt,
                per_nano,
                ..
            } => SimDuration::new(fraction + debt, per_nano),
            Leftover::None => SimDuration::ZERO,
        }
    }

    /// Whether time is kept back for later frames, by [`Overrun::Carry`](crate::Overrun::Carry) or
    /// [`Overrun::Stretch`](crate::Overrun::Stretch).
    #[must_use]
    pub fn is_behind(&self) -> bool {
        matches!(self.leftover, Leftover::Units { debt: 1.., .. })
    }

    /// The step that is under way: from the newest state to the moment of the frame, shorter than a period. It is not to be
    /// run on the true state; a [`Fork`](crate::Fork) draws what it leads to. Its start and end are rounded to
    /// nanoseconds.
    #[must_use]
    pub fn remainder(&self) -> Step {
        let start = self.current_time().to_duration();
        let (period, fraction) = match (self.grid, self.leftover) {
            (Grid::Even(rate), Leftover::Units { .. }) => (rate.period_secs_f64(), self.alpha()),
            _ => (0.0, 0.0),
        };
        let dt = period * fraction;
        let start = u64::try_from(start.as_nanos()).unwrap_or(u64::MAX);
        Step {
            tick: self.tick(),
            dt,
            span: Span::Nanos {
                start,
                end: start.saturating_add((dt * f64::from(NANOS_PER_SEC)) as u64),
            },
        }
    }

    /// Time that this frame gave up.
    #[must_use]
    pub fn lost(&self) -> Lost {
        self.lost
    }

    /// The simulated time of the newest state, exact: what a picture without smoothing shows.
    #[must_use]
    pub fn current_time(&self) -> SimTime {
        match self.grid {
            Grid::Even(rate) => SimTime::at_tick(self.tick(), rate),
            Grid::Uneven { end, .. } => SimTime::at(Duration::from_nanos(end)),
        }
    }

    /// The simulated time that the picture shows when it is blended at [`alpha`](Self::alpha): between the previous
    /// and the current state, exact. Zero until the first step; it never goes back.
    ///
    /// The difference between the intervals of this and of the times at which the frames are seen is the *animation
    /// error*.
    #[must_use]
    pub fn drawn_time(&self) -> SimTime {
        match (self.grid, self.leftover) {
            (Grid::Uneven { .. }, _) | (_, Leftover::None) => self.current_time(),
            (Grid::Even(_), _) if self.tick() == 0 => SimTime::ZERO,
            (Grid::Even(rate), Leftover::Units { drawn, per_nano, .. }) => {
                SimTime::at_tick(self.tick() - 1, rate).after(drawn, per_nano)
            }
        }
    }

    /// The simulated time that the picture shows when it is extrapolated, or drawn from a [`Fork`](crate::Fork): a period
    /// after [`drawn_time`](Self::drawn_time), exact. Before the first step it is time that has arrived.
    #[must_use]
    pub fn extrapolated_time(&self) -> SimTime {
        match self.leftover {
            Leftover::Units { drawn, per_nano, .. } => self.current_time().after(drawn, per_nano),
            Leftover::None => self.current_time(),
        }
    }
}

/// `u128` to `f64` from its two halves, several times faster than the compiler's own conversion and as good for alpha.
#[inline]
fn as_f64(units: u128) -> f64 {
    (units >> 64) as u64 as f64 * 18_446_744_073_709_551_616.0 + units as u64 as f64
}

/// One step of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Its index; the first step of a simulation is tick 0.
    pub tick: Tick,
    /// Its length in seconds: the same number for every step at one [`Rate`].
    pub dt: f64,
    span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Span {
    Period(Rate),
    Nanos { start: u64, end: u64 },
}

impl Step {
    /// The step of a tick at a rate: for replays, tests and loops that have no timestep.
    #[must_use]
    pub const fn new(tick: Tick, rate: Rate) -> Self {
        Self {
            tick,
            dt: rate.period_secs_f64(),
            span: Span::Period(rate),
        }
    }

    /// The simulated time at which it starts, exact.
    #[must_use]
    pub fn start(&self) -> SimTime {
        match self.span {
            Span::Period(rate) => SimTime::at_tick(self.tick, rate),
            Span::Nanos { start, .. } => SimTime::at(Duration::from_nanos(start)),
        }
    }

    /// The simulated time at which it ends, exact.
    #[must_use]
    pub fn end(&self) -> SimTime {
        match self.span {
            Span::Period(rate) => SimTime::at_tick(self.tick.saturating_add(1), rate),
            Span::Nanos { end, .. } => SimTime::at(Duration::from_nanos(end)),
        }
    }

    /// Its length, for what wants a [`Duration`]: from its start to its end, each rounded down to nanoseconds. So a step at 60 Hz
    /// is a nanosecond longer or shorter than the next, and the lengths of all steps add up without drift.
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

/// The steps of a [`Frame`], oldest first. Its length is known: `frame.steps().len()`.
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing until they are used"]
pub struct Steps {
    next: Tick,
    end: Tick,
    grid: Grid,
    dt: f64,
}

impl Iterator for Steps {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        if self.next == self.end {
            return None;
        }
        let tick = self.next;
        self.next += 1;
        Some(match &mut self.grid {
            Grid::Even(rate) => Step {
                tick,
                dt: self.dt,
                span: Span::Period(*rate),
            },
            Grid::Uneven { start, end, longest } => {
                let from = *start;
                *start = (*end).min(from.saturating_add(*longest));
                Step {
                    tick,
                    dt: (*start - from) as f64 / f64::from(NANOS_PER_SEC),
                    span: Span::Nanos {
                        start: from,
                        end: *start,
                    },
                }
            }
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

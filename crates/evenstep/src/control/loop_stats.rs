//! [`LoopStats`]: the real-time factor of a loop, its missed deadlines and its jitter.

use core::time::Duration;

use super::loop_report::{LoopReport, RealTimeFactor};
use super::rolling::Rolling;
#[cfg(feature = "alloc")]
use crate::schedule::Schedule;
use crate::step::Frame;
#[cfg(feature = "alloc")]
use crate::step::Lost;
use crate::time::{SimDuration, SimTime, TimeScale};

/// One cycle of a loop: four times of one clock that never goes back. A time that is before another which it should follow counts as
/// equal to it.
///
/// Exhaustive: every cycle has these four values, and programs write them to files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cycle {
    /// When it should have begun.
    pub due: Duration,
    /// When it began: after waiting, before the work.
    pub begin: Duration,
    /// When its work was done.
    pub end: Duration,
    /// When its work had to be done, usually when the next cycle is due.
    pub deadline: Duration,
}

/// How well a loop keeps real time: its real-time factor, rolling and total, and the lateness, execution time, period and jitter of
/// its cycles. What percentiles are made of are the last `WINDOW` cycles, and the rolling factor is that of the last `WINDOW` frames.
///
/// A value that is given the times, for loops of one's own; a [`SimThread`](crate::thread::SimThread) has one of its own, whose
/// report is in its statistics. Fixed memory, about 160 bytes for each place of the window, no allocation. Recording costs the
/// moving of at most four times `WINDOW` numbers.
///
/// ```
/// use evenstep::control::LoopStats;
/// use evenstep::{FixedTimestep, Rate};
/// use std::time::Duration;
///
/// // Steps of 1 ms of which each takes 2 ms: half of real time, and the lost steps have missed their deadlines.
/// let mut timestep = FixedTimestep::new(Rate::hz(1000)).with_max_steps(1);
/// let mut stats = LoopStats::<100>::new();
/// for _ in 0..500 {
///     let delta = Duration::from_millis(2);
///     let frame = timestep.advance(delta);
///     stats.record_frame(delta, &frame);
/// }
/// let report = stats.report();
/// assert_eq!((report.total.as_f64(), report.rolling.as_f64()), (0.5, 0.5));
/// assert_eq!(report.deadline_misses, 500);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LoopStats<const WINDOW: usize> {
    /// The totals after the last frames, in a ring.
    totals: [Total; WINDOW],
    frames: u64,
    total: Total,
    /// Where the rolling factor begins: the total before the frames of the ring.
    before: Total,
    /// Whole steps that were paid for by real time.
    stepped: SimTime,
    /// Where the schedule was.
    #[cfg(feature = "alloc")]
    scheduled: SimTime,
    suspended: Duration,
    /// Due and begin of the last cycle, unless a pause came in between.
    last: Option<(Duration, Duration)>,
    cycles: u64,
    deadline_misses: u64,
    lateness: Rolling<WINDOW>,
    execution: Rolling<WINDOW>,
    period: Rolling<WINDOW>,
    jitter: Rolling<WINDOW>,
}

/// Totals since the beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Total {
    simulated: SimTime,
    expected: SimTime,
}

impl Total {
    const NONE: Self = Self {
        simulated: SimTime::ZERO,
        expected: SimTime::ZERO,
    };

    fn since(self, earlier: Self) -> RealTimeFactor {
        RealTimeFactor {
            simulated: self.simulated - earlier.simulated,
            expected: self.expected - earlier.expected,
        }
    }
}

impl<const WINDOW: usize> LoopStats<WINDOW> {
    /// Statistics of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            totals: [Total::NONE; WINDOW],
            frames: 0,
            total: Total::NONE,
            before: Total::NONE,
            stepped: SimTime::ZERO,
            #[cfg(feature = "alloc")]
            scheduled: SimTime::ZERO,
            suspended: Duration::ZERO,
            last: None,
            cycles: 0,
            deadline_misses: 0,
            lateness: Rolling::new(),
            execution: Rolling::new(),
            period: Rolling::new(),
            jitter: Rolling::new(),
        }
    }

    /// Takes a frame as it turned out, and the delta that it was [advanced](crate::FixedTimestep::advance) by. Dropped steps count
    /// as deadlines missed, single steps as no time.
    pub fn record_frame(&mut self, delta: Duration, frame: &Frame) {
        let lost = frame.lost();
        self.deadline_misses = self.deadline_misses.saturating_add(lost.dropped);
        self.stepped = self.stepped + frame.paid();
        let simulated = self.stepped + frame.fraction();
        self.record(delta, lost.suspended, frame.time_scale(), simulated);
    }

    /// Records a delta and the result of [advancing](Schedule::advance) a schedule by it.
    #[cfg(feature = "alloc")]
    pub fn record_schedule(&mut self, delta: Duration, lost: &Lost<SimDuration>, schedule: &Schedule) {
        let now = schedule.now();
        // After a reset it begins at zero again.
        let passed = now.checked_duration_since(self.scheduled);
        let passed = passed.unwrap_or(now - SimTime::ZERO);
        self.scheduled = now;
        let simulated = self.total.simulated + passed;
        self.record(delta, lost.suspended, schedule.time_scale(), simulated);
    }

    fn record(&mut self, delta: Duration, suspended: Duration, scale: TimeScale, simulated: SimTime) {
        self.suspended = self.suspended.saturating_add(suspended);
        if !suspended.is_zero() {
            self.last = None;
        }
        let real = delta.saturating_sub(suspended).as_nanos();
        let expected = SimDuration::new(real.saturating_mul(scale.numer().into()), scale.denom().into());
        self.total = Total {
            simulated,
            expected: self.total.expected + expected,
        };
        let place = (self.frames % WINDOW.max(1) as u64) as usize;
        let is_full = self.frames >= WINDOW as u64;
        self.frames += 1;
        match self.totals.get_mut(place) {
            Some(slot) => {
                let oldest = core::mem::replace(slot, self.total);
                if is_full {
                    self.before = oldest;
                }
            }
            None => self.before = self.total,
        }
    }

    /// Takes a cycle.
    pub fn record_cycle(&mut self, cycle: Cycle) {
        let Cycle {
            due,
            begin,
            end,
            deadline,
        } = cycle;
        self.cycles += 1;
        self.deadline_misses = self.deadline_misses.saturating_add(u64::from(end > deadline));
        self.lateness.push(begin.saturating_sub(due));
        self.execution.push(end.saturating_sub(begin));
        if let Some((last_due, last_begin)) = self.last.replace((due, begin)) {
            let period = begin.saturating_sub(last_begin);
            self.period.push(period);
            self.jitter.push(period.abs_diff(due.saturating_sub(last_due)));
        }
    }

    /// The results so far.
    #[must_use]
    pub fn report(&self) -> LoopReport {
        LoopReport {
            total: self.total.since(Total::NONE),
            rolling: self.total.since(self.before),
            suspended: self.suspended,
            cycles: self.cycles,
            deadline_misses: self.deadline_misses,
            lateness: self.lateness.timing(),
            execution: self.execution.timing(),
            period: self.period.timing(),
            jitter: self.jitter.timing(),
        }
    }
}

impl<const WINDOW: usize> Default for LoopStats<WINDOW> {
    fn default() -> Self {
        Self::new()
    }
}

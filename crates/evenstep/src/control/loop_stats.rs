//! [`LoopStats`]: the missed deadlines of a loop and its jitter.

use core::time::Duration;

use super::loop_report::LoopReport;
use super::rolling::Rolling;

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

/// How well a loop keeps its deadlines: the lateness, execution time, period and jitter of its cycles. What percentiles are made of are
/// the last `WINDOW` cycles. The real-time factor is in [`FrameStats`](crate::FrameStats).
///
/// A value that is given the times, for loops of one's own; a [`SimThread`](crate::thread::SimThread) has one of its own, whose
/// report is in its statistics. Fixed memory, about 64 bytes for each place of the window, no allocation. Recording costs the
/// moving of at most four times `WINDOW` numbers.
///
/// ```
/// use evenstep::control::{Cycle, LoopStats};
/// use std::time::Duration;
///
/// let mut stats = LoopStats::<100>::new();
/// for cycle in 0..500 {
///     let due = Duration::from_millis(cycle);
///     let (begin, end) = (due + Duration::from_micros(40), due + Duration::from_micros(240));
///     stats.record_cycle(Cycle { due, begin, end, deadline: due + Duration::from_millis(1) });
/// }
/// let report = stats.report();
/// assert_eq!((report.cycles, report.deadline_misses), (500, 0));
/// assert_eq!(report.lateness.p99, Duration::from_micros(40));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LoopStats<const WINDOW: usize> {
    /// Due and begin of the last cycle.
    last: Option<(Duration, Duration)>,
    cycles: u64,
    deadline_misses: u64,
    lateness: Rolling<WINDOW>,
    execution: Rolling<WINDOW>,
    period: Rolling<WINDOW>,
    jitter: Rolling<WINDOW>,
}

impl<const WINDOW: usize> LoopStats<WINDOW> {
    /// Statistics of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            last: None,
            cycles: 0,
            deadline_misses: 0,
            lateness: Rolling::new(),
            execution: Rolling::new(),
            period: Rolling::new(),
            jitter: Rolling::new(),
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
        self.deadline_misses += u64::from(end > deadline);
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

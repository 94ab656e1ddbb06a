//! [`CycleLock`]: ticks in step with the cycle of an external clock.

use core::time::Duration;

use crate::math::round;
use crate::time::{Rate, SimTime, Tick, nanos_before};

/// How far the other clock's rate may be off at first, as a standard deviation: 150 parts per million.
const RATE_DEVIATION: f64 = 150e-6;

/// The jitter that is assumed at first, as a share of the period, and how many arrivals that assumption counts for.
const FIRST_JITTER: f64 = 0.1;
const FIRST_ARRIVALS: f64 = 10.0;

/// Over how many cycles the loop averages when it has settled.
const MEMORY: f64 = 8000.0;

/// The standard deviation of the phase below which the loop is locked, as a share of the period.
const LOCKED_WITHIN: f64 = 0.02 / 3.3;

/// Arrivals that are off by more than this number of standard deviations count less.
const OUTLIER: f64 = 3.0;

/// After this number of them in a row the cycle has moved, and its phase is acquired again.
const MOVED_AFTER: u32 = 16;

/// A second-order phase-locked loop on the arrival times of an external cycle: an EtherCAT or audio interrupt, a camera, another
/// machine.
///
/// It counts the cycles, including cycles without an arrival: after N cycles there were N ticks. It also estimates the time of each
/// cycle without the jitter of its arrivals and the difference between the two clocks. It never reads a clock: call
/// [`arrive`](Self::arrive) with the time of each arrival and run the ticks that it returns.
///
/// Its gains begin high and fall as it learns (a Kalman filter of phase and period), so that it locks as fast as the jitter allows.
/// With a jitter of 300 µs at 1 kHz, a rate off by 200 ppm and 1 % of the cycles lost it is locked within a second; the phase
/// is then within 20 µs. A cycle that arrives more than half a period late is counted as the next one, and as late; no cycle is counted
/// twice. While the loop is not locked, a tick can be counted one cycle early or late; the total is correct as soon as it is locked.
///
/// A constant delay of all arrivals cannot be estimated from arrival times: the phase is that of the mean arrival.
///
/// ```
/// use evenstep::Rate;
/// use evenstep::control::CycleLock;
/// use std::time::Duration;
///
/// let mut lock = CycleLock::new(Rate::hz(1000));
/// let mut ticks = 0;
/// for cycle in (0..5000_u64).filter(|cycle| cycle % 100 != 99) { // one in a hundred is lost
///     let jitter = cycle * 7919 % 300_000; // ns
///     let arrival = lock.arrive(Duration::from_nanos(cycle * 1_000_100 + jitter)); // 100 ppm slow
///     ticks += arrival.ticks; // run that number of steps
/// }
/// assert_eq!(ticks, 4999); // the last cycle was lost
/// assert!(lock.is_locked());
/// assert_eq!(lock.lost(), 49);
/// assert!((lock.period_secs_f64() - 1.0001e-3).abs() < 1e-8);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CycleLock {
    /// By the external clock.
    rate: Rate,
    /// By the clock of the arrivals, in nanoseconds.
    period: f64,
    last: Option<Duration>,
    /// The cycle of the last arrival, as the index of its tick.
    cycle: Tick,
    /// When that cycle was, less the last arrival, in nanoseconds.
    offset: f64,
    uncertainty: Covariance,
    /// The variance of the arrivals, in square nanoseconds, and the number of arrivals from which it was estimated.
    variance: f64,
    weight: f64,
    /// Outliers in a row.
    outliers: u32,
    ticks: u64,
    arrivals: u64,
    late: u64,
}

/// The estimate that a [`CycleLock`] returns for an arrival.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[must_use = "the ticks of an arrival are the simulation's due"]
pub struct CycleArrival {
    /// The first tick to run.
    pub first: Tick,
    /// The number of ticks to run: 1, and one more for each cycle that was lost before. 0 if the cycle was counted already, because the
    /// previous arrival was so late.
    pub ticks: u64,
    /// The seconds by which it arrived after its estimated cycle, before this arrival was used; negative if it was early.
    pub phase_error: f64,
}

/// Of phase and period, in square nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Covariance {
    phase: f64,
    mixed: f64,
    period: f64,
}

impl CycleLock {
    /// A lock on a cycle whose rate is exactly `rate` by its own clock, and about `rate` by the clock of the arrivals.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        let nominal = nominal_nanos(rate);
        let variance = square(FIRST_JITTER * nominal);
        Self {
            rate,
            period: nominal,
            last: None,
            cycle: 0,
            offset: 0.0,
            uncertainty: Covariance::first(variance, nominal),
            variance,
            weight: FIRST_ARRIVALS,
            outliers: 0,
            ticks: 0,
            arrivals: 0,
            late: 0,
        }
    }

    /// Takes the time at which a cycle arrived, on a clock that never goes back: an earlier time counts as the last one again.
    pub fn arrive(&mut self, at: Duration) -> CycleArrival {
        self.arrivals += 1;
        let Some(last) = self.last.replace(at.max(self.last.unwrap_or(at))) else {
            self.ticks = 1;
            return CycleArrival {
                first: 0,
                ticks: 1,
                phase_error: 0.0,
            };
        };
        let since = at.saturating_sub(last).as_nanos() as f64 - self.offset;
        let cycles = round(since / self.period);
        let error = since - cycles * self.period;
        self.cycle = self.cycle.saturating_add_signed(cycles as i64);
        self.correct(cycles, error);

        let first = self.ticks;
        let counted = self.cycle.saturating_add(1);
        self.late += u64::from(counted <= first);
        self.ticks = first.max(counted);
        CycleArrival {
            first,
            ticks: self.ticks - first,
            phase_error: error * 1e-9,
        }
    }

    /// Corrects phase and period by an error that was measured `cycles` cycles after the last.
    fn correct(&mut self, cycles: f64, error: f64) {
        let mut known = self.uncertainty.after(cycles);
        let expected = known.phase + self.variance;
        let is_outlier = square(error) > square(OUTLIER) * expected;
        self.outliers = if is_outlier { self.outliers + 1 } else { 0 };
        // A phase that is uncertain by a quarter of a period after a long silence, or by evidence, is none.
        let is_lost = known.phase > square(0.25 * self.period) || self.outliers >= MOVED_AFTER;
        if is_lost {
            (self.offset, self.outliers) = (0.0, 0);
            self.uncertainty = Covariance::first(self.variance, nominal_nanos(self.rate));
            return;
        }
        // An outlier counts the less the further off it is.
        let error_within = if is_outlier {
            square(OUTLIER) * expected / error
        } else {
            error
        };
        let (gain, period_gain) = (known.phase / expected, known.mixed / expected);
        self.offset = gain * error_within - error;
        self.period += period_gain * error_within;
        known.period -= period_gain * known.mixed;
        known.mixed *= 1.0 - gain;
        known.phase *= 1.0 - gain;
        self.uncertainty = known;
        self.weight = (self.weight + 1.0).min(MEMORY);
        let measured = (square(error_within) - known.phase).max(0.0);
        self.variance += (measured - self.variance) / self.weight;
    }

    /// Whether the phase is known to within 2 % of a period, by 3.3 standard deviations: 20 µs at 1 kHz.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.last.is_some() && self.uncertainty.phase <= square(LOCKED_WITHIN * self.period)
    }

    /// Ticks that were counted: one for each cycle up to the last that arrived.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The number of cycles without an arrival.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.ticks.saturating_sub(self.arrivals)
    }

    /// The number of cycles whose arrival was counted as that of a later cycle, because it was more than half a period late.
    #[must_use]
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// The period of the cycle, in seconds of the clock that arrivals are timed by.
    #[must_use]
    pub fn period_secs_f64(&self) -> f64 {
        self.period * 1e-9
    }

    /// The estimated time of the cycle of a tick after the last arrival; zero before the first. Saturates at zero and 292 years before and after
    /// that arrival.
    #[must_use]
    pub fn time_of(&self, tick: Tick) -> Duration {
        let Some(last) = self.last else { return Duration::ZERO };
        let cycles = if tick >= self.cycle {
            (tick - self.cycle) as f64
        } else {
            -((self.cycle - tick) as f64)
        };
        nanos_before(last, -round(self.offset + cycles * self.period) as i64)
    }

    /// The time of the external clock at a time of the clock that arrivals are timed by: the inverse of [`time_of`](Self::time_of). Cycle
    /// n is n nominal periods after cycle 0, which is at zero; so is all time before it, and before the first arrival.
    ///
    /// A [`FrameClock`](crate::FrameClock) that is given these times runs a simulation by the external clock: its steps come at their
    /// [`Rate`] of that clock's seconds, between the arrivals and while there are none. An arrival corrects the estimate, so a time can
    /// be a few microseconds before one that was returned earlier; a `FrameClock` takes it for the earlier one again.
    ///
    /// ```
    /// use evenstep::Rate;
    /// use evenstep::control::CycleLock;
    /// use std::time::Duration;
    ///
    /// let mut lock = CycleLock::new(Rate::hz(1000));
    /// for cycle in 0..5000 {
    ///     let _ = lock.arrive(Duration::from_secs(7) + Duration::from_nanos(cycle * 1_000_100)); // 100 ppm slow
    /// }
    /// let external = lock.external_time(Duration::from_secs(17));
    /// assert!(external.abs_diff(Duration::from_nanos(9_999_000_100)) < Duration::from_micros(1));
    /// ```
    #[must_use]
    pub fn external_time(&self, at: Duration) -> Duration {
        let Some(last) = self.last else { return Duration::ZERO };
        let since = at.saturating_sub(last).as_nanos() as f64 - last.saturating_sub(at).as_nanos() as f64;
        let nanos = round((since - self.offset) / self.period * nominal_nanos(self.rate));
        nanos_before(SimTime::at_tick(self.cycle, self.rate).to_duration(), -nanos as i64)
    }
}

fn nominal_nanos(rate: Rate) -> f64 {
    rate.period_secs_f64() * 1e9
}

impl Covariance {
    /// The covariance after one arrival, which determines the phase, and before any that determines the rate.
    fn first(variance: f64, period: f64) -> Self {
        Self {
            phase: variance,
            mixed: 0.0,
            period: square(RATE_DEVIATION * period),
        }
    }

    /// The covariance `cycles` cycles later. Earlier arrivals have less and less weight.
    fn after(self, cycles: f64) -> Self {
        let forgets = 1.0 + cycles.max(0.0) / MEMORY;
        Self {
            phase: (self.phase + cycles * (2.0 * self.mixed + cycles * self.period)) * forgets,
            mixed: (self.mixed + cycles * self.period) * forgets,
            period: self.period * forgets,
        }
    }
}

fn square(value: f64) -> f64 {
    value * value
}

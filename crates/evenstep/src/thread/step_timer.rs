//! Sleeps until an instant.

use core::time::Duration;
use std::thread;

use crate::time::MonotonicClock;

/// Initial duration of spinning: operating systems typically wake a thread this much too late.
const FIRST_SPIN: Duration = Duration::from_micros(100);

/// Spins are never longer.
const MAX_SPIN: Duration = Duration::from_millis(1);

/// Of a wait it spins for at most this part, 8 %. Sleeps end late meanwhile, so the spin itself takes less.
const SPIN_PART: u32 = 12;

/// One sleep in this number may end later than the spin is long.
const TOO_LATE_ONE_IN: u32 = 100;

/// Waits until the next step or frame is due, to within microseconds and nearly without using a core: it sleeps first, and spins for the
/// last stretch. It estimates the length of that stretch from the lateness of its sleeps: 99 of 100 sleeps should end before the spin does.
/// It never spins for more than 8 % of a wait, nor for more than a millisecond.
///
/// The instants are absolute, so lateness of one wait does not delay the next.
///
/// ```
/// use evenstep::thread::StepTimer;
/// use evenstep::{FixedTimestep, MonotonicClock, Rate};
///
/// let (clock, mut timer) = (MonotonicClock::new(), StepTimer::new());
/// let mut timestep = FixedTimestep::new(Rate::hz(1000));
/// let mut now = clock.now();
/// while timestep.tick() < 20 {
///     let Some(until) = timestep.until_next_step() else { break };
///     let begin = timer.wait_until(&clock, now + until);
///     for step in timestep.advance(begin - now).steps() {
///         // simulate
///     }
///     now = begin;
/// }
/// ```
///
/// # What the operating system adds
///
/// On Linux it sets the timer slack of the thread that creates it to 1 ns; otherwise the kernel ends sleeps up to 50 µs late to save
/// power. It does not set a priority: with sufficient rights, `chrt --fifo 50 PROGRAM` or the crate `thread-priority` give the thread a
/// priority above others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepTimer {
    /// How long before the instant the sleep ends.
    spin: Duration,
}

impl StepTimer {
    /// A timer for this thread, without estimates.
    #[must_use]
    pub fn new() -> Self {
        // Where it is refused, sleeps are less exact.
        #[cfg(target_os = "linux")]
        let _ = rustix::thread::set_current_timer_slack(core::num::NonZeroU64::new(1));
        Self { spin: FIRST_SPIN }
    }

    /// Waits until an instant of a clock, or returns at once if it has passed. Returns the time after the wait, which is never before
    /// `due`.
    pub fn wait_until(&mut self, clock: &MonotonicClock, due: Duration) -> Duration {
        let begin = clock.now();
        let left = due.saturating_sub(begin);
        let sleep = left - self.spin.min(left / SPIN_PART);
        if !sleep.is_zero() {
            thread::sleep(sleep);
            self.learn(clock.now().saturating_sub(begin + sleep));
        }
        loop {
            let now = clock.now();
            if now >= due {
                return now;
            }
            core::hint::spin_loop();
        }
    }

    /// Follows the quantile of the lateness: a late sleep moves it up by the sum of what ninety-nine others move it down.
    fn learn(&mut self, late: Duration) {
        let grain = self.spin / 5 + Duration::from_nanos(100);
        self.spin = if late > self.spin {
            (self.spin + grain).min(MAX_SPIN)
        } else {
            self.spin.saturating_sub(grain / (TOO_LATE_ONE_IN - 1))
        };
    }
}

impl Default for StepTimer {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spin_becomes_as_long_as_sleeps_are_late_and_not_longer() {
        let mut timer = StepTimer::new();
        for wait in 0..20_000_u64 {
            // Late by 5 to 15 µs, and by 5 ms once in 500.
            let late = if wait % 500 == 0 { 5000 } else { 5 + wait * 7 % 11 };
            timer.learn(Duration::from_micros(late));
        }
        let micros = timer.spin.as_micros();
        assert!((13..25).contains(&micros), "{micros} µs");
        for _ in 0..200 {
            timer.learn(Duration::from_secs(1));
        }
        assert_eq!(timer.spin, MAX_SPIN);
    }
}

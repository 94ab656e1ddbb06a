//! The refreshes of a display: each brings the same part of a step.

use super::fixed::ONE;
use crate::filter::DisplayClock;
use crate::math::round;
use crate::time::Rate;

/// A longer delta, in nanoseconds, is a hitch or a pause, in which no refreshes are counted.
const HITCH: i64 = 250_000_000;

/// Frames after which the period is known. From then on it takes 1/512 of each deviation, as in the filter.
const SETTLED: u32 = 256;
const PERIOD_SHIFT: u32 = 9;
const PERIOD_BITS: u32 = 16;

/// A shorter time between frames, in nanoseconds, is no display's.
const SHORTEST: i64 = 65_536;

/// The patterns that are tried: the longest in refreshes, and the largest change of the speed. A pattern is abandoned if the speed would
/// change by more than `GIVEN_UP`.
const PATTERNS: [(u32, f64); 2] = [(8, 0.02), (64, 0.005)];
const GIVEN_UP: f64 = 0.025;

/// The mean distance of frames from their refreshes, as a share of the period, with which the display is locked and unlocked: without refreshes
/// it is a quarter.
const LOCK_SHARE: i64 = 8;
const UNLOCK_SHARE: i64 = 6;

/// The phase follows 1/16 of the distance of a frame from its refresh; the mean distance is over 64 frames.
const PHASE_SHIFT: u32 = 4;
const SPREAD_SHIFT: u32 = 6;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Display {
    rate: Rate,
    /// The pattern: `steps` in every `refreshes`. No steps if there is none.
    steps: u64,
    refreshes: u64,
    /// What a refresh brings: nanoseconds, and a rest over `refreshes` times the numerator of the rate; and the rests so far.
    whole: u64,
    rest: u64,
    rests: u64,
    /// How long after its refresh the last frame was, in nanoseconds.
    phase: i64,
    spread: i64,
    frames: u32,
    /// The time between refreshes, in 2^-16 ns. That of the filter is the time between frames, which is longer where refreshes are missed.
    period: i64,
}

impl Display {
    pub(super) const fn new(rate: Rate) -> Self {
        Self {
            rate,
            steps: 0,
            refreshes: 1,
            whole: 0,
            rest: 0,
            rests: 0,
            phase: 0,
            spread: 0,
            frames: 0,
            period: 1 << PERIOD_BITS,
        }
    }

    pub(super) const fn is_locked(&self) -> bool {
        self.steps > 0
    }

    /// Simulated seconds a second, in 2^-24.
    pub(super) const fn rate(&self) -> i64 {
        if self.steps == 0 {
            ONE
        } else {
            self.whole as i64 * ONE / (self.period >> PERIOD_BITS)
        }
    }

    /// The time that a frame brings, and if the display is followed, by how much that lags the program's clock at most.
    pub(super) fn advance(&mut self, passed: i64, even: i64, time: i64, filter: &DisplayClock) -> (i64, Option<i64>) {
        if filter.is_starting() {
            (self.steps, self.frames, self.phase, self.spread) = (0, 0, 0, 0);
            self.period = passed.clamp(SHORTEST, HITCH) << PERIOD_BITS;
            return (even, None);
        }
        if passed > HITCH {
            self.phase = 0;
            let aligned = if self.steps > 0 { self.alignment(time + even) } else { 0 };
            return (even + aligned, None);
        }
        self.frames = self.frames.saturating_add(1);
        let nearest = ((passed + self.nanos() / 2) / self.nanos()).max(1);
        self.period += ((passed << PERIOD_BITS) / nearest - self.period) >> self.frames.ilog2().min(PERIOD_SHIFT);
        self.period = self.period.max(SHORTEST << PERIOD_BITS);
        let period = self.nanos();
        let since = self.phase + passed;
        let count = (since + period / 2).div_euclid(period);
        let distance = since - count * period;
        self.spread += (distance.abs() - self.spread) >> SPREAD_SHIFT;
        self.phase = distance - (distance >> PHASE_SHIFT);

        let of_refresh = self.steps_of_refresh();
        if self.steps == 0 {
            if self.frames >= SETTLED && self.spread * LOCK_SHARE < period && self.choose(of_refresh) {
                return (even + self.alignment(time + even), None);
            }
            return (even, None);
        }
        let wanted = of_refresh * self.refreshes as f64;
        let is_off = self.steps as f64 - wanted > GIVEN_UP * wanted || wanted - self.steps as f64 > GIVEN_UP * wanted;
        if is_off || self.spread * UNLOCK_SHARE > period {
            (self.steps, self.frames) = (0, 0);
            return (even, None);
        }
        let denom = self.refreshes * u64::from(self.rate.numer());
        let rests = self.rests + count.unsigned_abs() * self.rest;
        self.rests = rests % denom;
        let given = count.unsigned_abs() * self.whole + rests / denom;
        (given as i64, Some(distance + period / 2))
    }

    /// The time between refreshes, in nanoseconds.
    const fn nanos(&self) -> i64 {
        self.period >> PERIOD_BITS
    }

    /// The steps in a refresh, by the measured period.
    fn steps_of_refresh(&self) -> f64 {
        self.nanos() as f64 * f64::from(self.rate.numer()) / (1e9 * f64::from(self.rate.denom()))
    }

    /// Takes the shortest pattern that is near enough. Returns whether there is one.
    fn choose(&mut self, of_refresh: f64) -> bool {
        for (longest, tolerance) in PATTERNS {
            for refreshes in 1..=longest {
                let wanted = of_refresh * f64::from(refreshes);
                let steps = round(wanted);
                if (1.0..1e6).contains(&steps) && (steps - wanted).abs() <= tolerance * wanted {
                    self.take(steps as u64, refreshes.into());
                    return true;
                }
            }
        }
        false
    }

    const fn take(&mut self, steps: u64, refreshes: u64) {
        let denom = refreshes * self.rate.numer() as u64;
        let step = self.rate.denom() as u64 * 1_000_000_000;
        // The remainder is below 2^37.
        let rest = step % denom * steps;
        (self.steps, self.refreshes) = (steps, refreshes);
        self.whole = step / denom * steps + rest / denom;
        (self.rest, self.rests) = (rest % denom, 0);
    }

    /// What brings a time to the middle between two refreshes that end steps, so that no noise is between a frame and a step.
    fn alignment(&self, time: i64) -> i64 {
        let step = 1e9 * f64::from(self.rate.denom()) / f64::from(self.rate.numer());
        let cell = step / self.refreshes as f64;
        let cells = time as f64 / cell;
        let within = cells - round(cells - 0.5);
        let to_middle = if within <= 0.5 { 0.5 - within } else { 1.5 - within };
        (to_middle * cell) as i64
    }
}

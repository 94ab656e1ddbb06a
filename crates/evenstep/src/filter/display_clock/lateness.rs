//! How late readings are, as it was learned.

use crate::rounding::floor;

/// Readings near the grid are counted by what they are late in halves of the usual deviation, so many to either side...
const CORE: usize = 16;

/// ...and all others in eighths of a period, from one period early on.
const TAIL: usize = 40;
const PER_PERIOD: f64 = 8.0;
const EARLY: f64 = 8.0;

/// Readings that are remembered.
const REMEMBERED: u16 = 8192;

/// A count at first: of each part of the core, and of the tail.
const CORE_AT_FIRST: f64 = 0.5;
const TAIL_AT_FIRST: f64 = 0.3;

/// A late reading counts by these shares where it was, at either side of there, and at any other lateness.
const THERE: f64 = 0.6;
const BESIDE: f64 = 0.1;
const ANYWHERE: f64 = 0.2;

/// Hardly a reading is later than this, in periods: what takes longer is a pause.
const FAR: f64 = 2.0;

/// Of a density that lies beyond the last counts: over so many periods, at least.
const BEYOND: f64 = 8.0;

/// A histogram of how late readings are, in periods. What was never seen is the less likely the farther it is from what was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lateness {
    core: [u16; CORE],
    tail: [u16; TAIL],
    in_core: u16,
    in_tail: u16,
    /// The sum of what readings in the tail are off.
    far: f64,
}

impl Lateness {
    pub(super) const fn new() -> Self {
        Self {
            core: [0; CORE],
            tail: [0; TAIL],
            in_core: 0,
            in_tail: 0,
            far: 0.0,
        }
    }

    /// Where such a lateness is counted, if readings are usually off by `usual`.
    pub(super) fn bin(late: f64, usual: f64) -> u8 {
        let halves = floor(2.0 * late / usual) + 0.5 * CORE as f64;
        if (0.0..CORE as f64).contains(&halves) {
            halves as u8
        } else {
            let eighths = floor(late * PER_PERIOD) + EARLY;
            CORE as u8 + eighths.clamp(0.0, TAIL as f64 - 1.0) as u8
        }
    }

    /// Counts a reading.
    pub(super) fn add(&mut self, bin: u8) {
        match usize::from(bin).checked_sub(CORE) {
            None => {
                self.core[usize::from(bin)] += 1;
                self.in_core += 1;
            }
            Some(index) => {
                self.tail[index] += 1;
                self.in_tail += 1;
                self.far += distance(index);
            }
        }
        if self.in_core + self.in_tail > REMEMBERED {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.in_core = halve(&mut self.core);
        self.in_tail = halve(&mut self.tail);
        let counts = self.tail.iter().enumerate();
        self.far = counts.map(|(index, count)| f64::from(*count) * distance(index)).sum();
    }

    /// How likely such a lateness is, per period, if readings are usually off by `usual`.
    pub(super) fn density(&self, late: f64, usual: f64) -> f64 {
        let bin = usize::from(Self::bin(late, usual));
        let all = f64::from(self.in_core + self.in_tail) + CORE_AT_FIRST * CORE as f64 + TAIL_AT_FIRST;
        let of_all = match bin.checked_sub(CORE) {
            None => (f64::from(self.core[bin]) + CORE_AT_FIRST) / (0.5 * usual),
            Some(index) => self.near(index, late) + self.anywhere(late, usual),
        };
        of_all / all
    }

    /// What readings that were as late, or nearly, come to.
    fn near(&self, index: usize, late: f64) -> f64 {
        let last = TAIL - 1;
        let beside = self.tail[index.saturating_sub(1)] + self.tail[(index + 1).min(last)];
        let near = THERE * f64::from(self.tail[index]) + BESIDE * f64::from(beside);
        let is_beyond = index == 0 || index == last;
        near * PER_PERIOD / if is_beyond { BEYOND.max(late * late) } else { 1.0 }
    }

    /// What all late readings come to: a law of K. Lomax (1954), which falls with the third power, and with the fifth from `FAR` on.
    fn anywhere(&self, late: f64, usual: f64) -> f64 {
        let count = f64::from(self.in_tail);
        let mean = (self.far + TAIL_AT_FIRST) / (count + 1.0);
        let mean = mean.max(0.25 * CORE as f64 * usual);
        let share = mean / (mean + late.abs());
        let far = (FAR / late.abs()).min(1.0);
        (ANYWHERE * count + TAIL_AT_FIRST) * 2.0 * share * share * share * far * far / mean
    }
}

/// How far off readings of the tail are, in periods, that are counted at an index.
fn distance(index: usize) -> f64 {
    (index as f64 + 0.5 - EARLY).abs() / PER_PERIOD
}

/// Halves counts and returns their sum. The rest of each goes to the next one: rounded down, rare readings would be forgotten sooner
/// than frequent ones.
pub(super) fn halve(counts: &mut [u16]) -> u16 {
    let mut rest = 0;
    for count in &mut *counts {
        let whole = *count + rest;
        (*count, rest) = (whole / 2, whole % 2);
    }
    counts.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: f64 = 0.02;

    fn after(readings: &[(f64, usize)]) -> Lateness {
        let mut lateness = Lateness::new();
        for (late, times) in readings {
            (0..*times).for_each(|_| lateness.add(Lateness::bin(*late, USUAL)));
        }
        lateness
    }

    #[test]
    fn what_was_seen_often_is_more_likely_than_what_was_seen_seldom() {
        let lateness = after(&[(0.0, 900), (0.5, 100)]);
        let density = |late: f64| lateness.density(late, USUAL);
        assert!(density(0.0) > density(0.5) && density(0.5) > 50.0 * density(1.5));
    }

    #[test]
    fn what_was_never_seen_is_possible_and_the_less_likely_the_farther_it_is() {
        let lateness = after(&[(0.0, 1000), (0.3, 10)]);
        let far = [0.6, 1.0, 2.0, 3.0, 5.0, 50.0].map(|late| lateness.density(late, USUAL));
        assert!(far.windows(2).all(|pair| pair[0] > pair[1] && pair[1] > 0.0), "{far:?}");
    }

    #[test]
    fn it_forgets_and_its_counts_stay_bounded() {
        let lateness = after(&[(0.5, 1000), (0.0, 200_000)]);
        assert!(lateness.in_core + lateness.in_tail <= REMEMBERED);
        assert_eq!(lateness.tail.iter().sum::<u16>(), 0);
    }

    #[test]
    fn rare_late_readings_are_remembered_as_often_and_as_late_as_they_are() {
        for every in [10, 100, 1_000] {
            let mut lateness = Lateness::new();
            // Each of five late readings is rarer still.
            for reading in 0..100_000 {
                let late = [0.2, 0.3, 0.45, 0.55, 0.7][reading / every % 5];
                lateness.add(Lateness::bin(if reading % every == 0 { late } else { 0.0 }, USUAL));
            }
            let mean = lateness.far / f64::from(lateness.in_tail);
            assert!((mean - 0.44).abs() < 0.11, "one in {every}: {mean} periods late");
            let share = f64::from(lateness.in_tail) / f64::from(lateness.in_core + lateness.in_tail);
            assert!((share * every as f64 - 1.0).abs() < 0.3, "one in {every}: {share}");
        }
    }

    #[test]
    fn densities_add_up_to_about_one() {
        let lateness = after(&[(0.0, 500), (-0.01, 300), (0.4, 50), (1.0, 20)]);
        let sum: f64 = (-20_000..20_000)
            .map(|step| lateness.density(f64::from(step) / 1000.0, USUAL) / 1000.0)
            .sum();
        assert!((0.9..1.1).contains(&sum), "{sum}");
    }
}

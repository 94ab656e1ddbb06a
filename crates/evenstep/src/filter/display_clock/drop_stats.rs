//! Drop statistics: how often a frame skips refreshes, by kind of skip, learned per display.

use super::constants::{
    DROP_PRIOR, DROP_PRIOR_TOTAL, GATE, MAX_EARLY, MAX_FRACTIONAL_SHARE, MERGE_DISTANCE, PAUSE_LENGTHS, REMEMBERED,
};
use super::jitter_histogram::halve;
use super::noise::Noise;
use crate::numeric::rounding::round;

/// By how many refreshes the display advanced beyond the one that follows the last frame's: none, whole refreshes, halves or thirds
/// of the period (a program that draws at every second or third refresh, whose own cadence was taken for the period), or a pause.
///
/// A kind fits into four bits, so that a hypothesis can store its last eight kinds in 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SkipKind(u8);

impl SkipKind {
    /// How many kinds there are.
    pub(super) const COUNT: usize = 9;
    /// The next refresh: nothing is skipped.
    pub(super) const NONE: Self = Self(0);
    /// More than the refreshes that have a kind of their own.
    pub(super) const PAUSE: Self = Self(8);
    /// The first kind that skips a fraction of a period.
    const FIRST_FRACTION: Self = Self(4);

    /// Skipped periods of each kind; of a pause the least.
    const PERIODS: [f64; Self::COUNT] = [0.0, 1.0, 2.0, 3.0, 0.5, 1.5, 1.0 / 3.0, 2.0 / 3.0, 4.0];

    /// All kinds, in order.
    fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The kinds that may explain a timestamp which is `late` periods after the next refresh. A coarse clock does not resolve
    /// fractions of a period shorter than its resolution.
    pub(super) fn explaining(late: f64, noise: Noise) -> impl Iterator<Item = Self> {
        let gate = (GATE * noise.innovation).min(MAX_EARLY);
        // Most timestamps are too early for the shortest skip, a third of a period.
        let count = if late < 1.0 / 3.0 - gate { 1 } else { Self::COUNT };
        let explains = move |kind: &Self| {
            let periods = kind.periods(late);
            let early = periods - late;
            if kind.is_fractional() {
                early <= gate && periods > noise.resolution
            } else {
                early <= MAX_EARLY || *kind == Self::NONE
            }
        };
        Self::all().take(count).filter(explains)
    }

    /// The kind in the lower four bits, as written by [`bits`](Self::bits).
    pub(super) fn from_low_bits(bits: u32) -> Self {
        Self((bits & 15) as u8)
    }

    /// Four bits.
    pub(super) fn bits(self) -> u32 {
        u32::from(self.0)
    }

    /// Skipped periods, if the timestamp is `late` periods after the next refresh.
    pub(super) fn periods(self, late: f64) -> f64 {
        let periods = Self::PERIODS[self.index()];
        if self == Self::PAUSE {
            periods.max(round(late))
        } else {
            periods
        }
    }

    /// Whether a fraction of a period is skipped.
    fn is_fractional(self) -> bool {
        (Self::FIRST_FRACTION..Self::PAUSE).contains(&self)
    }

    /// The fractional kind that is nearly this number of periods, or [`NONE`](Self::NONE).
    pub(super) fn nearest_fraction(periods: f64) -> Self {
        let is_near = |kind: &Self| kind.is_fractional() && (kind.periods(periods) - periods).abs() < MERGE_DISTANCE;
        Self::all().find(is_near).unwrap_or(Self::NONE)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How frequent each kind of skip is. Skips come in bursts, so frames within eight frames of a skip are counted apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DropStats {
    /// Counts by kind, without and with a recent skip.
    counts: [[u16; SkipKind::COUNT]; 2],
    totals: [u16; 2],
    /// Kinds of the last eight frames, four bits each.
    recent: u32,
}

impl DropStats {
    pub(super) const fn new() -> Self {
        Self {
            counts: [[0; SkipKind::COUNT]; 2],
            totals: [0; 2],
            recent: 0,
        }
    }

    /// The prior of a kind: its share among frames that follow frames of the kinds `recent`, four bits each.
    pub(super) fn share(&self, kind: SkipKind, recent: u32) -> f64 {
        let burst = usize::from(recent != 0);
        let prior = &DROP_PRIOR[burst];
        let total = f64::from(self.totals[burst]) + DROP_PRIOR_TOTAL[burst];
        let share = (f64::from(self.counts[burst][kind.index()]) + prior[kind.index()]) / total;
        match kind {
            SkipKind::PAUSE => share / PAUSE_LENGTHS,
            _ if kind.is_fractional() => share.min(MAX_FRACTIONAL_SHARE[burst]),
            _ => share,
        }
    }

    /// Counts the next decided frame.
    pub(super) fn learn(&mut self, kind: SkipKind) {
        let burst = usize::from(self.recent != 0);
        self.recent = self.recent << 4 | kind.bits();
        self.counts[burst][kind.index()] += 1;
        self.totals[burst] += 1;
        if self.totals[burst] > REMEMBERED {
            self.totals[burst] = halve(&mut self.counts[burst]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: SkipKind = SkipKind(1);
    const TWO: SkipKind = SkipKind(2);

    #[test]
    fn shares_of_whole_skips_converge_to_their_frequencies() {
        let mut drops = DropStats::new();
        (0..1000).for_each(|frame| drops.learn(SkipKind(u8::from(frame % 20 == 0))));
        // A burst lasts for eight frames after a skip.
        assert!(drops.share(ONE, 0) > 0.05 && drops.share(ONE, 1) < 0.01);
        assert!(drops.share(TWO, 0) < 0.001);
    }

    #[test]
    fn a_skip_is_more_likely_shortly_after_another() {
        let drops = DropStats::new();
        assert!(drops.share(ONE, 1 << 28) > 10.0 * drops.share(ONE, 0));
    }

    #[test]
    fn only_noise_makes_a_timestamp_earlier_than_a_refresh_off_the_grid() {
        let explanations = |deviation| SkipKind::explaining(0.05, Noise::new((0.0, 1.0), deviation, 0.0)).count();
        assert_eq!(explanations(0.0), 1);
        // None, a half and a third of a period.
        assert_eq!(explanations(0.1), 3);
    }

    #[test]
    fn shares_add_up_to_one_at_most() {
        let mut drops = DropStats::new();
        for frame in 0..50_000_u32 {
            drops.learn(SkipKind((frame % SkipKind::COUNT as u32) as u8));
            let sum: f64 = SkipKind::all().map(|kind| drops.share(kind, frame % 2)).sum();
            assert!(sum <= 1.0 + 1e-9, "{frame}: {sum}");
        }
    }
}

//! Missed-refresh estimator: a hypothesis filter that distinguishes late timestamps from missed refreshes.
//!
//! A timestamp far behind the refresh grid has two explanations: the frame began at its refresh and was read late, or the display
//! continued and the frame belongs to a later refresh. The filter keeps up to [`MAX_HYPOTHESES`] hypotheses about the display's phase
//! and updates their probabilities with each frame by Bayes' rule:
//!
//! ```text
//! posterior(phase + skip) ∝ Σ posterior(phase) × prior(skip) × density(timestamp − phase − skip)
//! ```
//!
//! The prior is [`DropStats::share`]; the density is [`JitterHistogram::density`] of the innovation, the deviation less what the
//! AR(1) process of [`Noise`] predicts.
//!
//! This is the forward procedure of hidden Markov models: L. Rabiner, *A tutorial on hidden Markov models* (1989). Hypotheses with
//! nearly equal phases are merged, unlikely ones are pruned. The most probable one is followed at once. Each hypothesis keeps
//! its most probable path over the last [`DECISION_DELAY`] frames, as in G. D. Forney, *The Viterbi algorithm* (1973); frames older
//! than that are decided, and prior and density are learned from them only.

use super::constants::{
    ABRUPT, DECISION_DELAY, MAX_HYPOTHESES, MERGE_DISTANCE, MIN_INNOVATION, OFF_GRID, OFF_GRID_AFTER_RESET,
    OFF_GRID_DENSITY, PRUNE_BELOW, QUANTISED,
};
use super::drop_stats::{DropStats, SkipKind};
use super::jitter_histogram::JitterHistogram;
use super::noise::Noise;
use crate::numeric::rounding::round;
use crate::numeric::sorted_window::sort;

/// The filter. See [the module](self).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MissedRefreshEstimator {
    /// The most probable first. That one is followed, so its phase is zero.
    hypotheses: [Hypothesis; MAX_HYPOTHESES],
    /// How many of these there are.
    count: usize,
    /// The probability that the display is at none of them.
    off_grid: f64,
    jitter: JitterHistogram,
    drops: DropStats,
    /// The last change of the followed phase in periods, zero once it is decided, and frames since.
    pub(super) shift: f64,
    age: u8,
}

/// A phase at which the display may be, and the most probable path to it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hypothesis {
    /// In periods after the last refresh of the tracker.
    phase: f64,
    probability: f64,
    /// How late the last timestamp was, in periods.
    deviation: f64,
    /// Kinds of skip of the last eight frames, four bits each, and bins of their jitter, eight bits each.
    skips: u32,
    bins: u64,
}

/// The conclusion of the estimator for a frame. Amounts are in periods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// The next refresh; the deviation is timestamp jitter.
    Jitter,
    /// This many refreshes were missed.
    Missed(f64),
    /// The display's phase differs from the grid's by this.
    OffGrid(f64),
    /// An earlier conclusion is revised by this.
    Revised(f64),
}

impl Verdict {
    /// By how much the phase changes.
    pub(super) fn periods(self) -> f64 {
        match self {
            Self::Jitter => 0.0,
            Self::Missed(periods) | Self::OffGrid(periods) | Self::Revised(periods) => periods,
        }
    }
}

impl MissedRefreshEstimator {
    /// Without experience.
    pub(super) const fn new() -> Self {
        Self {
            hypotheses: [Hypothesis::CERTAIN; MAX_HYPOTHESES],
            count: 1,
            off_grid: 0.0,
            jitter: JitterHistogram::new(),
            drops: DropStats::new(),
            shift: 0.0,
            age: 0,
        }
    }

    /// Classifies a frame whose timestamp deviates from the next refresh by `deviation` periods and came `change` periods later than
    /// one period after the last timestamp.
    pub(super) fn classify(&mut self, deviation: f64, change: f64, noise: Noise) -> Verdict {
        self.age = self.age.saturating_add(1);
        if self.age >= DECISION_DELAY {
            self.shift = 0.0;
        }
        self.update(deviation, noise);
        if self.off_grid > self.hypotheses[0].probability {
            return self.reset_to(deviation);
        }
        if let Some((skip, bin)) = self.hypotheses[0].decided() {
            self.drops.learn(skip);
            self.jitter.add(bin);
        }
        let (shift, skip) = (self.hypotheses[0].phase, self.hypotheses[0].last_skip());
        if shift == 0.0 {
            return Verdict::Jitter;
        }
        for hypothesis in &mut self.hypotheses[..self.count] {
            hypothesis.phase -= shift;
        }
        (self.shift, self.age) = (shift.max(0.0), 0);
        if shift < 0.0 {
            return Verdict::Revised(shift);
        }
        let is_whole = (shift - round(shift)).abs() < MERGE_DISTANCE;
        // A free-running loop drifts into fractional offsets; only an abrupt one is a missed refresh.
        let is_abrupt = skip != SkipKind::NONE && change > ABRUPT * shift;
        if is_whole || is_abrupt {
            return Verdict::Missed(shift);
        }
        Verdict::OffGrid(shift)
    }

    /// Extends each hypothesis by each kind of skip, then normalises, prunes and sorts.
    fn update(&mut self, deviation: f64, noise: Noise) {
        let before = self.hypotheses;
        let count = core::mem::take(&mut self.count);
        for hypothesis in &before[..count] {
            let late = deviation - hypothesis.phase;
            let predicted = noise.predict(hypothesis.deviation);
            for skip in SkipKind::explaining(late, noise) {
                let periods = skip.periods(late);
                let innovation = late - periods - predicted;
                let bin = JitterHistogram::bin(innovation, noise.innovation);
                let likelihood = self.drops.share(skip, hypothesis.skips) * self.density(bin, innovation, noise);
                self.insert(hypothesis.after(skip, periods, late - periods, likelihood, bin));
            }
        }
        let of_hypotheses: f64 = self.hypotheses[..self.count].iter().map(|one| one.probability).sum();
        self.off_grid = (self.off_grid + OFF_GRID) * OFF_GRID_DENSITY;
        let sum = self.off_grid + of_hypotheses;
        self.off_grid /= sum;
        for index in 0..core::mem::take(&mut self.count) {
            self.hypotheses[index].probability /= sum;
            if self.hypotheses[index].probability >= PRUNE_BELOW {
                self.hypotheses[self.count] = self.hypotheses[index];
                self.count += 1;
            }
        }
        let is_before = |one: &Hypothesis, other: &Hypothesis| other.probability.total_cmp(&one.probability);
        sort(&mut self.hypotheses[..self.count], is_before);
    }

    /// The density of an innovation, per period: as learned, or uniform over the clock's resolution where that is more.
    fn density(&self, bin: u8, innovation: f64, noise: Noise) -> f64 {
        let learned = self.jitter.density(bin, innovation, noise.innovation);
        if innovation.abs() < noise.resolution {
            learned.max(QUANTISED / noise.resolution)
        } else {
            learned
        }
    }

    /// Merges a hypothesis with one of nearly the same phase, adds it, or puts it in place of the least probable one if it is more
    /// probable.
    fn insert(&mut self, hypothesis: Hypothesis) {
        let (hypotheses, probability) = (&mut self.hypotheses[..self.count], hypothesis.probability);
        let is_same = |other: &&mut Hypothesis| (other.phase - hypothesis.phase).abs() < MERGE_DISTANCE;
        if let Some(same) = hypotheses.iter_mut().find(is_same) {
            let (phase, sum) = (same.phase, same.probability + probability);
            if probability > same.probability {
                *same = Hypothesis { phase, ..hypothesis };
            }
            same.probability = sum;
        } else if self.count < MAX_HYPOTHESES {
            self.hypotheses[self.count] = hypothesis;
            self.count += 1;
        } else {
            let least = hypotheses
                .iter_mut()
                .min_by(|one, other| one.probability.total_cmp(&other.probability));
            if let Some(least) = least.filter(|least| probability > least.probability) {
                *least = hypothesis;
            }
        }
    }

    /// Follows a phase off the grid, as the only hypothesis.
    fn reset_to(&mut self, deviation: f64) -> Verdict {
        let skip = SkipKind::nearest_fraction(deviation);
        let bin = JitterHistogram::bin(0.0, MIN_INNOVATION);
        self.hypotheses[0] = Hypothesis::CERTAIN.after(skip, 0.0, 0.0, 1.0, bin);
        self.count = 1;
        (self.shift, self.age, self.off_grid) = (deviation, 0, OFF_GRID_AFTER_RESET);
        Verdict::OffGrid(deviation)
    }

    /// Whether the last shift, not yet decided, is by halves or thirds of a period.
    pub(super) fn is_fractional_shift(&self) -> bool {
        let is_near = |parts: f64| (self.shift - round(parts * self.shift) / parts).abs() < MERGE_DISTANCE;
        self.shift > 0.0 && (is_near(2.0) || is_near(3.0))
    }

    /// Learns from a frame of the acquisition, whose deviation in periods is jitter.
    pub(super) fn learn(&mut self, deviation: f64, noise: Noise) {
        let innovation = deviation - noise.predict(self.hypotheses[0].deviation);
        self.hypotheses[0].deviation = deviation;
        self.jitter.add(JitterHistogram::bin(innovation, noise.innovation));
    }
}

impl Hypothesis {
    /// The display is at the grid, before the first frame.
    const CERTAIN: Self = Self {
        phase: 0.0,
        probability: 1.0,
        deviation: 0.0,
        skips: 0,
        bins: u64::MAX,
    };

    /// The hypothesis a frame later, if that frame skipped `periods` and its timestamp deviates by `deviation`.
    fn after(&self, skip: SkipKind, periods: f64, deviation: f64, likelihood: f64, bin: u8) -> Self {
        Self {
            phase: self.phase + periods,
            probability: self.probability * likelihood,
            deviation,
            skips: self.skips << 4 | skip.bits(),
            bins: self.bins << 8 | u64::from(bin),
        }
    }

    /// The kind of skip of the last frame.
    fn last_skip(&self) -> SkipKind {
        SkipKind::from_low_bits(self.skips)
    }

    /// The kind of skip and the jitter bin of the frame [`DECISION_DELAY`] frames ago; none before there was one.
    fn decided(&self) -> Option<(SkipKind, u8)> {
        let bin = (self.bins >> 56) as u8;
        (bin != u8::MAX).then_some((SkipKind::from_low_bits(self.skips >> 28), bin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// White noise.
    fn noise() -> Noise {
        Noise::new((0.0, 1.0), 0.02, 0.0)
    }

    /// Classifies timestamps that deviate by these periods from the initial grid. Returns the sum of all shifts.
    fn classify(estimator: &mut MissedRefreshEstimator, deviations: impl IntoIterator<Item = f64>) -> f64 {
        let mut shifted = 0.0;
        let mut last = 0.0;
        for at in deviations {
            shifted += estimator.classify(at - shifted, at - last, noise()).periods();
            last = at;
        }
        shifted
    }

    /// After experience with frames of which one in `every` is late by `late` periods.
    fn experienced(every: usize, late: f64) -> MissedRefreshEstimator {
        let mut estimator = MissedRefreshEstimator::new();
        let deviations = (1..=2000).map(|frame| if frame % every == 0 { late } else { 0.0 });
        let _ = classify(&mut estimator, deviations);
        let _ = classify(&mut estimator, [0.0; 16]);
        estimator
    }

    #[test]
    fn whole_missed_refreshes_are_followed_in_the_same_frame() {
        for by in [1.0, 2.0, 3.0] {
            assert_eq!(classify(&mut experienced(usize::MAX, 0.0), [by]), by);
        }
    }

    #[test]
    fn a_wrong_conclusion_is_revised_in_the_next_frame() {
        let mut estimator = experienced(usize::MAX, 0.0);
        assert_eq!(classify(&mut estimator, [1.0]), 1.0);
        assert!(matches!(estimator.classify(-1.0, -2.0, noise()), Verdict::Revised(by) if by == -1.0));
    }

    #[test]
    fn where_timestamps_are_often_late_by_a_refresh_only_a_lasting_shift_is_a_missed_one() {
        let mut estimator = experienced(50, 1.0);
        assert_eq!(classify(&mut estimator, [1.0]), 0.0);
        assert_eq!(classify(&mut estimator, [1.0; 4]), 1.0);
    }

    #[test]
    fn jitter_below_a_refresh_does_not_delay_the_detection_of_a_missed_one() {
        assert_eq!(classify(&mut experienced(10, 0.4), [1.0]), 1.0);
    }

    #[test]
    fn a_missed_refresh_with_jitter_on_top_is_detected() {
        let at = classify(&mut experienced(4, 0.4), [1.4, 1.0]);
        assert_eq!(at, 1.0);
    }

    #[test]
    fn a_pause_is_detected_in_the_same_frame() {
        assert_eq!(classify(&mut experienced(10, 0.4), [3600.0]), 3600.0);
    }

    #[test]
    fn a_phase_off_the_grid_is_followed_after_a_few_frames() {
        let at = classify(&mut experienced(usize::MAX, 0.0), [0.4; 4]);
        assert!((at - 0.4).abs() < MERGE_DISTANCE, "{at}");
    }

    #[test]
    fn slowly_growing_correlated_noise_stays_noise_at_any_amplitude() {
        let mut estimator = experienced(usize::MAX, 0.0);
        let correlated = Noise::new((1.0, 0.01), 2.0, 0.0);
        for step in 1..=250 {
            let verdict = estimator.classify(0.004 * f64::from(step), 0.004, correlated);
            assert_eq!(verdict, Verdict::Jitter, "{step}");
        }
        assert_eq!(estimator.classify(2.0, 1.0, correlated), Verdict::Missed(1.0));
    }

    #[test]
    fn a_first_long_frame_is_followed_at_once_wherever_it_ends() {
        for by in [12.4, 2000.0] {
            let mut estimator = experienced(20, 0.4);
            assert!((classify(&mut estimator, [by]) - by).abs() < 0.5, "{by}");
        }
    }

    #[test]
    fn a_drift_to_a_third_of_a_period_is_no_missed_refresh() {
        let mut estimator = experienced(usize::MAX, 0.0);
        for step in 1..8 {
            let verdict = estimator.classify(0.05 * f64::from(step), 0.05, noise());
            assert!(!matches!(verdict, Verdict::Missed(_)), "{step}: {verdict:?}");
        }
    }
}

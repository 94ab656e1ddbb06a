//! Refresh tracker: a phase-locked loop that follows the period and phase of a display's refreshes from frame to frame.
//!
//! The gains are those of a least-squares fit over all frames so far, so the bandwidth narrows as the weight of the estimate grows.

use super::drop_stats::DropStats;
use super::fit::{Fit, PERIODS};
use super::harmonic_detector::HarmonicDetector;
use super::lock_detector::{LockCriteria, LockDetector, LockVerdict};
use super::missed_refresh_estimator::{MissedRefreshEstimator, Verdict};
use super::noise_model::NoiseModel;
use crate::numeric::rounding::round;

/// Upper bound of the weight, in frames: a display's period drifts.
const MAX_WEIGHT: f64 = 2048.0;

/// Upper bound of the weight after a frame off the grid.
const MAX_WEIGHT_OFF_GRID: f64 = 256.0;

/// Displays whose periods differ by a smaller share are the same one.
const SAME_PERIOD: f64 = 0.01;

/// Where timestamps deviate from the grid by more than this share of a period, refreshes cannot be counted. Uniformly distributed
/// timestamps deviate by a quarter.
const RESOLVED: f64 = 0.2;

/// The same bound for innovations, once locked: with many refreshes before, a few that are miscounted do no harm.
const RESOLVED_IN_LOCK: f64 = 0.235;

/// Quantisation alone makes timestamps deviate by this share of the clock's resolution in the mean. Where all had the same
/// quantisation error so far, they need not keep it.
const QUANTISED: f64 = 0.25;

/// A deviation below this share of the resolution is explained by quantisation...
const EXPLAINED: f64 = 0.33;

/// ...and one below this share is too small for timestamps whose quantisation error is uniformly distributed.
const UNIFORM: f64 = 1.0 / 6.0;

/// A frame may take one resolution of the clock if that is longer than this share of a period.
const ONE_STEP: f64 = 0.75;

/// Lower bound of the change of the deviation from frame to frame, in nanoseconds: frames that change less do not wander, however
/// steadily they do it.
const MIN_CHANGE: f64 = 10_000.0;

/// A tracker with less weight is given up.
const MIN_WEIGHT: f64 = 12.0;

/// Deviations are clamped to this many mean absolute deviations.
const OUTLIER: f64 = 3.0;

/// Frames over which the mean absolute deviation is averaged.
const DEVIATION_FRAMES: f64 = 256.0;

/// The lock detector clamps deviations to this many periods.
const MAX_PERIODS: f64 = 8.0;

/// Longer deltas, in nanoseconds, are no frames.
const MAX_DELTA: f64 = 1e12;

/// The tracker. While it is locked, its refreshes are those of the display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RefreshTracker {
    /// In nanoseconds.
    period: f64,
    /// The last refresh less the timestamp of its frame, in nanoseconds.
    phase: f64,
    /// Frames that the estimate rests on.
    weight: f64,
    /// Mean absolute deviation of timestamps from the grid, in nanoseconds.
    deviation: f64,
    /// Resolution of the clock in nanoseconds; zero where it is fine.
    resolution: f64,
    /// Baseline of the deviation in nanoseconds, averaged only while it rests on many frames.
    baseline: f64,
    /// By how many periods the last frame's refresh differs from the one after the refresh before.
    skipped: f64,
    /// Whether the last frame's refresh does not follow from the grid: the phase changed abruptly.
    is_off_grid: bool,
    estimator: MissedRefreshEstimator,
    lock: LockDetector,
    harmonics: HarmonicDetector,
}

impl RefreshTracker {
    /// Starts from a fit. `former` is the period of the display that was tracked before, in nanoseconds, and its drop statistics,
    /// which are kept if the display is the same.
    pub(super) fn new(fit: &Fit, criteria: LockCriteria, former: Option<(f64, DropStats)>) -> Self {
        let same = former.filter(|(period, _)| (period - fit.period).abs() < SAME_PERIOD * period);
        let drops = same.map_or(DropStats::new(), |(_, drops)| drops.without_recent());
        let mut tracker = Self {
            period: fit.period,
            phase: fit.residuals().last().map_or(0.0, |residual| -residual),
            weight: fit.residuals().len() as f64,
            deviation: fit.deviation,
            resolution: 0.0,
            baseline: fit.deviation,
            skipped: 0.0,
            is_off_grid: false,
            estimator: MissedRefreshEstimator::new(drops),
            lock: LockDetector::new(criteria),
            harmonics: HarmonicDetector::NONE,
        };
        let mut last = fit.residuals().first().copied().unwrap_or(0.0);
        for residual in fit.residuals().iter().copied() {
            tracker.lock.add(residual, residual - last);
            last = residual;
        }
        for residual in fit.residuals() {
            tracker.estimator.learn(residual / fit.period, tracker.noise());
        }
        let _ = tracker.lock.judge(tracker.weight);
        tracker
    }

    /// The period in nanoseconds and the drop statistics, for the next tracker.
    pub(super) fn period_and_drops(&self) -> (f64, DropStats) {
        (self.period, self.estimator.drops())
    }

    /// The time between refreshes, in nanoseconds.
    pub(crate) fn period(&self) -> f64 {
        self.period
    }

    /// The last refresh less the timestamp of its frame, in nanoseconds.
    pub(crate) fn phase(&self) -> f64 {
        self.phase
    }

    /// Whether its refreshes are those of the display.
    pub(super) fn is_locked(&self) -> bool {
        self.lock.is_locked() && (self.noise().innovation < RESOLVED_IN_LOCK || self.is_explained())
    }

    /// Whether timestamps are near enough to the grid for refreshes to be counted.
    pub(super) fn is_resolved(&self) -> bool {
        self.deviation < RESOLVED * self.period || self.is_explained()
    }

    /// Whether quantisation by the clock explains the deviation.
    fn is_explained(&self) -> bool {
        self.deviation < EXPLAINED * self.resolution
    }

    /// Whether it has been locked for long.
    pub(super) fn was_locked_long(&self) -> bool {
        self.lock.was_locked_long()
    }

    /// Whether the phase changed abruptly in the last frame.
    pub(super) fn is_off_grid(&self) -> bool {
        self.is_off_grid
    }

    /// By how many nanoseconds the phase changed in the last frame, whole periods aside.
    pub(super) fn phase_shift(&self) -> f64 {
        (self.skipped - round(self.skipped)) * self.period
    }

    /// The baseline of the mean absolute deviation of timestamps, in nanoseconds.
    pub(crate) fn baseline_deviation(&self) -> f64 {
        self.baseline
    }

    /// Resolution of the clock in nanoseconds; zero where it is fine.
    pub(super) fn resolution(&self) -> f64 {
        self.resolution
    }

    /// Frames that the estimate rests on.
    pub(super) fn weight(&self) -> f64 {
        self.weight
    }

    /// The correlation time of the noise, in frames.
    pub(super) fn correlation_time(&self) -> f64 {
        self.lock.correlation_time()
    }

    /// Takes the delta of a frame and the resolution of the clock, in nanoseconds. Answers with whether there still is a grid to
    /// track.
    pub(super) fn track(&mut self, delta: f64, resolution: f64) -> bool {
        self.resolution = resolution;
        if delta > MAX_DELTA {
            return false;
        }
        if delta < 0.5 * resolution {
            // A clock that stands still is coarser than a frame, however small its deviations were so far.
            self.deviation = self.deviation.max(QUANTISED * resolution);
        }
        let (deviation, change) = (delta - self.phase - self.period, delta - self.period);
        if delta <= 0.0 && deviation > 0.0 && resolution == 0.0 {
            self.coast();
            return true;
        }
        let last_shift = self.estimator.undecided_shift();
        let verdict = self
            .estimator
            .classify(deviation / self.period, change / self.period, self.noise(), self.weight);
        let (skipped, is_off_grid) = match verdict {
            Verdict::Jitter => (0.0, false),
            Verdict::Missed(periods) => (periods, false),
            Verdict::Revised(periods, weight) => {
                self.weight = weight;
                (periods, false)
            }
            Verdict::OffGrid(periods) => {
                self.weight = (0.5 * self.weight).min(MAX_WEIGHT_OFF_GRID);
                (periods, true)
            }
        };
        self.skipped = skipped;
        let skipped_nanos = skipped * self.period;
        // Frames off the grid speak against the lock by the weight that they cost.
        if !is_off_grid {
            // By quantisation, deltas change by a third of the resolution. While they do not yet, the quantisation error moves slowly,
            // and the frames do not wander.
            let min_change = (EXPLAINED * self.quantisation()).max(MIN_CHANGE);
            let change = self.bounded(change - skipped_nanos).abs().max(min_change);
            self.lock.add(self.bounded(deviation - skipped_nanos), change);
        }
        self.update(deviation - skipped_nanos);
        let lock = self.lock.judge(self.weight);
        if lock == LockVerdict::NarrowBandwidth {
            self.weight *= 0.5;
        }
        self.is_off_grid = matches!(verdict, Verdict::OffGrid(_) | Verdict::Revised(..));
        // A second shift in the same direction before the first is decided: another display.
        let is_repeated = last_shift * self.skipped > 0.0;
        let is_lost = is_off_grid && (is_repeated || !self.is_locked()) && !self.estimator.is_fractional_shift();
        let is_harmonic = self.harmonics.add(1.0 + self.skipped);
        lock != LockVerdict::Lost && !is_harmonic && self.weight >= MIN_WEIGHT && !is_lost
    }

    /// Coasts by a period without a timestamp. A clock that stands still is one that was read late and cannot go back: its timestamps
    /// carry no information, and none of them puts the last one in doubt.
    fn coast(&mut self) {
        self.phase += self.period;
        (self.skipped, self.is_off_grid) = (0.0, false);
    }

    /// The distribution of timestamps around the grid.
    fn noise(&self) -> NoiseModel {
        let resolution = self.quantisation();
        // A quantisation error does not predict that of the next timestamp.
        let (coefficient, innovation_share) = if resolution > 0.0 {
            (0.0, 1.0)
        } else {
            self.lock.autoregression()
        };
        NoiseModel::new(
            coefficient,
            innovation_share,
            self.deviation / self.period,
            resolution / self.period,
        )
    }

    /// The resolution of the clock if quantisation explains the deviation; zero otherwise.
    fn quantisation(&self) -> f64 {
        // Where each frame takes one resolution, a frame of two missed a refresh.
        let is_one_step = self.resolution > ONE_STEP * self.period && self.deviation < UNIFORM * self.resolution;
        if self.is_explained() && !is_one_step {
            self.resolution
        } else {
            0.0
        }
    }

    /// A pause counts as a few frames.
    fn bounded(&self, nanos: f64) -> f64 {
        let most = MAX_PERIODS * self.period;
        nanos.clamp(-most, most)
    }

    /// Corrects period and phase by the deviation of a timestamp, in nanoseconds: the gains are those of a least-squares fit.
    fn update(&mut self, deviation: f64) {
        let most = OUTLIER * self.deviation.max(QUANTISED * self.quantisation());
        let clamped = deviation.clamp(-most, most);
        self.weight = (self.weight + 1.0).min(MAX_WEIGHT);
        let gain = 4.0 / self.weight;
        self.period =
            (self.period + 6.0 / (self.weight * self.weight) * clamped).clamp(*PERIODS.start(), *PERIODS.end());
        self.phase = gain * clamped - deviation;
        let averaged = self.weight.min(DEVIATION_FRAMES);
        let magnitude = deviation.abs().min(2.0 * most + 1000.0);
        self.deviation += (magnitude - self.deviation) / averaged;
        // An exchanged display makes the deviation large before it is detected.
        if self.weight >= DEVIATION_FRAMES {
            self.baseline += (self.deviation - self.baseline) / DEVIATION_FRAMES;
        }
    }
}

//! Refresh tracker: a phase-locked loop that follows the period and phase of a display's refreshes from frame to frame.
//!
//! The gains are those of a least-squares fit over all frames so far, so the bandwidth narrows as the weight of the estimate grows.

use super::constants::{
    ACQUIRE_FRAMES, DEVIATION_FRAMES, EXPLAINED, LONG_LOCK_FRAMES, MAX_DELTA, MAX_PERIODS, MAX_WEIGHT, MIN_CHANGE,
    MIN_MAGNITUDE, MIN_WEIGHT, NARROW_BANDWIDTH_WEIGHT, QUANTISED, RESOLVED, TO_UNLOCK,
};
use super::harmonic_detector::HarmonicDetector;
use super::missed_refresh_estimator::{MissedRefreshEstimator, Verdict};
use super::noise::{Noise, NoiseStats};
use crate::numeric::grid_fit::{GridFit, OUTLIER, PERIODS};
use crate::numeric::rounding::round;

/// The tracker. While it is locked, its refreshes are those of the display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RefreshTracker {
    /// The time between refreshes, in nanoseconds.
    pub(super) period: f64,
    /// The last refresh less the timestamp of its frame, in nanoseconds.
    pub(super) phase: f64,
    /// By how many nanoseconds the phase changed in the last frame, whole periods aside.
    pub(super) phase_shift: f64,
    /// Whether it changed by more than missed refreshes: the frames are suspect.
    pub(super) is_off_grid: bool,
    /// Mean absolute deviation of timestamps from the grid, in nanoseconds.
    pub(super) deviation: f64,
    /// Resolution of the clock in nanoseconds; zero where it is fine.
    pub(super) resolution: f64,
    pub(super) is_locked: bool,
    /// Frames in lock.
    locked_frames: f64,
    /// The number of frames from which the estimate was made.
    weight: f64,
    /// The evidence that a lock takes: the factor by which the weight must exceed (deviation / change)².
    to_lock: f64,
    noise: NoiseStats,
    estimator: MissedRefreshEstimator,
    harmonics: HarmonicDetector,
}

impl RefreshTracker {
    /// Starts from a fit. `to_lock` is the factor by which its weight must exceed (deviation / change)² to lock.
    pub(super) fn new(fit: &GridFit, to_lock: f64) -> Self {
        let mut tracker = Self {
            period: fit.period,
            phase: fit.residuals().last().map_or(0.0, |residual| -residual),
            phase_shift: 0.0,
            is_off_grid: false,
            deviation: fit.deviation,
            resolution: 0.0,
            is_locked: false,
            locked_frames: 0.0,
            weight: fit.residuals().len() as f64,
            to_lock,
            noise: NoiseStats::new(),
            estimator: MissedRefreshEstimator::new(),
            harmonics: HarmonicDetector::NONE,
        };
        let mut last = fit.residuals().first().copied().unwrap_or(0.0);
        for residual in fit.residuals().iter().copied() {
            tracker.noise.add(residual, residual - last);
            last = residual;
        }
        for residual in fit.residuals() {
            tracker.estimator.learn(residual / fit.period, tracker.noise());
        }
        tracker
    }

    /// Whether it has been locked for long.
    pub(super) fn was_locked_long(&self) -> bool {
        self.locked_frames > LONG_LOCK_FRAMES
    }

    /// Whether timestamps are near enough to the grid for refreshes to be counted.
    pub(super) fn is_resolved(&self) -> bool {
        self.deviation < RESOLVED * self.period || self.quantisation() > 0.0
    }

    /// Takes the delta of a frame and the resolution of the clock, in nanoseconds. Returns whether there still is a grid to
    /// track.
    pub(super) fn track(&mut self, delta: f64, resolution: f64) -> bool {
        self.resolution = resolution;
        if delta > MAX_DELTA {
            return false;
        }
        if delta < 0.5 * resolution {
            // A clock that stands still is coarser than a frame, however small its deviations were before.
            self.deviation = self.deviation.max(QUANTISED * resolution);
        }
        let (deviation, change) = (delta - self.phase - self.period, delta - self.period);
        if delta <= 0.0 && deviation > 0.0 && resolution == 0.0 {
            self.coast();
            return true;
        }
        let last_shift = self.estimator.shift;
        let noise = self.noise();
        let verdict = self
            .estimator
            .classify(deviation / self.period, change / self.period, noise);
        let is_new_phase = matches!(verdict, Verdict::OffGrid(_));
        self.is_off_grid = is_new_phase || matches!(verdict, Verdict::Revised(_));
        let periods = verdict.periods();
        let skipped = periods * self.period;
        if is_new_phase {
            // Such frames speak against the lock by the weight that they cost.
            self.weight = (0.5 * self.weight).min(DEVIATION_FRAMES);
        } else {
            // By quantisation, deltas change by a third of the resolution. While they do not yet, the quantisation error moves
            // slowly, and the frames do not wander.
            let min_change = (EXPLAINED * self.quantisation()).max(MIN_CHANGE);
            let change = self.bounded(change - skipped).abs().max(min_change);
            self.noise.add(self.bounded(deviation - skipped), change);
        }
        self.update(deviation - skipped);
        self.phase_shift = if periods == 0.0 {
            0.0
        } else {
            (periods - round(periods)) * self.period
        };
        let is_on_a_grid = self.judge();
        // A second shift in the same direction before the first is decided: another display. A cadence shifts by halves and thirds.
        let is_repeated = last_shift * periods > 0.0;
        let is_other_display =
            is_new_phase && (is_repeated || !self.is_locked) && !self.estimator.is_fractional_shift();
        let is_harmonic = self.harmonics.add(1.0 + periods);
        is_on_a_grid && self.weight >= MIN_WEIGHT && !is_other_display && !is_harmonic
    }

    /// Locks, or judges a lock: whether the frames may be those of a display.
    fn judge(&mut self) -> bool {
        if !self.is_locked {
            self.is_locked = self.noise.is_on_grid(self.weight, self.to_lock);
        } else if self.noise.is_settled() && !self.noise.is_on_grid(self.weight, TO_UNLOCK) {
            // A display whose period drifts deviates from a tracker with a narrow bandwidth, which is widened.
            if self.weight <= NARROW_BANDWIDTH_WEIGHT || !self.was_locked_long() {
                // Frames that wander are no exchanged display, which would have reduced the weight at once.
                if self.weight > ACQUIRE_FRAMES as f64 {
                    self.locked_frames = 0.0;
                }
                return false;
            }
            self.noise.restart();
            self.weight *= 0.5;
        }
        self.locked_frames += f64::from(u8::from(self.is_locked));
        true
    }

    /// Coasts by a period without a timestamp. A clock that stands still was read late and cannot go back: its timestamps carry no
    /// information, and do not make the last one less certain.
    fn coast(&mut self) {
        self.phase += self.period;
        (self.phase_shift, self.is_off_grid) = (0.0, false);
    }

    /// The distribution of timestamps around the grid.
    fn noise(&self) -> Noise {
        let resolution = self.quantisation();
        // A quantisation error does not predict that of the next timestamp.
        let autoregression = if resolution > 0.0 {
            (0.0, 1.0)
        } else {
            self.noise.autoregression()
        };
        Noise::new(autoregression, self.deviation / self.period, resolution / self.period)
    }

    /// The resolution of the clock if quantisation explains the deviation; zero otherwise.
    fn quantisation(&self) -> f64 {
        if self.deviation < EXPLAINED * self.resolution {
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

    /// Corrects period and phase by the deviation of a timestamp, in nanoseconds.
    fn update(&mut self, deviation: f64) {
        let most = OUTLIER * self.deviation.max(QUANTISED * self.quantisation());
        let clamped = deviation.clamp(-most, most);
        self.weight = (self.weight + 1.0).min(MAX_WEIGHT);
        let period_gain = 6.0 / (self.weight * self.weight);
        self.period = (self.period + period_gain * clamped).clamp(*PERIODS.start(), *PERIODS.end());
        self.phase = phase_gain(self.weight) * clamped - deviation;
        let averaged = self.weight.min(DEVIATION_FRAMES);
        let magnitude = deviation.abs().min(2.0 * most + MIN_MAGNITUDE);
        self.deviation += (magnitude - self.deviation) / averaged;
    }
}

/// The gain of a phase that is fitted by least squares to as many frames.
pub(super) fn phase_gain(frames: f64) -> f64 {
    4.0 / frames
}

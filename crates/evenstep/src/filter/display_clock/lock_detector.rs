//! Lock detector: whether timestamps belong to a refresh grid or to frames that wander off any grid.
//!
//! It compares the mean absolute deviation from the grid with the mean absolute change of that deviation from frame to frame, as in
//! J. von Neumann, *Distribution of the ratio of the mean square successive difference to the variance* (1941). Jitter deviates by
//! about as much as it changes, however many frames are averaged; the deviation of a free-running loop grows with their number.

use super::fit::REACQUIRE_FRAMES;

/// Frames that the first lock requires at least, one after a failed lock at least, and any lock at most.
const FIRST_LOCK_FRAMES: f64 = 48.0;
const RETRY_LOCK_FRAMES: f64 = 192.0;
const MAX_LOCK_FRAMES: f64 = 4096.0;

/// Frames over which deviation and change are averaged.
const AVERAGED_FRAMES: f64 = 2048.0;

/// The tracker locks when (deviation / change)² is at most its weight over this; where a display was tracked before, over the
/// second...
const TO_LOCK: f64 = 128.0;
const TO_RELOCK: f64 = 64.0;

/// ...and unlocks when it is above its weight over this: the hysteresis of the detector.
const TO_UNLOCK: f64 = 28.0;

/// A tracker with more weight has a narrow bandwidth, which can be widened.
const NARROW_BANDWIDTH_WEIGHT: f64 = 96.0;

/// A lock over more frames is a long one.
const LONG_LOCK_FRAMES: f64 = 400.0;

/// Upper bound of the correlation time of noise, in frames.
const MAX_CORRELATION_TIME: f64 = 3.0;

/// A tracker of less weight is judged as if it had this: fewer frames would rule out white noise.
const MIN_WEIGHT: f64 = 32.0;

/// What the detector asks of the tracker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LockVerdict {
    /// Continue.
    Keep,
    /// The bandwidth is too narrow to follow the display's drift: widen it.
    NarrowBandwidth,
    /// The frames are on no grid: give it up.
    Lost,
}

/// What the tracker must reach before it locks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LockCriteria {
    /// Frames at least.
    frames: f64,
    /// The factor by which its weight must exceed (deviation / change)².
    weight_per_ratio: f64,
}

impl LockCriteria {
    /// For the first lock.
    pub(super) const FIRST: Self = Self {
        frames: FIRST_LOCK_FRAMES,
        weight_per_ratio: TO_LOCK,
    };

    /// After a long lock: a program that was paced by a display most probably still is.
    pub(super) const REACQUIRE: Self = Self {
        frames: REACQUIRE_FRAMES as f64,
        weight_per_ratio: TO_RELOCK,
    };

    /// After a lock that failed.
    pub(super) fn after_failure(self) -> Self {
        Self {
            frames: (4.0 * self.frames).clamp(RETRY_LOCK_FRAMES, MAX_LOCK_FRAMES),
            ..self
        }
    }
}

/// The detector. See [the module](self).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LockDetector {
    /// Frames since the averages began.
    frames: f64,
    /// Mean absolute deviation from the grid, and of deltas from whole periods, in nanoseconds.
    deviation: f64,
    change: f64,
    criteria: LockCriteria,
    is_locked: bool,
    /// Frames in lock.
    locked_frames: f64,
}

impl LockDetector {
    /// Not locked.
    pub(super) const fn new(criteria: LockCriteria) -> Self {
        Self {
            frames: 0.0,
            deviation: 0.0,
            change: 0.0,
            criteria,
            is_locked: false,
            locked_frames: 0.0,
        }
    }

    /// Takes the deviation of a timestamp from the grid and that of its delta from whole periods.
    pub(super) fn add(&mut self, deviation: f64, change: f64) {
        self.frames += 1.0;
        let averaged = self.frames.min(AVERAGED_FRAMES);
        self.deviation += (deviation.abs() - self.deviation) / averaged;
        self.change += (change.abs() - self.change) / averaged;
    }

    /// Judges a tracker of this weight.
    pub(super) fn judge(&mut self, weight: f64) -> LockVerdict {
        let weight_per_ratio = match self.is_locked {
            true => TO_UNLOCK,
            false => self.criteria.weight_per_ratio,
        };
        let weighted_change = weight.max(MIN_WEIGHT) * self.change * self.change;
        let is_on_grid = weight_per_ratio * self.deviation * self.deviation <= weighted_change;
        if self.is_locked && !is_on_grid && self.frames >= FIRST_LOCK_FRAMES {
            self.frames = 0.0;
            // A display whose period drifts deviates from a tracker with a narrow bandwidth.
            if weight > NARROW_BANDWIDTH_WEIGHT && self.was_locked_long() {
                return LockVerdict::NarrowBandwidth;
            }
            // Frames that wander are no exchanged display: that would have reduced the weight at once.
            if weight >= FIRST_LOCK_FRAMES {
                self.locked_frames = 0.0;
            }
            return LockVerdict::Lost;
        }
        self.is_locked |= is_on_grid && self.frames >= self.criteria.frames;
        self.locked_frames += f64::from(u8::from(self.is_locked));
        LockVerdict::Keep
    }

    /// The correlation time of the noise in frames: 1 for white noise, more for autocorrelated noise.
    pub(super) fn correlation_time(&self) -> f64 {
        (1.0 / self.innovation_share()).min(MAX_CORRELATION_TIME)
    }

    /// The noise as an AR(1) process: its coefficient, and the mean absolute innovation as a share of the mean absolute deviation.
    pub(super) fn autoregression(&self) -> (f64, f64) {
        let share = self.innovation_share();
        if share == 1.0 {
            return (0.0, 1.0);
        }
        // sqrt(1 - share / 2), to a thousandth.
        let root = 1.0 - share * (0.25 + 0.043 * share);
        (1.0 - share, self.change / self.deviation * root)
    }

    /// One less the AR(1) coefficient of the noise: G. Box, G. Jenkins, *Time Series Analysis* (1970), 3.2.3.
    fn innovation_share(&self) -> f64 {
        let change = self.change * self.change;
        if change > 0.0 {
            (0.5 * change / (self.deviation * self.deviation)).min(1.0)
        } else {
            1.0
        }
    }

    /// Whether the tracker is locked.
    pub(super) fn is_locked(&self) -> bool {
        self.is_locked
    }

    /// Whether it has been locked for long.
    pub(super) fn was_locked_long(&self) -> bool {
        self.locked_frames > LONG_LOCK_FRAMES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where noise deviates by twice as much as it changes.
    fn frames_until_locked(criteria: LockCriteria) -> usize {
        let mut detector = LockDetector::new(criteria);
        let frame = |frames: &usize| {
            detector.add(1.0, 0.5);
            let _ = detector.judge(*frames as f64);
            detector.is_locked()
        };
        (1..10_000).find(frame).expect("it locks")
    }

    #[test]
    fn the_coefficient_of_autocorrelated_noise_is_estimated_and_white_noise_has_none() {
        let autoregression = |coefficient: f64| {
            let (mut detector, mut deviation, mut seed) = (LockDetector::new(LockCriteria::FIRST), 0.0, 1_u32);
            for _ in 0..2000 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let last = deviation;
                deviation = coefficient * last + f64::from(seed >> 8) / f64::from(1 << 24) - 0.5;
                detector.add(deviation, deviation - last);
            }
            detector.autoregression()
        };
        assert_eq!(autoregression(-0.2), (0.0, 1.0));
        let (coefficient, innovation) = autoregression(0.9);
        assert!((coefficient - 0.9).abs() < 0.05, "{coefficient}");
        assert!(
            (innovation * innovation + coefficient * coefficient - 1.0).abs() < 0.01,
            "{innovation}"
        );
    }

    #[test]
    fn relocking_after_a_long_lock_takes_half_as_many_frames() {
        assert_eq!(frames_until_locked(LockCriteria::FIRST), 512);
        assert_eq!(frames_until_locked(LockCriteria::REACQUIRE), 256);
        assert_eq!(
            frames_until_locked(LockCriteria::FIRST.after_failure().after_failure()),
            768
        );
    }
}

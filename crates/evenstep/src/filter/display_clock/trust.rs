//! Whether readings are those of a grid, or of frames that wander.

use super::fit::GLANCE;

/// Frames that the first grid must have before it is trusted, one after a failure, and any at most.
const LEAST_NEEDED: f64 = 48.0;
const SECOND_NEEDED: f64 = 192.0;
const MOST_NEEDED: f64 = 4096.0;

/// Frames over which sizes are averaged.
const REMEMBERED: f64 = 2048.0;

/// A grid is trusted when the squared ratio of sizes is below the frames that it rests on over this; where a display was followed
/// before, over the second...
const TO_TRUST: f64 = 128.0;
const TO_TRUST_AGAIN: f64 = 64.0;

/// ...and no more when it is above the frames over this.
const TO_DISTRUST: f64 = 28.0;

/// A grid that rests on more can be made to follow faster.
const STIFF: f64 = 96.0;

/// Frames that are long.
const LONG: f64 = 400.0;

/// Noise that lasts for longer is not told apart.
const MOST_LASTING: f64 = 3.0;

/// A grid that rests on fewer frames is judged as if it rested on these.
const LEAST_WEIGHT: f64 = 32.0;

/// What is to be done with a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// It goes on.
    Good,
    /// It must follow its readings faster.
    Stiff,
    /// There is none.
    Wrong,
}

/// What a grid must have before it is trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Demand {
    frames: f64,
    frames_of_ratio: f64,
}

impl Demand {
    /// Of the first grid.
    pub(super) const FIRST: Self = Self {
        frames: LEAST_NEEDED,
        frames_of_ratio: TO_TRUST,
    };

    /// Of a grid after one that was good for long: programs that were paced by a display still are.
    pub(super) const AGAIN: Self = Self {
        frames: GLANCE as f64,
        frames_of_ratio: TO_TRUST_AGAIN,
    };

    /// Of a grid after one that failed.
    pub(super) fn after_failure(self) -> Self {
        Self {
            frames: (4.0 * self.frames).clamp(SECOND_NEEDED, MOST_NEEDED),
            ..self
        }
    }
}

/// How much a grid is to be believed. Noise is off by about what it changes from frame to frame, whatever the number of
/// frames; what wanders is off by ever more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trust {
    frames: f64,
    /// Mean sizes: of what frames are off the grid, and of what deltas are off whole periods.
    off: f64,
    change: f64,
    needed: Demand,
    is_given: bool,
    /// Frames for which it was given.
    given: f64,
}

impl Trust {
    /// None yet.
    pub(super) const fn new(needed: Demand) -> Self {
        Self {
            frames: 0.0,
            off: 0.0,
            change: 0.0,
            needed,
            is_given: false,
            given: 0.0,
        }
    }

    /// Takes what a frame is off, and by how much its delta differs from whole periods.
    pub(super) fn add(&mut self, off: f64, change: f64) {
        self.frames += 1.0;
        let memory = self.frames.min(REMEMBERED);
        self.off += (off.abs() - self.off) / memory;
        self.change += (change.abs() - self.change) / memory;
    }

    /// Judges a grid that rests on so many frames.
    pub(super) fn judge(&mut self, weight: f64) -> Judgement {
        let most = match self.is_given {
            true => TO_DISTRUST,
            false => self.needed.frames_of_ratio,
        };
        // Fewer frames would rule out noise that differs from one to the next.
        let weighed = weight.max(LEAST_WEIGHT) * self.change * self.change;
        let is_good = most * self.off * self.off <= weighed;
        if self.is_given && !is_good && self.frames >= LEAST_NEEDED {
            self.frames = 0.0;
            // A display that drifts leaves a grid that rests on many frames.
            if weight > STIFF && self.was_long() {
                return Judgement::Stiff;
            }
            // What wanders is no display that was exchanged: that one's grid lost its weight at once.
            if weight >= LEAST_NEEDED {
                self.given = 0.0;
            }
            return Judgement::Wrong;
        }
        self.is_given |= is_good && self.frames >= self.needed.frames;
        self.given += f64::from(u8::from(self.is_given));
        Judgement::Good
    }

    /// For how many frames noise lasts: one where each frame has its own, more where it is much like in the frame before.
    pub(super) fn lasting(&self) -> f64 {
        (1.0 / self.lost()).min(MOST_LASTING)
    }

    /// The share of noise that stays until the next frame, and the mean size of the rest as a share of all.
    pub(super) fn memory(&self) -> (f64, f64) {
        let lost = self.lost();
        if lost == 1.0 {
            return (0.0, 1.0);
        }
        // The root of 1 - lost / 2, to a thousandth.
        let root = 1.0 - lost * (0.25 + 0.043 * lost);
        (1.0 - lost, self.change / self.off * root)
    }

    /// The share of noise that does not stay until the next frame, as of an autoregressive process of first order: G. Box,
    /// G. Jenkins, *Time Series Analysis* (1970), 3.2.3.
    fn lost(&self) -> f64 {
        let change = self.change * self.change;
        if change > 0.0 {
            (0.5 * change / (self.off * self.off)).min(1.0)
        } else {
            1.0
        }
    }

    /// Whether it is given.
    pub(super) fn is_given(&self) -> bool {
        self.is_given
    }

    /// Whether it was given for long.
    pub(super) fn was_long(&self) -> bool {
        self.given > LONG
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where noise is off by twice what it changes.
    fn frames_until_trusted(needed: Demand) -> usize {
        let mut trust = Trust::new(needed);
        let frame = |frames: &usize| {
            trust.add(1.0, 0.5);
            let _ = trust.judge(*frames as f64);
            trust.is_given()
        };
        (1..10_000).find(frame).expect("it is trusted")
    }

    #[test]
    fn noise_that_is_its_own_in_each_frame_has_no_memory_and_noise_that_stays_has() {
        let memory = |stays: f64| {
            let (mut trust, mut off, mut seed) = (Trust::new(Demand::FIRST), 0.0, 1_u32);
            for _ in 0..2000 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let last = off;
                off = stays * last + f64::from(seed >> 8) / f64::from(1 << 24) - 0.5;
                trust.add(off, off - last);
            }
            trust.memory()
        };
        assert_eq!(memory(-0.2), (0.0, 1.0));
        let (stays, rest) = memory(0.9);
        assert!((stays - 0.9).abs() < 0.05, "{stays}");
        assert!((rest * rest + stays * stays - 1.0).abs() < 0.01, "{rest}");
    }

    #[test]
    fn after_a_display_another_is_trusted_in_half_of_the_frames() {
        assert_eq!(frames_until_trusted(Demand::FIRST), 512);
        assert_eq!(frames_until_trusted(Demand::AGAIN), 256);
        assert_eq!(frames_until_trusted(Demand::FIRST.after_failure().after_failure()), 768);
    }
}

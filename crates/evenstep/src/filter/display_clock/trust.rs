//! Whether readings are those of a grid, or of frames that wander.

/// Frames that a grid must have at least before it is trusted.
pub(super) const LEAST_NEEDED: f64 = 48.0;

/// Frames over which sizes are averaged.
const REMEMBERED: f64 = 2048.0;

/// A grid is trusted when the squared ratio of sizes is below the frames that it rests on over this...
const TO_TRUST: f64 = 96.0;

/// ...and no more when it is above the frames over this.
const TO_DISTRUST: f64 = 12.0;

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

/// How much a grid is to be believed. Noise is off by about what it changes from frame to frame, whatever the number of
/// frames; what wanders is off by ever more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trust {
    frames: f64,
    /// Mean sizes: of what frames are off the grid, and of what deltas are off whole periods.
    off: f64,
    change: f64,
    /// Frames before it is given, and those for which it was given.
    needed: f64,
    is_given: bool,
    given: f64,
}

impl Trust {
    /// None yet, for so many frames.
    pub(super) const fn new(needed: f64) -> Self {
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
        let most = if self.is_given { TO_DISTRUST } else { TO_TRUST };
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
        self.is_given |= is_good && self.frames >= self.needed;
        self.given += f64::from(u8::from(self.is_given));
        Judgement::Good
    }

    /// For how many frames noise lasts: one where each frame has its own, more where it is much like in the frame before.
    pub(super) fn lasting(&self) -> f64 {
        let change = self.change * self.change;
        if change > 0.0 {
            (2.0 * self.off * self.off / change).clamp(1.0, MOST_LASTING)
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

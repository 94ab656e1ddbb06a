//! Random displays, programs and clocks with a known truth.

use std::fmt;
use std::time::Duration;

use fastrand::Rng;

mod disturbance;
mod lateness;
mod pace;

pub use lateness::LatenessFamily;
pub use pace::PaceKind;

use disturbance::{Misses, Pauses};
use lateness::Lateness;
use pace::Pace;

/// A random display, the program that draws on it, and the clock that the program reads. The same seed
/// gives the same world.
///
/// Seven worlds of ten have a display with a fixed refresh, from 24 to 360 Hz: even, drifting by up to 100 ppm, or exchanged
/// for another one meanwhile. The program draws at every refresh, at every second or third, or at a lower rate of its own.
/// It may miss refreshes and pause. In the other worlds a frame is shown when it is ready: the display has a variable refresh,
/// or the program paces itself. The clock is read late by one of several [families](LatenessFamily) of errors.
///
/// ```
/// use evenstep_evaluation::World;
///
/// let world = World::random(7);
/// assert_eq!(world, World::random(7));
/// println!("{world}");
/// let frames = world.frames(100);
/// assert!(frames.iter().all(|frame| frame.shown_ms > 0.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    seed: u64,
    pace: Pace,
    misses: Misses,
    pauses: Pauses,
    lateness: Lateness,
}

/// A frame of a [`World`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldFrame {
    /// The delta that the program reads.
    pub delta: Duration,
    /// The time since the previous frame was displayed, in milliseconds.
    pub shown_ms: f64,
    /// The display's refresh interval in milliseconds; `None` if it is not fixed.
    pub refresh_ms: Option<f64>,
    /// The number of refreshes that the program missed before this frame.
    pub missed: u32,
    /// Whether this is the first frame on another display.
    pub is_switch: bool,
    /// The lateness of the timestamp, in milliseconds.
    pub late_ms: f64,
}

impl World {
    /// The world of a seed.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        // Neighbouring seeds must have nothing in common.
        let mut random = Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let pace = Pace::random(&mut random);
        Self {
            seed,
            misses: Misses::random(&mut random, pace.is_fixed()),
            pauses: Pauses::random(&mut random),
            lateness: Lateness::random(&mut random),
            pace,
        }
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether the display has a fixed refresh.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.pace.is_fixed()
    }

    /// The mechanism that sets the pace of frames.
    #[must_use]
    pub fn pace(&self) -> PaceKind {
        self.pace.kind()
    }

    /// The family of the clock's errors.
    #[must_use]
    pub fn lateness(&self) -> LatenessFamily {
        self.lateness.family()
    }

    /// The baseline frame time in milliseconds, on the first display.
    #[must_use]
    pub fn baseline_ms(&self) -> f64 {
        self.pace.baseline_ms()
    }

    /// The first `count` frames. The delta of each is measured from the previous frame; a frame before the first is not returned.
    #[must_use]
    pub fn frames(&self, count: usize) -> Vec<WorldFrame> {
        let mut random = Rng::with_seed(!self.seed);
        let mut steps = self.pace.steps(&mut random, count);
        let mut misses = self.misses.plan();
        let pauses = self.pauses.frames(count);
        let mut clock = self.lateness.clock();
        let (mut shown, mut read) = (0.0, clock.read(&mut random, 0.0));
        let frame = |index: usize| {
            let (missed, paused_ms) = (misses.next(&mut random), pauses.at(index));
            let step = steps.next(&mut random, missed, paused_ms);
            shown += step.shown_ms;
            let now = clock.read(&mut random, shown).max(read);
            let delta_ms = now - read;
            read = now;
            WorldFrame {
                delta: Duration::from_nanos((delta_ms * 1e6).round() as u64),
                shown_ms: step.shown_ms,
                refresh_ms: step.refresh_ms,
                missed,
                is_switch: step.is_switch,
                late_ms: now - shown,
            }
        };
        (0..count).map(frame).collect()
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}; read {}", self.pace, self.misses, self.pauses, self.lateness)
    }
}

//! Frame times with known truth: a display at an even rate, read with noise.

use std::fmt;
use std::time::Duration;

/// How wrong the times are that a program reads for the refreshes of a display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// Evenly within ± so many milliseconds.
    Uniform(f64),
    /// Normal, with this deviation in milliseconds.
    Normal(f64),
    /// Normal, with this deviation in milliseconds, and two in a hundred late by 1 to 6 ms.
    Late(f64),
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform(most) => write!(f, "±{most} ms"),
            Self::Normal(deviation) => write!(f, "σ {deviation} ms"),
            Self::Late(deviation) => write!(f, "σ {deviation} ms, 2 % late"),
        }
    }
}

impl Noise {
    /// Deltas of frames that are each shown at the refresh after the one before, on a display at `hertz`, whose times are
    /// read with this noise; the same ones for the same seed.
    #[must_use]
    pub fn deltas(self, hertz: f64, seed: u64, frames: usize) -> Vec<Duration> {
        let mut random = Random::new(seed);
        let mut last = 0.0_f64;
        let read = |frame: usize| {
            let time = (frame as f64 * 1e3 / hertz + self.sample(&mut random)).max(last);
            let delta = time - last;
            last = time;
            Duration::from_secs_f64(delta / 1e3)
        };
        (1..=frames).map(read).collect()
    }

    fn sample(self, random: &mut Random) -> f64 {
        match self {
            Self::Uniform(most) => most * (2.0 * random.next() - 1.0),
            Self::Normal(deviation) => deviation * random.normal(),
            Self::Late(deviation) => {
                let is_late = random.next() < 0.02;
                let late = if is_late { 1.0 + 5.0 * random.next() } else { 0.0 };
                deviation * random.normal() + late
            }
        }
    }
}

/// Numbers that look random: G. Marsaglia, *Xorshift RNGs* (2003).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        // Seeds that differ in few bits give unlike numbers; zero would stay zero.
        Self(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normal with a deviation of one, nearly: the sum of twelve.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

//! Noisy timestamps of a display at a known, even rate.

use std::fmt;
use std::time::Duration;

use fastrand::Rng;

use crate::random::normal;

/// The error of a program's timestamps of refreshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// Uniform, within ± this many milliseconds.
    Uniform(f64),
    /// Normal, with this deviation in milliseconds.
    Normal(f64),
    /// Normal, with this deviation in milliseconds; two in a hundred are late by another 1 to 6 ms.
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
    /// Deltas of frames that are displayed at every refresh of a display at `hertz`, read with this noise. The same seed gives
    /// the same deltas.
    #[must_use]
    pub fn deltas(self, hertz: f64, seed: u64, frames: usize) -> Vec<Duration> {
        let mut random = Rng::with_seed(seed);
        let mut last = 0.0_f64;
        let read = |frame: usize| {
            let time = (frame as f64 * 1e3 / hertz + self.sample(&mut random)).max(last);
            let delta = time - last;
            last = time;
            Duration::from_secs_f64(delta / 1e3)
        };
        (1..=frames).map(read).collect()
    }

    fn sample(self, random: &mut Rng) -> f64 {
        match self {
            Self::Uniform(most) => most * (2.0 * random.f64() - 1.0),
            Self::Normal(deviation) => deviation * normal(random),
            Self::Late(deviation) => {
                let is_late = random.f64() < 0.02;
                let late = if is_late { 1.0 + 5.0 * random.f64() } else { 0.0 };
                deviation * normal(random) + late
            }
        }
    }
}

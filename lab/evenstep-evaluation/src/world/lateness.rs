//! The lateness of a program's timestamps.

use std::fmt;

use fastrand::Rng;
use serde::Serialize;

use crate::random::{between, between_ratios, normal};

/// No error is larger under a Pareto law, in milliseconds.
const LATEST: f64 = 30.0;

/// A family of errors of a program's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatenessFamily {
    /// Never early: exponential.
    OneSided,
    /// Early and late alike: uniform or normal.
    TwoSided,
    /// Mostly small, sometimes large, and never early.
    HeavyTailed,
    /// Two kinds of frames: in time and late.
    Mixed,
    /// Similar to the previous frame: an autoregressive process.
    Correlated,
    /// The same every n frames.
    Periodic,
    /// A coarse clock, whose times are rounded down.
    Quantised,
}

impl LatenessFamily {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::OneSided,
        Self::TwoSided,
        Self::HeavyTailed,
        Self::Mixed,
        Self::Correlated,
        Self::Periodic,
        Self::Quantised,
    ];
}

impl fmt::Display for LatenessFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OneSided => "one-sided",
            Self::TwoSided => "two-sided",
            Self::HeavyTailed => "heavy-tailed",
            Self::Mixed => "two kinds of frames",
            Self::Correlated => "correlated",
            Self::Periodic => "periodic",
            Self::Quantised => "quantised",
        })
    }
}

/// The distribution of the lateness of timestamps, in milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lateness {
    Exponential {
        mean: f64,
    },
    Uniform {
        most: f64,
    },
    Normal {
        deviation: f64,
    },
    /// A share of the frames is late by another 1 ms to `most`.
    Spikes {
        deviation: f64,
        share: f64,
        most: f64,
    },
    /// A Pareto distribution, cut off at 30 ms.
    Pareto {
        scale: f64,
        shape: f64,
    },
    Mixed {
        deviation: f64,
        share: f64,
        late: f64,
    },
    Correlated {
        deviation: f64,
        memory: f64,
    },
    Periodic {
        deviation: f64,
        pattern: Vec<f64>,
    },
    Quantised {
        quantum: f64,
        mean: f64,
    },
}

impl Lateness {
    pub(super) fn random(random: &mut Rng) -> Self {
        let size = between_ratios(random, 0.02, 1.0);
        let small = size.min(0.2);
        match LatenessFamily::ALL[random.usize(..7)] {
            LatenessFamily::OneSided => Self::Exponential { mean: size },
            LatenessFamily::TwoSided if random.bool() => Self::Uniform { most: 2.0 * size },
            LatenessFamily::TwoSided => Self::Normal { deviation: size },
            LatenessFamily::HeavyTailed if random.bool() => Self::Spikes {
                deviation: small,
                share: between_ratios(random, 0.002, 0.1),
                most: between(random, 2.0, 8.0),
            },
            LatenessFamily::HeavyTailed => Self::Pareto {
                scale: 0.3 * size,
                shape: between(random, 1.2, 3.0),
            },
            LatenessFamily::Mixed => Self::Mixed {
                deviation: small,
                share: between(random, 0.05, 0.5),
                late: between_ratios(random, 0.2, 3.0),
            },
            LatenessFamily::Correlated => Self::Correlated {
                deviation: size,
                memory: 1.0 - between_ratios(random, 0.03, 0.5),
            },
            LatenessFamily::Periodic => {
                let frames = random.usize(2..=12);
                Self::Periodic {
                    deviation: small,
                    pattern: (0..frames).map(|_| 3.0 * size * random.f64()).collect(),
                }
            }
            LatenessFamily::Quantised => Self::Quantised {
                quantum: between_ratios(random, 0.001, 16.7),
                mean: if random.bool() { 0.0 } else { small },
            },
        }
    }

    pub(super) fn family(&self) -> LatenessFamily {
        match self {
            Self::Exponential { .. } => LatenessFamily::OneSided,
            Self::Uniform { .. } | Self::Normal { .. } => LatenessFamily::TwoSided,
            Self::Spikes { .. } | Self::Pareto { .. } => LatenessFamily::HeavyTailed,
            Self::Mixed { .. } => LatenessFamily::Mixed,
            Self::Correlated { .. } => LatenessFamily::Correlated,
            Self::Periodic { .. } => LatenessFamily::Periodic,
            Self::Quantised { .. } => LatenessFamily::Quantised,
        }
    }

    pub(super) fn clock(&self) -> Clock<'_> {
        Clock {
            lateness: self,
            last: 0.0,
            frame: 0,
        }
    }
}

impl fmt::Display for Lateness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exponential { mean } => write!(f, "late by {mean:.3} ms in the mean"),
            Self::Uniform { most } => write!(f, "within ±{most:.3} ms"),
            Self::Normal { deviation } => write!(f, "with σ {deviation:.3} ms"),
            Self::Spikes { deviation, share, most } => {
                let percent = 100.0 * share;
                write!(f, "with σ {deviation:.3} ms, {percent:.1} % late by 1 to {most:.1} ms")
            }
            Self::Pareto { scale, shape } => write!(f, "late by a Pareto law of shape {shape:.2} from {scale:.3} ms"),
            Self::Mixed { deviation, share, late } => {
                let percent = 100.0 * share;
                write!(f, "with σ {deviation:.3} ms, {percent:.0} % late by {late:.2} ms")
            }
            Self::Correlated { deviation, memory } => write!(f, "with σ {deviation:.3} ms, AR(1) {memory:.3}"),
            Self::Periodic { deviation, pattern } => {
                let most = pattern.iter().copied().fold(0.0, f64::max);
                let frames = pattern.len();
                write!(
                    f,
                    "with σ {deviation:.3} ms and late by up to {most:.2} ms, the same every {frames} frames"
                )
            }
            Self::Quantised { quantum, mean } => {
                write!(f, "late by {mean:.3} ms in the mean, in units of {quantum:.4} ms")
            }
        }
    }
}

/// A clock that is read once a frame.
pub(super) struct Clock<'l> {
    lateness: &'l Lateness,
    last: f64,
    frame: usize,
}

impl Clock<'_> {
    /// The timestamp at a true time, in milliseconds.
    pub(super) fn read(&mut self, random: &mut Rng, time: f64) -> f64 {
        self.frame += 1;
        let exponential = |random: &mut Rng| -(1.0 - random.f64()).ln();
        match self.lateness {
            Lateness::Exponential { mean } => time + mean * exponential(random),
            Lateness::Uniform { most } => time + most * (2.0 * random.f64() - 1.0),
            Lateness::Normal { deviation } => time + deviation * normal(random),
            Lateness::Spikes { deviation, share, most } => {
                let is_late = random.f64() < *share;
                let spike = if is_late { between(random, 1.0, *most) } else { 0.0 };
                time + (deviation * normal(random)).abs() + spike
            }
            Lateness::Pareto { scale, shape } => {
                let late = scale * (1.0 - random.f64()).powf(-1.0 / shape);
                time + late.min(LATEST)
            }
            Lateness::Mixed { deviation, share, late } => {
                let late = if random.f64() < *share { *late } else { 0.0 };
                time + deviation * normal(random) + late
            }
            Lateness::Correlated { deviation, memory } => {
                self.last = memory * self.last + deviation * (1.0 - memory * memory).sqrt() * normal(random);
                time + self.last
            }
            Lateness::Periodic { deviation, pattern } => {
                time + deviation * normal(random) + pattern[self.frame % pattern.len()]
            }
            Lateness::Quantised { quantum, mean } => ((time + mean * exponential(random)) / quantum).floor() * quantum,
        }
    }
}

//! The likelihood of clock errors under their known distribution.

use std::f64::consts::{PI, SQRT_2};

use crate::world::lateness::{LATEST, Lateness};

/// The resolution of timestamps, in milliseconds.
const EXACT: f64 = 1e-6;

/// A timestamp under the hypothesis that it belongs to a certain frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// How late it is, if it is of that frame, in milliseconds.
    pub(super) late: f64,
    /// How late the previous timestamp was.
    pub(super) late_before: f64,
    /// How many timestamps there were before.
    pub(super) index: usize,
    /// Whether it is equal to the previous timestamp. A clock never goes back, so its error may have been any less.
    pub(super) is_held: bool,
}

impl Lateness {
    /// The likelihood of a timestamp: a density per millisecond, or a probability where the clock is coarse or was held.
    pub(super) fn likelihood(&self, reading: Reading) -> f64 {
        match self {
            // The time was rounded down by up to a quantum.
            Self::Quantised { quantum, mean } => {
                let below = |late: f64| below_exponential(late + EXACT, *mean);
                below(reading.late + quantum - 2.0 * EXACT) - below(reading.late)
            }
            _ if reading.is_held => self.share_below(reading),
            _ => self.density(reading),
        }
    }

    fn density(&self, reading: Reading) -> f64 {
        let Reading {
            late,
            late_before,
            index,
            ..
        } = reading;
        match self {
            Self::Exponential { mean } | Self::Quantised { mean, .. } if late >= 0.0 => (-late / mean).exp() / mean,
            Self::Exponential { .. } | Self::Quantised { .. } => 0.0,
            Self::Uniform { most } => f64::from(u8::from(late.abs() <= *most)) / (2.0 * most),
            Self::Normal { deviation } => normal(late, *deviation),
            Self::Spikes { deviation, share, most } => {
                let in_time = 2.0 * normal(late, *deviation) * f64::from(u8::from(late >= 0.0));
                let between = below_folded(late - 1.0, *deviation) - below_folded(late - most, *deviation);
                (1.0 - share) * in_time + share * between / (most - 1.0)
            }
            // The cut-off tail is a point mass.
            Self::Pareto { scale, shape } if (late - LATEST).abs() < EXACT => (scale / LATEST).powf(*shape) / EXACT,
            Self::Pareto { scale, shape } if (*scale..LATEST).contains(&(late + EXACT)) => {
                shape / scale * (scale / late).powf(shape + 1.0)
            }
            Self::Pareto { .. } => 0.0,
            Self::Mixed {
                deviation,
                share,
                late: by,
            } => (1.0 - share) * normal(late, *deviation) + share * normal(late - by, *deviation),
            Self::Correlated { deviation, memory } => {
                normal(late - memory * late_before, deviation * (1.0 - memory * memory).sqrt())
            }
            Self::Periodic { deviation, pattern } => normal(late - pattern[index % pattern.len()], *deviation),
        }
    }

    /// The probability that an error is less.
    fn share_below(&self, reading: Reading) -> f64 {
        let late = reading.late;
        match self {
            Self::Exponential { mean } | Self::Quantised { mean, .. } => below_exponential(late, *mean),
            Self::Uniform { most } => (0.5 + 0.5 * late / most).clamp(0.0, 1.0),
            Self::Normal { deviation } => below_normal(late, *deviation),
            // Spikes only make a timestamp later, never earlier.
            Self::Spikes { deviation, share, .. } => (1.0 - share) * below_folded(late, *deviation),
            Self::Pareto { scale, shape } => 1.0 - (scale / late.max(*scale)).powf(*shape),
            Self::Mixed {
                deviation,
                share,
                late: by,
            } => (1.0 - share) * below_normal(late, *deviation) + share * below_normal(late - by, *deviation),
            Self::Correlated { deviation, memory } => below_normal(
                late - memory * reading.late_before,
                deviation * (1.0 - memory * memory).sqrt(),
            ),
            Self::Periodic { deviation, pattern } => {
                below_normal(late - pattern[reading.index % pattern.len()], *deviation)
            }
        }
    }
}

fn normal(value: f64, deviation: f64) -> f64 {
    let share = value / deviation;
    (-0.5 * share * share).exp() / (deviation * (2.0 * PI).sqrt())
}

fn below_exponential(value: f64, mean: f64) -> f64 {
    if value <= 0.0 {
        0.0
    } else if mean > 0.0 {
        1.0 - (-value / mean).exp()
    } else {
        1.0
    }
}

/// Of the size of a normal error.
fn below_folded(value: f64, deviation: f64) -> f64 {
    (2.0 * below_normal(value, deviation) - 1.0).max(0.0)
}

/// M. Abramowitz, I. Stegun, *Handbook of Mathematical Functions* (1964), 7.1.26: to 2e-7.
fn below_normal(value: f64, deviation: f64) -> f64 {
    let size = (value / deviation).abs() / SQRT_2;
    let part = 1.0 / (1.0 + 0.327_591_1 * size);
    let series = [
        1.061_405_429,
        -1.453_152_027,
        1.421_413_741,
        -0.284_496_736,
        0.254_829_592,
    ];
    let sum = series.iter().fold(0.0, |sum, factor| (sum + factor) * part);
    let above = 0.5 * sum * (-size * size).exp();
    if value < 0.0 { above } else { 1.0 - above }
}

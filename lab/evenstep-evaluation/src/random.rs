//! Random numbers of a few distributions.

use fastrand::Rng;

/// A number from one to another.
pub(crate) fn between(random: &mut Rng, least: f64, most: f64) -> f64 {
    least + (most - least) * random.f64()
}

/// A number from one to another, between one and two as often as between two and four.
pub(crate) fn between_ratios(random: &mut Rng, least: f64, most: f64) -> f64 {
    least * (most / least).powf(random.f64())
}

/// A number of a normal distribution with a deviation of one, nearly: the sum of twelve.
pub(crate) fn normal(random: &mut Rng) -> f64 {
    (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
}

//! Random numbers of a few distributions.

use fastrand::Rng;

/// A number from one to another.
pub(crate) fn between(random: &mut Rng, least: f64, most: f64) -> f64 {
    least + (most - least) * random.f64()
}

/// A log-uniform number in a range: it is as often between one and two as between two and four.
pub(crate) fn between_ratios(random: &mut Rng, least: f64, most: f64) -> f64 {
    least * (most / least).powf(random.f64())
}

/// An approximately normal number with a standard deviation of one: the sum of twelve uniform numbers.
pub(crate) fn normal(random: &mut Rng) -> f64 {
    (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
}

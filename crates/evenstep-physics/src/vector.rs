//! Vectors of one, two or three components.

use evenstep::Vector;

/// A physical quantity with one component per dimension: a force, a velocity or a torque.
///
/// Implemented for `f32` and arrays of it.
pub trait PhysicsVector: Send + Sync + Vector + PartialEq + std::fmt::Debug + 'static {
    /// The zero vector.
    const ZERO: Self;

    /// The components.
    fn components(&self) -> &[f32];

    /// `self + other`.
    #[must_use]
    fn add(self, other: Self) -> Self {
        self.plus(other, 1.0)
    }

    /// `self × factor`.
    #[must_use]
    fn times(self, factor: f64) -> Self {
        Self::ZERO.plus(self, factor)
    }

    /// The dot product.
    #[must_use]
    fn dot(&self, other: &Self) -> f32 {
        self.components()
            .iter()
            .zip(other.components())
            .map(|(one, other)| one * other)
            .sum()
    }

    /// The Euclidean length.
    #[must_use]
    fn length(&self) -> f32 {
        self.dot(self).sqrt()
    }

    /// Whether all components are finite.
    fn all_finite(&self) -> bool {
        self.components().iter().all(|component| component.is_finite())
    }
}

impl PhysicsVector for f32 {
    const ZERO: Self = 0.0;

    fn components(&self) -> &[f32] {
        std::slice::from_ref(self)
    }
}

impl<const N: usize> PhysicsVector for [f32; N] {
    const ZERO: Self = [0.0; N];

    fn components(&self) -> &[f32] {
        self
    }
}

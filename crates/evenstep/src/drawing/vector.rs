//! The trait of the values that positions and velocities consist of.

/// Something that positions and velocities are made of: it can be added and scaled, and has a length.
///
/// Implemented for `f32`, `f64` and arrays of them.
pub trait Vector: Copy {
    /// `self + other × factor`.
    #[must_use]
    fn plus(self, other: Self, factor: f64) -> Self;

    /// The square of its Euclidean length.
    #[must_use]
    fn length_squared(self) -> f64;
}

impl Vector for f64 {
    #[inline]
    fn plus(self, other: Self, factor: f64) -> Self {
        self + other * factor
    }

    fn length_squared(self) -> f64 {
        self * self
    }
}

impl Vector for f32 {
    #[inline]
    fn plus(self, other: Self, factor: f64) -> Self {
        self + other * factor as f32
    }

    fn length_squared(self) -> f64 {
        f64::from(self) * f64::from(self)
    }
}

impl<T: Vector, const N: usize> Vector for [T; N] {
    #[inline]
    fn plus(self, other: Self, factor: f64) -> Self {
        core::array::from_fn(|axis| self[axis].plus(other[axis], factor))
    }

    fn length_squared(self) -> f64 {
        self.into_iter().map(Vector::length_squared).sum()
    }
}

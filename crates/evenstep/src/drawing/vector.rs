//! The trait of the values that positions and velocities consist of.

/// Something that positions and velocities are made of: it can be added and scaled.
///
/// Implemented for `f32`, `f64` and arrays of them.
pub trait Vector: Copy {
    /// `self + other × factor`.
    #[must_use]
    fn plus(self, other: Self, factor: f64) -> Self;
}

impl Vector for f64 {
    #[inline]
    fn plus(self, other: Self, factor: f64) -> Self {
        self + other * factor
    }
}

impl Vector for f32 {
    #[inline]
    fn plus(self, other: Self, factor: f64) -> Self {
        self + other * factor as f32
    }
}

impl<T: Vector, const N: usize> Vector for [T; N] {
    #[inline]
    fn plus(self, other: Self, factor: f64) -> Self {
        core::array::from_fn(|axis| self[axis].plus(other[axis], factor))
    }
}

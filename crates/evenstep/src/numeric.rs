//! Arithmetic that `core` lacks: float functions, rounding, sorting of small windows.

#[cfg(all(feature = "serde", feature = "follow"))]
pub(crate) mod array;
pub(crate) mod math;
pub(crate) mod rounding;
pub(crate) mod sorted_window;

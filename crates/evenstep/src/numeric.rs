//! Arithmetic that `core` lacks: float functions, rounding, refresh grids, 256-bit products, sorting of small windows.

#[cfg(all(feature = "serde", any(feature = "std", feature = "libm")))]
pub(crate) mod array;
pub(crate) mod grid_fit;
#[cfg(any(feature = "std", feature = "libm"))]
pub(crate) mod math;
pub(crate) mod mul256;
pub(crate) mod rounding;
pub(crate) mod sorted_window;

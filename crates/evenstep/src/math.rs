//! The few functions of floats that `core` lacks.
//!
//! Sines and their kin are libm's on every platform: those of the platforms differ in the last bits, and states that
//! begin with other bits drift apart. Roots are exact everywhere.

#[cfg(feature = "std")]
pub(crate) fn sqrt(x: f32) -> f32 {
    x.sqrt()
}

#[cfg(feature = "std")]
pub(crate) fn sqrt_f64(x: f64) -> f64 {
    x.sqrt()
}

#[cfg(not(feature = "std"))]
pub(crate) fn sqrt(x: f32) -> f32 {
    libm::sqrtf(x)
}

#[cfg(not(feature = "std"))]
pub(crate) fn sqrt_f64(x: f64) -> f64 {
    libm::sqrt(x)
}

pub(crate) fn exp(x: f64) -> f64 {
    libm::exp(x)
}

pub(crate) fn sin_cos(x: f32) -> (f32, f32) {
    libm::sincosf(x)
}

pub(crate) fn acos(x: f32) -> f32 {
    libm::acosf(x)
}

pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

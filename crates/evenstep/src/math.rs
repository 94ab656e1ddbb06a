//! The few functions of floats that `core` lacks, from `std` or from `libm`.

#[cfg(feature = "std")]
mod imp {
    pub(crate) fn sqrt(x: f32) -> f32 {
        x.sqrt()
    }
    pub(crate) fn sqrt_f64(x: f64) -> f64 {
        x.sqrt()
    }
    pub(crate) fn sin_cos(x: f32) -> (f32, f32) {
        x.sin_cos()
    }
    pub(crate) fn acos(x: f32) -> f32 {
        x.acos()
    }
    pub(crate) fn atan2(y: f32, x: f32) -> f32 {
        y.atan2(x)
    }
}

#[cfg(not(feature = "std"))]
mod imp {
    pub(crate) fn sqrt(x: f32) -> f32 {
        libm::sqrtf(x)
    }
    pub(crate) fn sqrt_f64(x: f64) -> f64 {
        libm::sqrt(x)
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
}

pub(crate) use imp::*;

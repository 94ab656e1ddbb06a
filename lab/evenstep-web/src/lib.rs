//! The figures of evenstep's web page, one type each. The browser tells a figure how much time has passed and draws
//! the numbers that it returns. All simulation takes place here.
//!
//! Each figure has an `advance` that takes the milliseconds since the last animation frame. Figures that emulate
//! another display return a row of numbers for each frame that this display would have shown, so there may be
//! none or several.
#![forbid(unsafe_code)]

#[cfg(feature = "analysis")]
pub mod analyze;
#[cfg(feature = "article")]
pub mod article;
#[cfg(any(feature = "article", feature = "rapier2d"))]
mod emulated_display;
#[cfg(feature = "ggrs")]
pub mod peers;
#[cfg(feature = "rapier2d")]
pub mod physics;
#[cfg(any(feature = "article", feature = "rapier2d", feature = "ggrs"))]
mod time;

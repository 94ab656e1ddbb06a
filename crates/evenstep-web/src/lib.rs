//! The figures of evenstep's web page, one type each. The browser tells a figure how much time has passed and draws
//! the numbers that it answers with; everything that is simulated is simulated here.
//!
//! Each figure has an `advance` that takes the milliseconds since the last animation frame. Figures that imitate
//! another display answer with a row of numbers for each frame that this display would have shown, so there may be
//! none or several.
#![forbid(unsafe_code)]

use std::time::Duration;

mod accumulator;
mod analyze;
#[cfg(feature = "rapier2d")]
mod blocks;
mod display;
mod hockey;
mod imitated;
mod paths;
mod smoothing;
mod spiral;
mod spring;

pub use accumulator::AccumulatorFigure;
pub use analyze::analyze;
#[cfg(feature = "rapier2d")]
pub use blocks::BlocksFigure;
pub use display::DisplayFigure;
pub use hockey::HockeyFigure;
pub use paths::PathsFigure;
pub use spiral::SpiralFigure;
pub use spring::SpringFigure;

/// A time in milliseconds from the browser. What is no time counts as none.
fn duration(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or_default()
}

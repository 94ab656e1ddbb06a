//! The figures of evenstep's web page, one type each. The browser tells a figure how much time has passed and draws
//! the numbers that it returns. All simulation takes place here.
//!
//! Each figure has an `advance` that takes the milliseconds since the last animation frame. Figures that imitate
//! another display return a row of numbers for each frame that this display would have shown, so there may be
//! none or several.
#![forbid(unsafe_code)]

#[cfg(feature = "article")]
mod accumulator;
#[cfg(feature = "analysis")]
mod analyze;
#[cfg(feature = "rapier2d")]
mod blocks;
#[cfg(feature = "article")]
mod display;
#[cfg(feature = "article")]
mod hockey;
#[cfg(any(feature = "article", feature = "rapier2d"))]
mod imitated;
#[cfg(feature = "article")]
mod loops;
#[cfg(feature = "ggrs")]
mod peers;
#[cfg(feature = "article")]
mod rates;
#[cfg(feature = "article")]
mod seen;
#[cfg(feature = "rapier2d")]
mod smoothing;
#[cfg(feature = "rapier2d")]
mod snooker;
#[cfg(feature = "article")]
mod spiral;
#[cfg(any(feature = "article", feature = "rapier2d", feature = "ggrs"))]
mod time;
#[cfg(feature = "rapier2d")]
mod two_blocks;

#[cfg(feature = "article")]
pub use accumulator::AccumulatorFigure;
#[cfg(feature = "analysis")]
pub use analyze::{analyze, filters, frame_times};
#[cfg(feature = "rapier2d")]
pub use blocks::BlocksFigure;
#[cfg(feature = "article")]
pub use display::DisplayFigure;
#[cfg(feature = "article")]
pub use hockey::HockeyFigure;
#[cfg(feature = "article")]
pub use loops::LoopsFigure;
#[cfg(feature = "ggrs")]
pub use peers::PeersFigure;
#[cfg(feature = "article")]
pub use rates::RatesFigure;
#[cfg(feature = "article")]
pub use seen::SeenFigure;
#[cfg(feature = "rapier2d")]
pub use snooker::SnookerFigure;
#[cfg(feature = "article")]
pub use spiral::SpiralFigure;
#[cfg(feature = "rapier2d")]
pub use two_blocks::TwoBlocksFigure;

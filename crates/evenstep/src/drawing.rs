//! Interpolation and extrapolation of states for drawing.

mod angle;
pub(crate) mod blend;
pub(crate) mod motion;
mod smoothed;
mod vector;

pub use angle::Angle;
pub use blend::Blend;
pub use motion::{Extrapolate, PositionVelocity, Smoothing};
pub use smoothed::Smoothed;
pub use vector::Vector;

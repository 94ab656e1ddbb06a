//! The trait of the surfaces that the panel is drawn on.

use std::convert::Infallible;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::Rgb888;

/// A surface that the panel is drawn on. Coordinates are in the panel's own pixels.
pub(crate) trait Canvas: DrawTarget<Color = Rgb888, Error = Infallible> {
    /// Darkens the upper left area of a width and a height in pixels, so that the panel is readable on it.
    fn darken(&mut self, width: u32, height: u32);
}

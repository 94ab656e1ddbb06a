use std::convert::Infallible;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::Rgb888;

/// Something that the panel is drawn on, in its own pixels.
pub(crate) trait Canvas: DrawTarget<Color = Rgb888, Error = Infallible> {
    /// Darkens what is there within so many pixels from the left and the top, so that what is drawn on it can be read.
    fn darken(&mut self, width: u32, height: u32);
}

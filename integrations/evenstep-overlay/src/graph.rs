//! Bar graphs.

use embedded_graphics::Drawable as _;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::primitives::{Primitive as _, PrimitiveStyle, Rectangle};

use crate::canvas::Canvas;

/// The area and value range of a bar graph. Bars are one pixel wide; the newest is at the right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Graph {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The values at the top and at the bottom.
    pub(crate) range: (f64, f64),
}

impl Graph {
    /// The y coordinate of a value, clamped to the range.
    pub(crate) fn y(&self, value: f64) -> i32 {
        let (top, bottom) = self.range;
        let fraction = ((top - value) / (top - bottom)).clamp(0.0, 1.0);
        self.top + (fraction * f64::from(self.height - 1)).round() as i32
    }

    /// Draws a bar from zero to each value, the newest first.
    pub(crate) fn bars(&self, canvas: &mut impl Canvas, newest_first: impl Iterator<Item = (f64, Rgb888)>) {
        let right = self.left + self.width as i32 - 1;
        for (index, (value, color)) in newest_first.take(self.width as usize).enumerate() {
            let (value_y, zero_y) = (self.y(value), self.y(0.0));
            let top = value_y.min(zero_y);
            let height = value_y.abs_diff(zero_y) + u32::from(value != 0.0);
            fill(canvas, right - index as i32, top, (1, height), color);
        }
    }

    /// Draws a horizontal line at a value.
    pub(crate) fn line(&self, canvas: &mut impl Canvas, value: f64, color: Rgb888) {
        fill(canvas, self.left, self.y(value), (self.width, 1), color);
    }
}

fn fill(canvas: &mut impl Canvas, left: i32, top: i32, (width, height): (u32, u32), color: Rgb888) {
    let rectangle = Rectangle::new(Point::new(left, top), Size::new(width, height));
    let Ok(()) = rectangle.into_styled(PrimitiveStyle::with_fill(color)).draw(canvas);
}

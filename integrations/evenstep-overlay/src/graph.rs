use embedded_graphics::Drawable as _;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::primitives::{Primitive as _, PrimitiveStyle, Rectangle};

use crate::canvas::Canvas;

/// Where a row of bars stands, one pixel wide each, the newest at the right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Graph {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The values at its top and at its bottom.
    pub(crate) range: (f64, f64),
}

impl Graph {
    /// How far below the top a value is drawn; what is beyond the range is drawn at its end.
    pub(crate) fn y(&self, value: f64) -> i32 {
        let (top, bottom) = self.range;
        let way = ((top - value) / (top - bottom)).clamp(0.0, 1.0);
        self.top + (way * f64::from(self.height - 1)).round() as i32
    }

    /// A bar from zero to each value, the newest first.
    pub(crate) fn bars(&self, canvas: &mut impl Canvas, newest_first: impl Iterator<Item = (f64, Rgb888)>) {
        let right = self.left + self.width as i32 - 1;
        for (place, (value, color)) in newest_first.take(self.width as usize).enumerate() {
            let (one, other) = (self.y(value), self.y(0.0));
            let top = one.min(other);
            let height = one.abs_diff(other) + u32::from(value != 0.0);
            fill(canvas, right - place as i32, top, (1, height), color);
        }
    }

    /// A line across at a value.
    pub(crate) fn line(&self, canvas: &mut impl Canvas, value: f64, color: Rgb888) {
        fill(canvas, self.left, self.y(value), (self.width, 1), color);
    }
}

fn fill(canvas: &mut impl Canvas, left: i32, top: i32, (width, height): (u32, u32), color: Rgb888) {
    let rectangle = Rectangle::new(Point::new(left, top), Size::new(width, height));
    let Ok(()) = rectangle.into_styled(PrimitiveStyle::with_fill(color)).draw(canvas);
}

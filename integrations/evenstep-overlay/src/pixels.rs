use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Size};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor as _};

use crate::canvas::Canvas;

/// A picture of the program's own, to be drawn into: rows from the top, four bytes a pixel: red, green, blue, alpha.
///
/// ```
/// use evenstep_overlay::Pixels;
///
/// let mut bytes = vec![0; 4 * 640 * 480];
/// let _twice_as_large = Pixels::new(&mut bytes, 640, 480)?.with_scale(2);
/// assert!(Pixels::new(&mut bytes, 640, 481).is_err());
/// # Ok::<(), evenstep_overlay::PixelsError>(())
/// ```
#[derive(Debug)]
pub struct Pixels<'a> {
    bytes: &'a mut [u8],
    width: u32,
    height: u32,
    scale: u32,
}

/// Why a picture cannot be drawn into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PixelsError {
    /// The buffer has another size than the picture.
    #[error("{bytes} bytes are no picture of {width} by {height} pixels; give four bytes for each")]
    Size {
        /// How many bytes there are.
        bytes: usize,
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
}

impl<'a> Pixels<'a> {
    /// A picture of so many pixels.
    ///
    /// # Errors
    ///
    /// If the buffer has not four bytes for each.
    pub const fn new(bytes: &'a mut [u8], width: u32, height: u32) -> Result<Self, PixelsError> {
        let count = bytes.len();
        if count as u128 != 4 * width as u128 * height as u128 {
            return Err(PixelsError::Size {
                bytes: count,
                width,
                height,
            });
        }
        Ok(Self {
            bytes,
            width,
            height,
            scale: 1,
        })
    }

    /// Everything is drawn so many times as large, for screens with small pixels. Zero counts as one.
    #[must_use]
    pub const fn with_scale(mut self, scale: u32) -> Self {
        self.scale = if scale == 0 { 1 } else { scale };
        self
    }

    /// The bytes of a pixel as drawn, which are several of the picture's if it is scaled; none beyond its edges.
    fn each(&mut self, x: u32, y: u32, mut change: impl FnMut(&mut [u8])) {
        for row in 0..self.scale {
            for column in 0..self.scale {
                let (x, y) = (
                    u64::from(x) * u64::from(self.scale) + u64::from(column),
                    u64::from(y) * u64::from(self.scale) + u64::from(row),
                );
                if x < self.width.into() && y < self.height.into() {
                    let at = 4 * (y * u64::from(self.width) + x) as usize;
                    change(&mut self.bytes[at..at + 4]);
                }
            }
        }
    }
}

impl Canvas for Pixels<'_> {
    fn darken(&mut self, width: u32, height: u32) {
        for y in 0..height {
            for x in 0..width {
                self.each(x, y, |pixel| {
                    for color in &mut pixel[..3] {
                        *color /= 5;
                    }
                    pixel[3] = pixel[3].max(220);
                });
            }
        }
    }
}

impl OriginDimensions for Pixels<'_> {
    fn size(&self) -> Size {
        Size::new(self.width / self.scale, self.height / self.scale)
    }
}

impl DrawTarget for Pixels<'_> {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(point, color) in pixels {
            if let (Ok(x), Ok(y)) = (u32::try_from(point.x), u32::try_from(point.y)) {
                self.each(x, y, |pixel| {
                    pixel.copy_from_slice(&[color.r(), color.g(), color.b(), u8::MAX]);
                });
            }
        }
        Ok(())
    }
}

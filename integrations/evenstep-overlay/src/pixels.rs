//! An RGBA pixel buffer to draw into.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Size};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor as _};

use crate::canvas::Canvas;

/// A pixel buffer of the program, to be drawn into: rows from the top, four bytes per pixel (red, green, blue, alpha).
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

/// An error of [`Pixels::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PixelsError {
    /// The size of the buffer does not match the width and height.
    #[error("a buffer of {bytes} bytes does not match {width} by {height} pixels; give four bytes per pixel")]
    Size {
        /// The size of the buffer in bytes.
        bytes: usize,
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
}

impl<'a> Pixels<'a> {
    /// Wraps a buffer of `width` by `height` pixels.
    ///
    /// # Errors
    ///
    /// If the buffer does not have four bytes per pixel.
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

    /// Sets an integer scale factor, for high-density screens. Zero counts as one.
    #[must_use]
    pub const fn with_scale(mut self, scale: u32) -> Self {
        self.scale = if scale == 0 { 1 } else { scale };
        self
    }

    /// Visits the bytes of a pixel of the panel, which covers several pixels of the buffer if it is scaled, and none beyond its edges.
    fn for_each_pixel(&mut self, x: u32, y: u32, mut change: impl FnMut(&mut [u8])) {
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
                self.for_each_pixel(x, y, |pixel| {
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
                self.for_each_pixel(x, y, |pixel| {
                    pixel.copy_from_slice(&[color.r(), color.g(), color.b(), u8::MAX]);
                });
            }
        }
        Ok(())
    }
}

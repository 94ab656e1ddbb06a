//! The panel as a mesh for egui.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor as _};
use embedded_graphics::primitives::Rectangle;
use epaint::emath::{Pos2, Rect, Vec2};
use epaint::{Color32, Mesh};
use evenstep::{FrameStats, Rate};

use crate::canvas::Canvas;
use crate::panel::{PANEL_SIZE, draw_on};

/// The panel as a shape for egui. Add it with `ui.painter().add(mesh)`.
///
/// Its upper left corner is at `corner`. Its size is [`PANEL_SIZE`] times `scale`, in points. It shows the same pixels as
/// [`draw`](crate::draw), as rectangles that need no font and no texture.
///
/// ```
/// use epaint::{Shape, pos2}; // egui has the same as egui::{Shape, pos2}
/// use evenstep::{FixedTimestep, FrameStats, Rate};
/// use evenstep_overlay::mesh;
/// use std::time::Duration;
///
/// let mut timestep = FixedTimestep::new(Rate::hz(60));
/// let mut stats = FrameStats::<240>::new();
/// let delta = Duration::from_millis(7);
/// stats.record(delta, &timestep.advance(delta));
/// let shape = Shape::from(mesh(&stats, Rate::hz(60), Some(144.0), pos2(8.0, 8.0), 1.0));
/// assert_eq!(shape.visual_bounding_rect().min, pos2(8.0, 8.0));
/// ```
#[must_use]
pub fn mesh<const WINDOW: usize>(
    stats: &FrameStats<WINDOW>,
    steps: Rate,
    display: Option<f64>,
    corner: Pos2,
    scale: f32,
) -> Mesh {
    let mut shapes = Rectangles {
        mesh: Mesh::default(),
        corner,
        scale,
    };
    draw_on(stats, steps, display, &mut shapes);
    shapes.mesh
}

/// A canvas that collects filled rectangles.
struct Rectangles {
    mesh: Mesh,
    corner: Pos2,
    scale: f32,
}

impl Rectangles {
    fn add(&mut self, area: &Rectangle, color: Color32) {
        let Rectangle { top_left, size } = area;
        let corner = self.corner + self.scale * Vec2::new(top_left.x as f32, top_left.y as f32);
        let size = self.scale * Vec2::new(size.width as f32, size.height as f32);
        self.mesh.add_colored_rect(Rect::from_min_size(corner, size), color);
    }
}

impl Canvas for Rectangles {
    fn darken(&mut self, width: u32, height: u32) {
        // The background is dimmed to a fifth, as in a pixel buffer.
        let area = Rectangle::new(Point::zero(), Size::new(width, height));
        self.add(&area, Color32::from_black_alpha(204));
    }
}

impl OriginDimensions for Rectangles {
    fn size(&self) -> Size {
        PANEL_SIZE.into()
    }
}

impl DrawTarget for Rectangles {
    type Color = Rgb888;
    type Error = Infallible;

    /// Merges adjacent pixels of one colour in a row into one rectangle.
    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        let mut run: Option<(Rectangle, Rgb888)> = None;
        for Pixel(point, color) in pixels {
            if let Some((area, of)) = &mut run
                && *of == color
                && point == area.top_left + Point::new(area.size.width as i32, 0)
            {
                area.size.width += 1;
                continue;
            }
            if let Some((area, color)) = run.replace((Rectangle::new(point, Size::new(1, 1)), color)) {
                self.fill_solid(&area, color)?;
            }
        }
        run.map_or(Ok(()), |(area, color)| self.fill_solid(&area, color))
    }

    fn fill_solid(&mut self, area: &Rectangle, color: Rgb888) -> Result<(), Infallible> {
        if !area.is_zero_sized() {
            self.add(area, Color32::from_rgb(color.r(), color.g(), color.b()));
        }
        Ok(())
    }
}

//! A map as SVG: paths and landmarks in the plane.

use evenstep_scenes::Landmark;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use evenstep_cli::output::charts::{Drawn, FONT, Role, UNITS, range, themed, tidy};

/// A path through the plane.
pub(crate) struct Path {
    pub(crate) role: Role,
    pub(crate) points: Vec<(f64, f64)>,
    /// In pixels.
    pub(crate) width: u32,
    /// The label at its end.
    pub(crate) label: String,
}

/// Paths and landmarks in the plane, in metres.
pub(crate) struct Map<'a> {
    pub(crate) landmarks: &'a [Landmark],
    pub(crate) paths: Vec<Path>,
}

type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

const SIZE: (u32, u32) = (760 * UNITS, 510 * UNITS);
const MARGIN: u32 = 10 * UNITS;
const LABELS: (u32, u32) = (64 * UNITS, 42 * UNITS);
/// The largest number of points that a path is drawn with.
const MOST_POINTS: usize = 2000;

impl Map<'_> {
    /// The map as SVG; `None` if there is nothing to draw.
    pub(crate) fn svg(&self) -> Option<String> {
        let corners = self.landmarks.iter().flat_map(corners);
        let paths = self.paths.iter().flat_map(|path| path.points.iter().copied());
        let points: Vec<(f64, f64)> = corners.chain(paths).collect();
        let x = range(points.iter().map(|point| point.0))?;
        let y = range(points.iter().map(|point| point.1))?;
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        self.draw(&area, evenly_scaled(x, y)).ok()?;
        drop(area);
        Some(themed(&svg))
    }

    fn draw(&self, area: &DrawingArea<SVGBackend<'_>, Shift>, (x, y): ((f64, f64), (f64, f64))) -> Drawn {
        let mut plane = ChartBuilder::on(area)
            .margin(MARGIN)
            .x_label_area_size(LABELS.1)
            .y_label_area_size(LABELS.0)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
        plane
            .configure_mesh()
            .disable_mesh()
            .axis_style(BLACK.mix(0.5).stroke_width(UNITS))
            .set_all_tick_mark_size(4 * UNITS)
            .label_style(FONT)
            .axis_desc_style(FONT)
            .x_label_formatter(&|value| tidy(*value))
            .y_label_formatter(&|value| tidy(*value))
            .x_desc("x in m")
            .y_desc("y in m")
            .draw()?;
        for landmark in self.landmarks {
            draw_landmark(&mut plane, landmark)?;
        }
        let mut labelled: Vec<(f64, f64)> = Vec::new();
        for path in &self.paths {
            let Some(end) = path.points.last().copied() else {
                continue;
            };
            let close = |other: &&(f64, f64)| (other.0 - end.0).hypot(other.1 - end.1) < 0.05 * (x.1 - x.0);
            draw_path(&mut plane, path, end, labelled.iter().filter(close).count())?;
            if !path.label.is_empty() {
                labelled.push(end);
            }
        }
        area.present()?;
        Ok(())
    }
}

fn corners(landmark: &Landmark) -> [(f64, f64); 2] {
    match *landmark {
        Landmark::Field(a, b) | Landmark::Wall(a, b) | Landmark::Slope(a, b) | Landmark::Goal(a, b) => {
            [a.into(), b.into()]
        }
        Landmark::Attractor(at) | Landmark::Repeller(at) => [at.into(); 2],
    }
}

fn draw_landmark(plane: &mut Plane<'_, '_>, landmark: &Landmark) -> Drawn {
    let ends = corners(landmark);
    match landmark {
        Landmark::Field(..) => plane.draw_series([Rectangle::new(ends, BLACK.mix(0.5).stroke_width(UNITS))])?,
        Landmark::Wall(..) => plane.draw_series([Rectangle::new(ends, BLACK.mix(0.25).filled())])?,
        Landmark::Slope(..) => plane.draw_series([PathElement::new(ends, BLACK.mix(0.25).stroke_width(2 * UNITS))])?,
        Landmark::Goal(..) => plane.draw_series([PathElement::new(
            ends,
            Role::Steps.placeholder().stroke_width(6 * UNITS),
        )])?,
        Landmark::Attractor(_) => plane.draw_series([Circle::new(ends[0], 7 * UNITS, BLACK.mix(0.5).filled())])?,
        Landmark::Repeller(_) => {
            plane.draw_series([Circle::new(ends[0], 7 * UNITS, BLACK.mix(0.5).stroke_width(2 * UNITS))])?
        }
    };
    Ok(())
}

/// Draws a path and, above its end and as many labels as there are, its own.
fn draw_path(plane: &mut Plane<'_, '_>, path: &Path, end: (f64, f64), labels_there: usize) -> Drawn {
    let colour = path.role.placeholder();
    let points = path.points.iter().copied().step_by(path.points.len() / MOST_POINTS + 1);
    let stroke = colour.stroke_width(path.width * UNITS);
    plane.draw_series(LineSeries::new(points.chain([end]), stroke))?;
    plane.draw_series([Circle::new(end, (path.width + 2) * UNITS, colour.filled())])?;
    let anchor = Pos::new(HPos::Right, VPos::Bottom);
    let style = FONT.into_text_style(plane.plotting_area()).pos(anchor);
    let unit = UNITS as i32;
    let place = (-7 * unit, -unit * (5 + 15 * labels_there as i32));
    plane.draw_series([EmptyElement::at(end) + Text::new(path.label.clone(), place, style)])?;
    Ok(())
}

/// Extends ranges by a margin, and so that a pixel has the same length on both axes.
fn evenly_scaled(x: (f64, f64), y: (f64, f64)) -> ((f64, f64), (f64, f64)) {
    let pixels = |size: u32, labels: u32| f64::from(size - labels - 2 * MARGIN);
    let (width, height) = (pixels(SIZE.0, LABELS.0), pixels(SIZE.1, LABELS.1));
    let per_pixel = 1.02 * ((x.1 - x.0) / width).max((y.1 - y.0) / height).max(1e-9);
    let widened = |range: (f64, f64), pixels: f64| {
        let margin = 0.5 * (per_pixel * pixels - (range.1 - range.0));
        (range.0 - margin, range.1 + margin)
    };
    (widened(x, width), widened(y, height))
}

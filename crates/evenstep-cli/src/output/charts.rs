//! Charts as SVG, in colours that the page defines.

use plotters::coord::Shift;
use plotters::prelude::*;

/// What a line stands for, throughout the page.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    /// The newest state, as it is.
    Raw,
    /// What is drawn.
    Smoothed,
    /// Steps of the simulation.
    Steps,
    /// Time that was given up.
    Lost,
}

impl Role {
    const ALL: [Self; 4] = [Self::Raw, Self::Smoothed, Self::Steps, Self::Lost];

    /// A colour that the finished SVG does not show: the page's own replaces it.
    const fn placeholder(self) -> RGBColor {
        match self {
            Self::Raw => RGBColor(1, 2, 3),
            Self::Smoothed => RGBColor(4, 5, 6),
            Self::Steps => RGBColor(7, 8, 9),
            Self::Lost => RGBColor(10, 11, 12),
        }
    }

    /// The name of its colour on the page.
    pub(crate) const fn variable(self) -> &'static str {
        match self {
            Self::Raw => "--raw",
            Self::Smoothed => "--smoothed",
            Self::Steps => "--steps",
            Self::Lost => "--lost",
        }
    }
}

/// A line of a chart.
pub(crate) struct Line {
    pub(crate) role: Role,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) style: Style,
}

/// How the points of a line are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Straight from one to the next.
    Straight,
    /// Each holds until the next.
    Stepped,
    /// By themselves.
    Dots,
}

/// A chart of lines over a common axis.
pub(crate) struct Chart<'a> {
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
    pub(crate) lines: Vec<Line>,
    /// Whether both axes have the same scale, as for a path in the plane.
    pub(crate) is_map: bool,
}

const SIZE: (u32, u32) = (760, 260);
const MAP_SIZE: (u32, u32) = (760, 470);
/// What the labels and margins beside and below a chart take.
const AXIS_SIZE: (u32, u32) = (84, 62);
/// More points than this a line cannot show.
const MOST_POINTS: usize = 1500;

impl Chart<'_> {
    /// The chart as SVG; nothing if there is nothing to draw.
    pub(crate) fn svg(&self) -> Option<String> {
        let (mut x, mut y) = (self.range(|point| point.0)?, self.range(|point| point.1)?);
        if self.is_map {
            (x, y) = evenly_scaled(x, y);
        }
        let mut svg = String::new();
        let size = if self.is_map { MAP_SIZE } else { SIZE };
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        self.draw(&area, x, y).ok()?;
        drop(area);
        Some(themed(&svg))
    }

    fn draw(
        &self,
        area: &DrawingArea<SVGBackend<'_>, Shift>,
        x: (f64, f64),
        y: (f64, f64),
    ) -> Result<(), Box<dyn std::error::Error>> {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .x_label_area_size(42)
            .y_label_area_size(64)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.12))
            .axis_style(BLACK.mix(0.5))
            .label_style(("sans-serif", 14))
            .x_desc(self.x)
            .y_desc(self.y)
            .y_label_formatter(&|value| tidy(*value))
            .x_label_formatter(&|value| tidy(*value))
            .draw()?;
        for line in &self.lines {
            let colour = line.role.placeholder();
            let points = thinned(&line.points);
            match line.style {
                Style::Straight => chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?,
                Style::Stepped => chart.draw_series(LineSeries::new(stepped(&points), colour.stroke_width(2)))?,
                Style::Dots => chart.draw_series(points.into_iter().map(|at| Circle::new(at, 2, colour.filled())))?,
            };
        }
        area.present()?;
        Ok(())
    }

    /// The least and the largest value, with a margin where they are equal.
    fn range(&self, part: impl Fn(&(f64, f64)) -> f64) -> Option<(f64, f64)> {
        let values = self.lines.iter().flat_map(|line| line.points.iter().map(&part));
        let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        let margin = if most > least { 0.04 * (most - least) } else { 0.5 };
        (least.is_finite() && most.is_finite()).then_some((least - margin, most + margin))
    }
}

/// Ranges that hold the given ones and have as much in a pixel on both axes of a map.
fn evenly_scaled(x: (f64, f64), y: (f64, f64)) -> ((f64, f64), (f64, f64)) {
    let (width, height) = (f64::from(MAP_SIZE.0 - AXIS_SIZE.0), f64::from(MAP_SIZE.1 - AXIS_SIZE.1));
    let per_pixel = ((x.1 - x.0) / width).max((y.1 - y.0) / height);
    let widened = |range: (f64, f64), pixels: f64| {
        let margin = 0.5 * (per_pixel * pixels - (range.1 - range.0));
        (range.0 - margin, range.1 + margin)
    };
    (widened(x, width), widened(y, height))
}

/// Labels without noise in their last digits.
fn tidy(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded.abs() >= 1e5 {
        format!("{rounded:.1e}")
    } else {
        format!("{}", rounded + 0.0)
    }
}

fn stepped(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let corners = points.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]);
    corners.chain(points.last().copied()).collect()
}

/// As many points as can be seen: of each run of points the first, the least and the largest.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let run = points.len().div_ceil(MOST_POINTS / 3).max(1);
    if run <= 3 {
        return points.to_vec();
    }
    let mut kept = Vec::with_capacity(MOST_POINTS);
    for run in points.chunks(run) {
        let by_value = |one: &usize, other: &usize| run[*one].1.total_cmp(&run[*other].1);
        let least = (0..run.len()).min_by(by_value).unwrap_or(0);
        let most = (0..run.len()).max_by(by_value).unwrap_or(0);
        let mut chosen = [0, least, most];
        chosen.sort_unstable();
        kept.extend(chosen.map(|index| run[index]));
    }
    kept.extend(points.last());
    kept
}

/// The page's colours in place of the placeholders, its text colour in place of black, and its width.
fn themed(svg: &str) -> String {
    let mut svg = svg.replace("#000000", "currentColor");
    for role in Role::ALL {
        let RGBColor(r, g, b) = role.placeholder();
        svg = svg.replace(&format!("#{r:02X}{g:02X}{b:02X}"), &format!("var({})", role.variable()));
    }
    svg.replacen("<svg ", "<svg class=\"chart\" ", 1)
}

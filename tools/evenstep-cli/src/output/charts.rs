//! Charts over time as SVG, in colours that the page defines.

use plotters::coord::Shift;
use plotters::prelude::*;

/// The meaning of a colour, which is the same on the whole page.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    /// The newest state, without smoothing.
    Raw,
    /// The drawn motion.
    Smoothed,
    /// Lost time.
    Lost,
    /// The exact reference.
    Exact,
}

impl Role {
    const ALL: [Self; 4] = [Self::Raw, Self::Smoothed, Self::Lost, Self::Exact];

    /// A placeholder, which the finished SVG replaces by the page's colour.
    pub(crate) const fn placeholder(self) -> RGBColor {
        match self {
            Self::Raw => RGBColor(1, 2, 3),
            Self::Smoothed => RGBColor(4, 5, 6),
            Self::Lost => RGBColor(10, 11, 12),
            Self::Exact => RGBColor(13, 14, 15),
        }
    }

    /// The CSS variable of the role's colour.
    const fn variable(self) -> &'static str {
        match self {
            Self::Raw => "--raw",
            Self::Smoothed => "--smoothed",
            Self::Lost => "--lost",
            Self::Exact => "--exact",
        }
    }
}

/// A line of a chart.
pub(crate) struct Line {
    /// The meaning of the line, which selects its colour.
    pub(crate) role: Role,
    /// The points, in the units of the axes.
    pub(crate) points: Vec<(f64, f64)>,
    /// How the points are joined.
    pub(crate) style: Style,
}

/// How the points of a line are joined.
#[derive(Clone, Copy)]
pub(crate) enum Style {
    /// Straight lines from point to point.
    Straight,
    /// Each value holds until the next point.
    Stepped,
    /// Separate dots.
    Dots,
}

/// A chart of lines.
pub(crate) struct Chart<'a> {
    /// The quantity of the horizontal axis, with its unit; mostly [`REAL_TIME`].
    pub(crate) x: &'a str,
    /// The quantity of the vertical axis, with its unit.
    pub(crate) y: &'a str,
    /// The lines, drawn in this order.
    pub(crate) lines: Vec<Line>,
    /// The range of the vertical axis.
    pub(crate) axis: Axis,
}

/// The horizontal axis of most charts.
pub(crate) const REAL_TIME: &str = "real time in s";

/// The scale of the vertical axis.
#[derive(Clone, Copy)]
pub(crate) enum Axis {
    /// The range of the values, with a margin.
    Values,
    /// From zero to the largest value.
    FromZero,
}

/// SVG units per pixel: plotters rounds every coordinate to whole units.
pub(crate) const UNITS: u32 = 4;

const SIZE: (u32, u32) = (760 * UNITS, 260 * UNITS);
/// The font of labels, and its size.
pub(crate) const FONT: (&str, u32) = ("sans-serif", 14 * UNITS);
/// The largest number of points that a line is drawn with.
const MOST_POINTS: usize = 1500;

impl Chart<'_> {
    /// The chart as SVG; `None` if there is nothing to draw.
    pub(crate) fn svg(&self) -> Option<String> {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let x = range(points().map(|point| point.0))?;
        let y = range(points().map(|point| point.1))?;
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        self.draw(&area, x, y).ok()?;
        drop(area);
        Some(themed(&svg))
    }

    fn draw(&self, area: &DrawingArea<SVGBackend<'_>, Shift>, x: (f64, f64), y: (f64, f64)) -> Drawn {
        let (low, high) = match self.axis {
            Axis::Values => with_margin(y),
            Axis::FromZero => (0.0, 1.08 * y.1.max(1e-9)),
        };
        let mut chart = ChartBuilder::on(area)
            .margin(10 * UNITS)
            .x_label_area_size(42 * UNITS)
            .y_label_area_size(72 * UNITS)
            .build_cartesian_2d(x.0..x.1.max(x.0 + 1e-9), low..high)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.12).stroke_width(UNITS))
            .axis_style(BLACK.mix(0.5).stroke_width(UNITS))
            .set_all_tick_mark_size(4 * UNITS)
            .label_style(FONT)
            .axis_desc_style(FONT)
            .x_desc(self.x)
            .y_desc(self.y)
            .y_labels(8)
            .y_label_formatter(&|value| tidy(*value))
            .x_label_formatter(&|value| tidy(*value))
            .draw()?;
        for line in &self.lines {
            let colour = line.role.placeholder();
            let stroke = colour.stroke_width(2 * UNITS);
            let points = thinned(&line.points);
            let dot = |at| Circle::new(at, 2 * UNITS, colour.filled());
            match line.style {
                Style::Straight => chart.draw_series(LineSeries::new(points, stroke))?,
                Style::Stepped => chart.draw_series(LineSeries::new(stepped(&points), stroke))?,
                Style::Dots => chart.draw_series(points.into_iter().map(dot))?,
            };
        }
        area.present()?;
        Ok(())
    }
}

/// The result of drawing.
pub(crate) type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The smallest and the largest value.
pub(crate) fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    (least.is_finite() && most.is_finite()).then_some((least, most))
}

fn with_margin((least, most): (f64, f64)) -> (f64, f64) {
    // The smallest range that `f64` can resolve at values of this size.
    let margin = (0.04 * (most - least)).max(1e-9 * most.abs()).max(1e-9);
    (least - margin, most + margin)
}

/// A label without rounding noise in its last digits.
pub(crate) fn tidy(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded.abs() >= 1e5 {
        format!("{value:.1e}")
    } else {
        format!("{}", rounded + 0.0)
    }
}

fn stepped(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let corners = points.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]);
    corners.chain(points.last().copied()).collect()
}

/// Reduces the points to about the number that the chart can resolve: each run of points keeps its first, smallest and largest point.
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

/// Replaces the placeholders by the page's colours and black by its text colour, and adds the class `chart`.
pub(crate) fn themed(svg: &str) -> String {
    let mut svg = svg.replace("#000000", "currentColor");
    for role in Role::ALL {
        let RGBColor(r, g, b) = role.placeholder();
        svg = svg.replace(&format!("#{r:02X}{g:02X}{b:02X}"), &format!("var({})", role.variable()));
    }
    svg.replacen("<svg ", "<svg class=\"chart\" ", 1)
}

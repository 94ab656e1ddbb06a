//! Charts over time as SVG, in colours that the page defines.

use std::fmt::Write as _;

/// The page's colours, which have one meaning each: the newest state, without smoothing; the drawn motion; lost time.
pub(crate) const RAW: &str = "var(--raw)";
pub(crate) const SMOOTHED: &str = "var(--smoothed)";
pub(crate) const LOST: &str = "var(--lost)";

/// How the points of a line are joined.
#[derive(Clone, Copy)]
pub(crate) enum Style {
    /// Each value holds until the next point.
    Stepped,
    /// Separate dots.
    Dots,
}

/// A chart of lines.
pub(crate) struct Chart {
    /// The quantity of the horizontal axis, with its unit; mostly [`REAL_TIME`].
    pub(crate) x: &'static str,
    /// The quantity of the vertical axis, with its unit.
    pub(crate) y: &'static str,
    pub(crate) style: Style,
    /// The range of the vertical axis.
    pub(crate) axis: Axis,
}

/// A colour, and points in the units of the axes.
pub(crate) type ChartLine = (&'static str, Vec<(f64, f64)>);

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

/// The edges of the area of the lines, in a picture of 760 by 260.
const LEFT: f64 = 76.0;
const RIGHT: f64 = 750.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 212.0;

/// The most labels of the axes.
const MAX_LABELS_X: f64 = 12.0;
const MAX_LABELS_Y: f64 = 7.0;

/// The largest number of points that a chart is drawn with.
const MAX_POINTS: usize = 1500;

/// The beginning of a picture that stands alone: the page's light colours, on their ground.
const ALONE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 280\" font-family=\"sans-serif\" font-size=\"14\" \
                     fill=\"currentColor\" stroke-linecap=\"round\">\n\
                     <style>svg{color:#1c1c1a;background:#fdfdfb;--raw:#c2410c;--smoothed:#1d4ed8;--lost:#be123c}</style>\n";

impl Chart {
    /// The chart of lines as SVG in a page, drawn in their order; `None` if there is nothing to draw.
    pub(crate) fn svg(&self, lines: &[ChartLine]) -> Option<String> {
        let start = "<svg class=\"chart\" viewBox=\"0 0 760 260\" font-size=\"14\" fill=\"currentColor\" stroke-linecap=\"round\">\n";
        Some(format!("{start}{}</svg>\n", self.content(lines)?))
    }

    /// The same as a file, which names what each colour means.
    pub(crate) fn file(&self, lines: &[(&str, ChartLine)]) -> Option<String> {
        let lines = lines.iter().filter(|(_, (_, points))| !points.is_empty());
        let (names, lines): (Vec<&str>, Vec<ChartLine>) = lines.cloned().unzip();
        let mut svg = ALONE.to_owned() + &self.content(&lines)?;
        let mut left = LEFT;
        for (name, (color, _)) in names.iter().zip(&lines) {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.0}\" cy=\"269\" r=\"4\" fill=\"{color}\"/>",
                left + 4.0
            );
            label(&mut svg, "start", (left + 14.0, 274.0), name);
            left += 320.0;
        }
        Some(svg + "</svg>\n")
    }

    fn content(&self, lines: &[ChartLine]) -> Option<String> {
        let points = || lines.iter().flat_map(|(_, points)| points);
        let (first, last) = range(points().map(|point| point.0))?;
        let y = range(points().map(|point| point.1))?;
        let last = last.max(first + 1e-9);
        let (low, high) = match self.axis {
            Axis::Values => with_margin(y),
            Axis::FromZero => (0.0, 1.08 * y.1.max(1e-9)),
        };
        let at = |(x, y): (f64, f64)| {
            let across = LEFT + (x - first) / (last - first) * (RIGHT - LEFT);
            (across, BOTTOM - (y - low) / (high - low) * (BOTTOM - TOP))
        };
        let (mut svg, each) = (String::new(), MAX_POINTS / lines.len().max(1));
        let mut grid = String::new();
        for x in ticks(first, last, MAX_LABELS_X) {
            let (across, _) = at((x, low));
            let _ = write!(grid, "M{across:.1} {TOP}V{BOTTOM}");
            label(&mut svg, "middle", (across, BOTTOM + 18.0), &tidy(x));
        }
        for y in ticks(low, high, MAX_LABELS_Y) {
            let (_, down) = at((first, y));
            let _ = write!(grid, "M{LEFT} {down:.1}H{RIGHT}");
            label(&mut svg, "end", (LEFT - 8.0, down + 5.0), &tidy(y));
        }
        label(&mut svg, "middle", (LEFT.midpoint(RIGHT), BOTTOM + 42.0), self.x);
        let _ = write!(
            svg,
            "<g transform=\"translate(14 {}) rotate(-90)\">",
            TOP.midpoint(BOTTOM)
        );
        label(&mut svg, "middle", (0.0, 0.0), self.y);
        svg.push_str("</g>\n");
        let axes = format!("M{LEFT} {TOP}V{BOTTOM}H{RIGHT}");
        for (path, opacity) in [(grid, 0.12), (axes, 0.5)] {
            let _ = writeln!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"{opacity}\"/>"
            );
        }
        for (color, points) in lines {
            let (mut path, mut joint) = (String::new(), 'M');
            for (across, down) in thinned(points, each).into_iter().map(at) {
                let _ = match (self.style, joint) {
                    (Style::Stepped, 'V') => write!(path, "H{across:.1}V{down:.1}"),
                    (Style::Stepped, _) => write!(path, "M{across:.1} {down:.1}"),
                    (Style::Dots, _) => write!(path, "M{across:.1} {down:.1}h0"),
                };
                joint = 'V';
            }
            let width = match self.style {
                Style::Stepped => 2,
                Style::Dots => 4,
            };
            let _ = writeln!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"/>"
            );
        }
        Some(svg)
    }
}

fn label(svg: &mut String, anchor: &str, (x, y): (f64, f64), text: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
    );
}

/// The smallest and the largest value.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
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

/// Multiples of 1, 2 or 5 times a power of ten, at most about this number of them.
fn ticks(low: f64, high: f64, most: f64) -> impl Iterator<Item = f64> {
    let least = (high - low) / most;
    let power = 10_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0]
        .map(|times| times * power)
        .into_iter()
        .find(|step| *step >= least);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((low / step).ceil(), (high / step).floor());
    (0..=(last - first) as u32).map(move |index| (first + f64::from(index)) * step)
}

/// A label without rounding noise in its last digits.
fn tidy(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded.abs() >= 1e5 {
        format!("{value:.1e}")
    } else {
        format!("{}", rounded + 0.0)
    }
}

/// Reduces the points to about `most`: each run of points keeps its first, smallest and largest point.
fn thinned(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    let run = points.len().div_ceil((most / 3).max(1)).max(1);
    if run <= 3 {
        return points.to_vec();
    }
    let mut kept = Vec::with_capacity(most);
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

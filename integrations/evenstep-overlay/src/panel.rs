//! Draws the panel: texts and graphs.

use std::time::Duration;

use embedded_graphics::Drawable as _;
use embedded_graphics::geometry::Point;
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::FONT_6X10;
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::text::{Baseline, Text};
use evenstep::{FrameSample, FrameStats, Rate};

use crate::canvas::Canvas;
use crate::graph::Graph;
use crate::pixels::Pixels;

/// Width and height of the panel in pixels, at a scale of one.
pub const PANEL_SIZE: (u32, u32) = (256, 158);

/// The colours of the lab's page: raw frame times, steps, lost time, smoothed values; text and lines.
pub(crate) const RAW: Rgb888 = Rgb888::new(0xfb, 0x92, 0x3c);
pub(crate) const STEPS: Rgb888 = Rgb888::new(0x4a, 0xde, 0x80);
pub(crate) const LOST: Rgb888 = Rgb888::new(0xfb, 0x71, 0x85);
const SMOOTHED: Rgb888 = Rgb888::new(0x7d, 0xab, 0xff);
pub(crate) const TEXT: Rgb888 = Rgb888::new(0xe8, 0xe6, 0xe1);
const LINE: Rgb888 = Rgb888::new(0x6b, 0x70, 0x7a);

/// The width of the graphs in pixels, one per frame.
const GRAPH_WIDTH: u32 = PANEL_SIZE.0 - 16;

/// Draws the panel into the upper left corner of a pixel buffer, on a darkened background. A panel that does not fit is clipped.
///
/// `steps` is the rate of the timestep. `display` is the refresh rate of the display in hertz, if known, for example from
/// [`DisplayClock::refresh_hz`](evenstep::filter::DisplayClock::refresh_hz).
pub fn draw<const WINDOW: usize>(
    stats: &FrameStats<WINDOW>,
    steps: Rate,
    display: Option<f64>,
    pixels: &mut Pixels<'_>,
) {
    draw_on(stats, steps, display, pixels);
}

/// Draws the panel on any canvas.
pub(crate) fn draw_on<const WINDOW: usize>(
    stats: &FrameStats<WINDOW>,
    steps: Rate,
    display: Option<f64>,
    canvas: &mut impl Canvas,
) {
    canvas.darken(PANEL_SIZE.0, PANEL_SIZE.1);
    frame_times(stats, display, canvas);
    steps_per_frame(stats, steps, canvas);
    animation_errors(stats, canvas);
}

fn newest_first<const WINDOW: usize>(stats: &FrameStats<WINDOW>) -> impl Iterator<Item = FrameSample> {
    stats.samples().rev()
}

fn millis(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}

fn frame_times<const WINDOW: usize>(stats: &FrameStats<WINDOW>, display: Option<f64>, canvas: &mut impl Canvas) {
    let percentile = |percent| stats.frame_time_percentile(percent).map_or(0.0, millis);
    let (median, slow) = (percentile(50.0), percentile(99.0));
    let rate = if median > 0.0 { 1e3 / median } else { 0.0 };
    let display = display.filter(|hertz| *hertz > 0.0 && hertz.is_finite());
    let known = display.map_or("display unknown".to_owned(), |hertz| format!("display {hertz:.2} Hz"));
    text(canvas, 4, &format!("{rate:.1} frames/s   {known}"), TEXT);
    text(canvas, 15, &format!("frame {median:.2} ms, 99 % {slow:.2} ms"), RAW);
    let refresh = display.map(|hertz| 1e3 / hertz);
    let max = (2.0 * median)
        .max(1.5 * slow)
        .max(refresh.unwrap_or(0.0) * 1.5)
        .max(1.0);
    let graph = graph(27, 40, (max, 0.0));
    let color = |sample: &FrameSample| if sample.is_loss() { LOST } else { RAW };
    let bars = newest_first(stats).map(|sample| (millis(sample.delta), color(&sample)));
    graph.bars(canvas, bars);
    if let Some(refresh) = refresh {
        graph.line(canvas, refresh, LINE);
    }
}

fn steps_per_frame<const WINDOW: usize>(stats: &FrameStats<WINDOW>, rate: Rate, canvas: &mut impl Canvas) {
    let newest = newest_first(stats).next();
    let alpha = newest.map_or(0.0, |sample| sample.alpha);
    let lost = millis(stats.clamped()) + 1e3 * stats.dropped() as f64 * rate.period_secs_f64();
    let color = if lost > 0.0 { LOST } else { STEPS };
    // Truncated, so that it stays below 1.
    let alpha = (alpha * 100.0).floor() / 100.0;
    let label = format!("{:.4} steps/s   alpha {alpha:.2}   lost {lost:.0} ms", rate.as_hz_f64());
    text(canvas, 71, &label.replace(".0000 ", " "), color);
    let max = newest_first(stats).map(|sample| sample.steps).max().unwrap_or(0).max(2);
    let graph = graph(83, 24, (max.into(), 0.0));
    graph.bars(canvas, newest_first(stats).map(|sample| (sample.steps.into(), STEPS)));
}

fn animation_errors<const WINDOW: usize>(stats: &FrameStats<WINDOW>, canvas: &mut impl Canvas) {
    let error = |sample: &FrameSample| 1e3 * sample.animation_error.unwrap_or(0.0);
    let largest = newest_first(stats)
        .map(|sample| error(&sample).abs())
        .fold(0.0, f64::max);
    let rms = 1e3 * stats.animation_error_rms();
    // The panel is as wide as 40 characters.
    let decimals = if largest < 99.995 { 2 } else { 0 };
    let label = format!("animation error {rms:.decimals$} ms, at most {largest:.decimals$}");
    text(canvas, 111, &label, SMOOTHED);
    let max = largest.max(1.0);
    let graph = graph(123, 31, (max, -max));
    graph.line(canvas, 0.0, LINE);
    graph.bars(canvas, newest_first(stats).map(|sample| (error(&sample), SMOOTHED)));
}

const fn graph(top: i32, height: u32, range: (f64, f64)) -> Graph {
    Graph {
        left: 8,
        top,
        width: GRAPH_WIDTH,
        height,
        range,
    }
}

pub(crate) fn text(canvas: &mut impl Canvas, top: i32, label: &str, color: Rgb888) {
    let style = MonoTextStyle::new(&FONT_6X10, color);
    let Ok(_) = Text::with_baseline(label, Point::new(8, top), style, Baseline::Top).draw(canvas);
}

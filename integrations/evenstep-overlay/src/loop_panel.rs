//! Draws how well a loop keeps its deadlines.

use std::time::Duration;

use embedded_graphics::pixelcolor::Rgb888;
use evenstep::control::{LoopReport, Timing};

use crate::canvas::Canvas;
use crate::panel::{LOST, RAW, STEPS, TEXT, text};
use crate::pixels::Pixels;

/// Width and height of the panel of a loop in pixels, at a scale of one: as wide as [`PANEL_SIZE`](crate::PANEL_SIZE).
pub const LOOP_PANEL_SIZE: (u32, u32) = (crate::PANEL_SIZE.0, 50);

/// Draws the missed deadlines of a loop, and the lateness and execution time of its cycles into the upper left
/// corner of a pixel buffer, on a darkened background. The count of missed deadlines is red if there are any.
///
/// ```
/// use evenstep::control::LoopStats;
/// use evenstep_overlay::{LOOP_PANEL_SIZE, Pixels, draw_loop};
///
/// let stats = LoopStats::<256>::new(); // which the loop records its cycles in
/// let (width, height) = LOOP_PANEL_SIZE;
/// let mut bytes = vec![0; (4 * width * height) as usize];
/// draw_loop(&stats.report(), &mut Pixels::new(&mut bytes, width, height)?);
/// assert!(bytes.iter().any(|byte| *byte > 200));
/// # Ok::<(), evenstep_overlay::PixelsError>(())
/// ```
pub fn draw_loop(report: &LoopReport, pixels: &mut Pixels<'_>) {
    pixels.darken(LOOP_PANEL_SIZE.0, LOOP_PANEL_SIZE.1);
    let good = |is_good: bool| if is_good { STEPS } else { LOST };
    let misses = format!("{} of {} deadlines missed", report.deadline_misses, report.cycles);
    line(pixels, 0, &misses, good(report.deadline_misses == 0));
    line(pixels, 1, &timing("late", &report.lateness), RAW);
    line(pixels, 2, &timing("work", &report.execution), RAW);
    line(pixels, 3, &timing("jitter", &report.jitter), TEXT);
}

fn line(pixels: &mut Pixels<'_>, index: i32, label: &str, color: Rgb888) {
    text(pixels, 4 + 11 * index, label, color);
}

fn timing(name: &str, timing: &Timing) -> String {
    let millis = |length: Duration| 1e3 * length.as_secs_f64();
    let (p50, p99, longest) = (millis(timing.p50), millis(timing.p99), millis(timing.longest));
    format!("{name} {p50:.3} ms, 99 % {p99:.3}, most {longest:.2}")
}

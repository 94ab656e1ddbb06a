//! A panel with the statistics of the last frames.

use std::time::Duration;

use evenstep::{FrameSample, FrameStats, Rate};
use macroquad::color::Color;
use macroquad::shapes::draw_rectangle;
use macroquad::text::draw_text;
use macroquad::window::screen_width;

const GROUND: Color = Color::new(0.04, 0.04, 0.06, 0.85);
const ORANGE: Color = Color::new(0.98, 0.57, 0.24, 1.0);
const GREEN: Color = Color::new(0.29, 0.87, 0.50, 1.0);
const BLUE: Color = Color::new(0.49, 0.67, 1.0, 1.0);
const RED: Color = Color::new(0.98, 0.44, 0.52, 1.0);

/// Draws the panel into the upper right corner: frame times, the steps of each frame, and the animation error. A frame that lost time is
/// red. `steps` is the rate of the timestep; `period` is the time between frames that the clock estimates.
pub fn draw_panel<const WINDOW: usize>(stats: &FrameStats<WINDOW>, steps: Rate, period: Option<Duration>) {
    let (left, width) = (screen_width() - WINDOW as f32 - 20.0, WINDOW as f32 + 20.0);
    draw_rectangle(left, 0.0, width, 220.0, GROUND);
    let write = |top: f32, text: &str, colour| _ = draw_text(text, left + 10.0, top, 16.0, colour);
    // A bar of one pixel for each frame, the newest at the right, from a line upwards or, below zero, downwards.
    let bars = |zero: f32, height: f32, largest: f64, bar: &dyn Fn(&FrameSample) -> (f64, Color)| {
        for (age, sample) in (1..).zip(stats.samples().rev()) {
            let (value, colour) = bar(&sample);
            let length = height * (value / largest) as f32;
            draw_rectangle(
                screen_width() - 10.0 - age as f32,
                zero - length.max(0.0),
                1.0,
                length.abs(),
                colour,
            );
        }
    };
    let largest =
        |value: &dyn Fn(&FrameSample) -> f64| stats.samples().map(|sample| value(&sample)).fold(0.0, f64::max);

    let millis = |sample: &FrameSample| 1e3 * sample.delta.as_secs_f64();
    let percentile = |percent| 1e3 * stats.frame_time_percentile(percent).unwrap_or_default().as_secs_f64();
    let (median, slow) = (percentile(50.0), percentile(99.0));
    write(16.0, &format!("frame {median:.2} ms, 99 % {slow:.2} ms"), ORANGE);
    let known = period.map_or("no frames yet".to_owned(), |period| {
        format!("{:.2} frames a second", 1.0 / period.as_secs_f64())
    });
    write(32.0, &known, ORANGE);
    bars(84.0, 44.0, largest(&millis).max(1.0), &|sample| {
        (millis(sample), if sample.is_loss() { RED } else { ORANGE })
    });

    let count = |sample: &FrameSample| f64::from(sample.steps);
    let lost = 1e3 * (stats.clamped().as_secs_f64() + stats.dropped() as f64 * steps.period_secs_f64());
    write(
        104.0,
        &format!("{} steps/s, {lost:.0} ms lost", steps.as_hz_f64()),
        GREEN,
    );
    bars(140.0, 28.0, largest(&count).max(2.0), &|sample| (count(sample), GREEN));

    let error = |sample: &FrameSample| 1e3 * sample.animation_error.unwrap_or_default();
    let most = largest(&|sample| error(sample).abs());
    let mean = 1e3 * stats.animation_error_rms();
    write(160.0, &format!("animation error {mean:.2} ms, max {most:.2}"), BLUE);
    bars(190.0, 24.0, most.max(1.0), &|sample| (error(sample), BLUE));
}

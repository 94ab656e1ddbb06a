//! The report: one HTML file that needs nothing else.

use std::fmt::Write as _;

use crate::failure::Failure;
use crate::options::Options;
use crate::output::charts::{Chart, Line, Role, Style};
use crate::output::file::OutputFile;
use crate::output::table;
use crate::run::{Run, Shown};
use crate::summary::Summary;

/// How many seconds the closer look shows.
const CLOSE_SECONDS: f64 = 0.5;

const STYLE: &str = include_str!("report.css");

/// Writes the report of a run.
pub(crate) fn write(mut file: OutputFile, options: &Options, run: &Run, summary: &Summary) -> Result<(), Failure> {
    let page = page(options, run, summary);
    file.write_with(|output| output.write_all(page.as_bytes()))?;
    file.finish()
}

fn page(options: &Options, run: &Run, summary: &Summary) -> String {
    let mut body = String::new();
    let time = Time::of(&run.frames);
    if let Some((x, y)) = options.scene.path {
        let line = |role, part: fn(&(f64, f64)) -> f64| Line {
            role,
            points: run
                .frames
                .iter()
                .map(|shown| (part(&shown.values[x]), part(&shown.values[y])))
                .collect(),
            style: Style::Straight,
        };
        let chart = Chart {
            x: "x in m",
            y: "y in m",
            lines: vec![line(Role::Smoothed, |value| value.1)],
            is_map: true,
        };
        figure(&mut body, "The path", "As it was drawn.", &chart);
    }
    for (index, channel) in options.scene.channels.iter().enumerate() {
        let unit = format!("{} in {}", channel.name, channel.unit);
        let lines = |window: (f64, f64)| {
            let line = |role, style, part: fn(&(f64, f64)) -> f64| Line {
                role,
                points: time.series(&run.frames, window, |shown| part(&shown.values[index])),
                style,
            };
            vec![
                line(Role::Raw, Style::Stepped, |value| value.0),
                line(Role::Smoothed, Style::Straight, |value| value.1),
            ]
        };
        let chart = |window| Chart {
            x: "real time in s",
            y: &unit,
            lines: lines(window),
            is_map: false,
        };
        let close = time.close_window();
        let title = format!("A closer look at {}", channel.name);
        let text = "The newest state stays where it is until the next step; what is drawn moves with every frame.";
        figure(&mut body, &title, text, &chart(close));
        figure(
            &mut body,
            &format!("All of {}", channel.name),
            "Over the whole run.",
            &chart(time.all()),
        );
    }
    let single = |role, y, style, value: &dyn Fn(&Shown) -> f64| Chart {
        x: "real time in s",
        y,
        lines: vec![Line {
            role,
            points: time.series(&run.frames, time.all(), value),
            style,
        }],
        is_map: false,
    };
    let steps = single(Role::Steps, "steps", Style::Dots, &|shown| {
        shown.frame.steps().len() as f64
    });
    figure(&mut body, "Steps per frame", "How many steps each frame ran.", &steps);
    let frame_times = single(Role::Raw, "ms", Style::Stepped, &|shown| {
        shown.delta.as_secs_f64() * 1e3
    });
    figure(&mut body, "Frame time", "What the clock said.", &frame_times);
    let alpha = single(Role::Smoothed, "alpha", Style::Dots, &|shown| shown.frame.alpha());
    figure(
        &mut body,
        "Alpha",
        "How far towards the newest state each frame was drawn.",
        &alpha,
    );
    let period = options.rate.period_secs_f64();
    let lost = Chart {
        x: "real time in s",
        y: "s",
        lines: vec![Line {
            role: Role::Lost,
            points: time.lost(&run.frames, period),
            style: Style::Stepped,
        }],
        is_map: false,
    };
    figure(&mut body, "Time lost", "Clamped and dropped, added up.", &lost);
    let title = format!("{} on {}", summary.scene, summary.source);
    let table = table::of(summary);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>evenstep: {title}</title>\n\
         <style>\n{STYLE}</style>\n<main>\n<h1>{title}</h1>\n<pre>{table}</pre>\n\
         <p class=\"legend\"><span class=\"raw\">newest state</span> <span class=\"smoothed\">what is drawn</span> \
         <span class=\"steps\">steps</span> <span class=\"lost\">lost time</span></p>\n{body}</main>\n</html>\n",
        title = escaped(&title),
        table = escaped(&table),
    )
}

fn figure(body: &mut String, title: &str, text: &str, chart: &Chart<'_>) {
    if let Some(svg) = chart.svg() {
        let title = escaped(title);
        let _ = writeln!(
            body,
            "<figure><figcaption><b>{title}.</b> {text}</figcaption>\n{svg}</figure>"
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// When each frame was shown, in seconds of real time.
struct Time(Vec<f64>);

impl Time {
    fn of(frames: &[Shown]) -> Self {
        let mut elapsed = 0.0;
        let shown = frames.iter().map(|shown| {
            elapsed += shown.delta.as_secs_f64();
            elapsed
        });
        Self(shown.collect())
    }

    fn all(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    /// A short while soon after the start.
    fn close_window(&self) -> (f64, f64) {
        let end = self.0.last().copied().unwrap_or(0.0);
        let start = 1.0_f64.min((end - CLOSE_SECONDS).max(0.0));
        (start, start + CLOSE_SECONDS)
    }

    fn series(&self, frames: &[Shown], window: (f64, f64), value: impl Fn(&Shown) -> f64) -> Vec<(f64, f64)> {
        let inside = |time: &f64| (window.0..=window.1).contains(time);
        let pairs = self.0.iter().zip(frames).filter(|(time, _)| inside(time));
        pairs.map(|(time, shown)| (*time, value(shown))).collect()
    }

    fn lost(&self, frames: &[Shown], period: f64) -> Vec<(f64, f64)> {
        let mut sum = 0.0;
        let added = self.0.iter().zip(frames).map(|(time, shown)| {
            let lost = shown.frame.lost();
            sum += lost.clamped.as_secs_f64() + lost.dropped as f64 * period;
            (*time, sum)
        });
        added.collect()
    }
}

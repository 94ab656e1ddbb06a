//! The report of a run.

use evenstep_scenes::Channel;

use crate::run_output::map::{Map, Path};
use crate::run_output::summary::{Summary, outcome};
use crate::run_output::text;
use crate::simulation::displays::DisplayResult;
use crate::simulation::options::Options;
use crate::simulation::run::{Presented, Run};
use evenstep_cli::failure::Failure;
use evenstep_cli::output::charts::{Axis, Chart, Line, REAL_TIME, Role, Style};
use evenstep_cli::output::html::Document;
use evenstep_cli::output::output_file::OutputFile;

/// The length of the close-up, in seconds.
const CLOSE_SECONDS: f64 = 0.5;

/// Writes the report of a run.
pub(crate) fn write(
    file: OutputFile,
    options: &Options,
    run: &Run,
    displays: &[DisplayResult],
    summary: &Summary,
) -> Result<(), Failure> {
    let mut page = Document::new(&format!("{} on {}", summary.scene, summary.source));
    let mut rows = text::rows(summary);
    if let Some(hash) = &summary.hash {
        rows.push(("hash", format!("{} {}", hash.tick, hash.hash)));
    }
    page.table(&rows);
    let time = Time::of(&run.frames);
    maps(&mut page, options, run, displays);
    for (index, channel) in options.scene.channels.iter().enumerate() {
        motion(&mut page, run, &time, index, channel);
    }
    timing(&mut page, options, run, &time);
    file.write(|output| output.write_all(page.html().as_bytes()))
}

/// Draws the path of the scene, on this display and on others.
fn maps(page: &mut Document, options: &Options, run: &Run, displays: &[DisplayResult]) {
    let Some((x, y)) = options.scene.path else { return };
    let drawn = Path {
        role: Role::Smoothed,
        points: run
            .frames
            .iter()
            .map(|shown| (shown.values[x].1, shown.values[y].1))
            .collect(),
        width: 3,
        label: outcome(run.outcome).to_owned(),
    };
    let map = |paths| Map {
        landmarks: &run.surroundings,
        paths,
    };
    let text = "The drawn motion. Full circles attract, empty ones repel; the green line is the goal.";
    page.figure("The path", text, map(vec![drawn]).svg());
    let fixed = displays.iter().map(|display| Path {
        role: Role::Smoothed,
        points: display.fixed.path.clone(),
        width: 3,
        label: String::new(),
    });
    let variable = displays.iter().map(|display| Path {
        role: Role::Raw,
        points: display.variable.path.clone(),
        width: 1,
        label: display.rate.to_string(),
    });
    let text = "<span class=\"smoothed\">Fixed steps</span> give one path: five lines lie on top of each other. \
                <span class=\"raw\">One step a frame</span> gives as many paths as displays.";
    let has_displays = !displays.is_empty();
    let svg = has_displays
        .then(|| map(fixed.chain(variable).collect()).svg())
        .flatten();
    page.figure("The same on five displays", text, svg);
}

/// Draws a channel over time, in a close-up and as a whole.
fn motion(page: &mut Document, run: &Run, time: &Time, index: usize, channel: &Channel) {
    let unit = format!("{} in {}", channel.name, channel.unit);
    let chart = |window| {
        let line = |role, style, part: fn(&(f64, f64)) -> f64| Line {
            role,
            points: time.series(&run.frames, window, |shown| Some(part(&shown.values[index]))),
            style,
        };
        let mut lines = vec![
            line(Role::Raw, Style::Stepped, |value| value.0),
            line(Role::Smoothed, Style::Straight, |value| value.1),
        ];
        if index == 0 {
            lines.push(Line {
                role: Role::Exact,
                points: time.series(&run.frames, window, |shown| shown.exact),
                style: Style::Dots,
            });
        }
        Chart {
            x: REAL_TIME,
            y: &unit,
            lines,
            axis: Axis::Values,
        }
    };
    let exact = if run.integrators.is_empty() || index > 0 {
        ""
    } else {
        " <span class=\"exact\">Dots</span> are the closed form at the time that the frame shows."
    };
    let text = "The <span class=\"raw\">newest state</span> stays where it is until the next step; \
                <span class=\"smoothed\">the drawn motion</span> moves with every frame.";
    let title = format!("A closer look at {}", channel.name);
    page.figure(&title, &format!("{text}{exact}"), chart(time.close_window()).svg());
    let title = format!("All of {}", channel.name);
    page.figure(&title, &format!("Over the whole run.{exact}"), chart(ALL).svg());
}

/// Draws the steps of frames.
fn timing(page: &mut Document, options: &Options, run: &Run, time: &Time) {
    let chart = |role, y, axis, style, value: &dyn Fn(&Presented) -> f64| {
        let points = time.series(&run.frames, ALL, |shown| Some(value(shown)));
        let lines = vec![Line { role, points, style }];
        Chart {
            x: REAL_TIME,
            y,
            lines,
            axis,
        }
        .svg()
    };
    let steps = |shown: &Presented| shown.frame.steps().len() as f64;
    let text = "How many steps each frame ran.";
    let svg = chart(Role::Steps, "steps", Axis::Counts, Style::Dots, &steps);
    page.figure("Steps per frame", text, svg);
    let delta = |shown: &Presented| shown.delta.as_secs_f64() * 1e3;
    let svg = chart(Role::Raw, "frame time in ms", Axis::FromZero, Style::Stepped, &delta);
    page.figure("Frame time", "Deltas of the clock.", svg);
    let svg = chart(Role::Smoothed, "alpha", Axis::Share, Style::Dots, &|shown| {
        shown.frame.alpha()
    });
    let text = "How far on the way from the previous state to the newest one each frame was drawn.";
    page.figure("Alpha", text, svg);
    let lost = time.lost(&run.frames, options.rate.period_secs_f64());
    if lost.last().is_none_or(|(_, sum)| *sum == 0.0) {
        page.paragraph("Time lost", "None: every frame's time was stepped.");
        return;
    }
    let lines = vec![Line {
        role: Role::Lost,
        points: lost,
        style: Style::Stepped,
    }];
    let chart = Chart {
        x: REAL_TIME,
        y: "time in s",
        lines,
        axis: Axis::FromZero,
    };
    page.figure("Time lost", "Clamped and dropped, added up.", chart.svg());
}

/// The window of the whole run.
const ALL: (f64, f64) = (0.0, f64::INFINITY);

/// The time at which each frame was displayed, in seconds of real time.
struct Time(Vec<f64>);

impl Time {
    fn of(frames: &[Presented]) -> Self {
        let mut elapsed = 0.0;
        let shown = frames.iter().map(|shown| {
            elapsed += shown.delta.as_secs_f64();
            elapsed
        });
        Self(shown.collect())
    }

    /// A short window soon after the start.
    fn close_window(&self) -> (f64, f64) {
        let end = self.0.last().copied().unwrap_or(0.0);
        let start = 1.0_f64.min((end - CLOSE_SECONDS).max(0.0));
        (start, start + CLOSE_SECONDS)
    }

    fn series(
        &self,
        frames: &[Presented],
        window: (f64, f64),
        value: impl Fn(&Presented) -> Option<f64>,
    ) -> Vec<(f64, f64)> {
        let inside = |time: &f64| (window.0..=window.1).contains(time);
        let pairs = self.0.iter().zip(frames).filter(|(time, _)| inside(time));
        pairs.filter_map(|(time, shown)| Some((*time, value(shown)?))).collect()
    }

    fn lost(&self, frames: &[Presented], period: f64) -> Vec<(f64, f64)> {
        let mut sum = 0.0;
        let added = self.0.iter().zip(frames).map(|(time, shown)| {
            let lost = shown.frame.lost();
            sum += lost.clamped.as_secs_f64() + lost.dropped as f64 * period;
            (*time, sum)
        });
        added.collect()
    }
}

//! Compares when frames are displayed for each way to begin them.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use evenstep::Rate;
use evenstep::pace::PacerStats;
use evenstep_present::{AnimatedBy, FrameStart, FrameTiming, Session, WindowSystem};
use serde::Serialize;

use crate::commands::present::recording::{open, record};
use crate::failure::Failure;
use crate::interrupt;

/// The output of `--pacing --json`, which the crate's README describes.
#[derive(Serialize)]
pub(super) struct PacingComparison {
    cost_ms: f64,
    /// The shortest of the median intervals between displayed frames.
    period_ms: Option<f64>,
    #[serde(rename = "ways")]
    runs: Vec<PacingRun>,
    #[serde(skip)]
    sessions: Vec<Session>,
}

/// The frames that began in one way.
#[derive(Serialize)]
struct PacingRun {
    begin: String,
    /// None if fewer than two frames were displayed.
    #[serde(flatten)]
    timing: Option<FrameTiming>,
    /// Refreshes without a new frame.
    missed: u64,
    #[serde(flatten)]
    prediction: Option<PacerPrediction>,
}

/// A pacer's own prediction of its gain over frames that begin at the refresh before the one that displays them.
#[derive(Clone, Copy, Serialize)]
struct PacerPrediction {
    latency_saved_ms: f64,
    missed_by_waiting_pct: f64,
}

impl PacerPrediction {
    fn of(stats: PacerStats) -> Self {
        Self {
            latency_saved_ms: 1e3 * stats.latency_saved_mean_secs_f64(),
            missed_by_waiting_pct: stats.missed_by_waiting_pct(),
        }
    }
}

impl PacingComparison {
    /// Shows frames in each way, each time in a new window.
    pub(super) fn show(system: WindowSystem, limit: Rate, cost: Duration, seconds: Duration) -> Result<Self, Failure> {
        let mut recorded = Vec::new();
        // An X server may restart when its last window closes, so the next window is opened before the previous one closes.
        let mut last = None;
        for (name, begin) in pacing_modes(limit) {
            // One request to stop ends the whole comparison.
            if interrupt::is_stop_requested() {
                break;
            }
            let desktop = last.insert(open(system)?);
            recorded.push((name, record(desktop, begin, cost, seconds)?));
        }
        Ok(Self::of(recorded, cost))
    }

    fn of(recorded: Vec<(String, Session)>, cost: Duration) -> Self {
        let timings: Vec<Option<FrameTiming>> = recorded
            .iter()
            .map(|(_, session)| session.timing(Session::SETTLING))
            .collect();
        let medians = timings.iter().flatten().map(|timing| timing.interval_ms);
        let period_ms = medians.min_by(f64::total_cmp);
        let (names, sessions): (Vec<String>, Vec<Session>) = recorded.into_iter().unzip();
        let runs = names.into_iter().zip(timings).zip(&sessions);
        let runs = runs.map(|((begin, timing), session)| PacingRun {
            begin,
            timing,
            missed: period_ms.map_or(0, |period| session.missed_refreshes(Session::SETTLING, period)),
            prediction: session.pacing().map(PacerPrediction::of),
        });
        Self {
            cost_ms: 1e3 * cost.as_secs_f64(),
            period_ms,
            runs: runs.collect(),
            sessions,
        }
    }

    /// The frames of each way as the recording of a program that animates by the time at which frames begin.
    pub(super) fn write_recording(&self, mut output: impl Write) -> io::Result<()> {
        writeln!(output, "{}", Session::HEADER)?;
        for (run, session) in self.runs.iter().zip(&self.sessions) {
            session.write_chain(&mut output, &run.begin.replace(',', ""), AnimatedBy::Timestamps)?;
        }
        output.flush()
    }

    pub(super) fn text(&self) -> String {
        let period = self.period_ms.map_or_else(
            || "none of which were displayed".to_owned(),
            |period| format!("{period:.2} ms apart at best"),
        );
        let mut text = format!("frames that cost {:.2} ms, {period}\n", self.cost_ms);
        let [frames, seen, missed] = ["frames", "seen", "missed"];
        let _ = writeln!(
            text,
            "{:20} {frames:>6} {seen:>6} {missed:>6} {:>13} {:>10} {:>12} {:>10}",
            "begun", "between them", "99 %", "latency", "99 %"
        );
        for run in &self.runs {
            let Some(timing) = run.timing else {
                let _ = writeln!(
                    text,
                    "{:20} nothing to measure: fewer than two frames after the first two seconds were displayed",
                    run.begin
                );
                continue;
            };
            let _ = writeln!(
                text,
                "{:20} {:6} {:6} {:6} {:10.2} ms {:7.2} ms {:9.2} ms {:7.2} ms",
                run.begin,
                timing.frames,
                timing.presented,
                run.missed,
                timing.interval_ms,
                timing.interval_p99_ms,
                timing.latency_mean_ms,
                timing.latency_p99_ms
            );
        }
        for run in &self.runs {
            if let Some(prediction) = run.prediction {
                let _ = writeln!(
                    text,
                    "{}: by its prediction frames are {:.2} ms younger than if they began at a refresh, and {:.2} % miss one by waiting",
                    run.begin, prediction.latency_saved_ms, prediction.missed_by_waiting_pct
                );
            }
        }
        text
    }
}

fn pacing_modes(limit: Rate) -> [(String, FrameStart); 4] {
    let hertz = limit.as_hz_f64();
    [
        ("no pacing".to_owned(), FrameStart::Immediate),
        ("after the last".to_owned(), FrameStart::OnRequest),
        (format!("sleep, {hertz:.2} Hz"), FrameStart::Sleep(limit)),
        ("paced".to_owned(), FrameStart::Paced(Box::default())),
    ]
}

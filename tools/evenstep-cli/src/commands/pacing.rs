//! `evenstep pacing`: measures latency against missed refreshes.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use evenstep::Rate;
use evenstep_trace::Trace;
use evenstep_trace::simulate::{Pacing, PacingOutcome, compare_pacing};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::charts::{Axis, Chart, Line, Role, Style};
use crate::output::html::Document;
use crate::output::output_file::Files;
use crate::output::{self, progress};
use crate::values;

/// The arguments of `pacing`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The trace: its frame times are taken as frame costs.
    trace: PathBuf,
    /// The program whose frames to take [default: the program with the most frames].
    #[arg(long, value_name = "NAME")]
    chain: Option<String>,
    /// Skip unreadable rows, and count them.
    #[arg(long)]
    lenient: bool,
    /// The refresh rate of the simulated display.
    #[arg(long, value_name = "HZ|N/D", default_value = "60", allow_hyphen_values = true)]
    display: Rate,
    /// The rate at which the program that sleeps between frames aims [default: that of the display, in whole hertz].
    #[arg(long, value_name = "HZ|N/D", allow_hyphen_values = true)]
    limit: Option<Rate>,
    /// Multiply the recorded frame costs by this factor.
    #[arg(long, value_name = "TIMES", default_value = "1", value_parser = times, allow_hyphen_values = true)]
    scale: f64,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Write a page with the curve.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
}

/// The largest total frame cost that is simulated, in refreshes.
const MOST_REFRESHES: f64 = 1e8;

/// The output of `--json`, which the crate's README describes.
#[derive(Serialize)]
struct Curve {
    file: String,
    chain: String,
    display: String,
    limit: String,
    scale: f64,
    cost_median_ms: f64,
    outcomes: Vec<PacingOutcome>,
}

fn times(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "is not a number above zero".to_owned())
}

/// The nearest rate in whole hertz, which a program would assume.
fn whole_hertz(display: Rate) -> Rate {
    let hertz = display.as_hz_f64().round().clamp(1.0, u32::MAX.into());
    Rate::new(hertz as u32, 1).unwrap_or(display)
}

pub(crate) fn pacing(args: &Arguments) -> Result<ExitCode, Failure> {
    let file = Files::default()
        .reading("TRACE", [&args.trace])
        .optional("--report", args.report.as_deref())?;
    let curve = Curve::new(args)?;
    if let Some(file) = file {
        file.write(|output| output.write_all(curve.page().html().as_bytes()))?;
    }
    output::print(&if args.json { output::json(&curve)? } else { curve.text() })?;
    Ok(ExitCode::SUCCESS)
}

impl Curve {
    fn new(args: &Arguments) -> Result<Self, Failure> {
        let name = args.trace.display().to_string();
        let trace = Trace::parse(progress::open(&args.trace)?, &name, values::rows(args.lenient))?;
        let chain = match &args.chain {
            Some(name) => trace.chain(name)?,
            None => trace.main_chain(),
        };
        let seconds: f64 = args.scale * chain.deltas.iter().map(Duration::as_secs_f64).sum::<f64>();
        let refreshes = (seconds + chain.deltas.len() as f64 / args.display.as_hz_f64()) * args.display.as_hz_f64();
        if refreshes > MOST_REFRESHES || seconds > MOST_REFRESHES {
            return Err(Failure::Usage(format!(
                "--scale: the frames cost more than {MOST_REFRESHES} refreshes; give less or a slower --display"
            )));
        }
        let costs: Vec<Duration> = chain.deltas.iter().map(|delta| delta.mul_f64(args.scale)).collect();
        let limit = args.limit.unwrap_or_else(|| whole_hertz(args.display));
        let mut sorted = costs.clone();
        sorted.sort_unstable();
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
        Ok(Self {
            file: name,
            chain: chain.name.to_string(),
            display: args.display.to_string(),
            limit: limit.to_string(),
            scale: args.scale,
            cost_median_ms: 1e3 * median.as_secs_f64(),
            outcomes: compare_pacing(&costs, args.display, limit),
        })
    }

    fn summary(&self) -> String {
        format!(
            "{} frames after the first 128, half of which cost at most {:.2} ms, on a display at {}",
            self.outcomes.first().map_or(0, |outcome| outcome.frames),
            self.cost_median_ms,
            self.display
        )
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.file, self.summary());
        let [begun, shown, missed, latency] = ["frames", "shown", "missed", "latency"];
        let _ = writeln!(
            text,
            "{begun:24} {shown:>8} {missed:>17} {latency:>12} {:>12} {:>12}",
            "99 %", "uneven"
        );
        for outcome in &self.outcomes {
            let _ = writeln!(
                text,
                "{:24} {:8} {:8} {:6.2} % {:9.2} ms {:9.2} ms {:9.2} ms",
                outcome.pacing.to_string(),
                outcome.shown,
                outcome.missed,
                outcome.missed_pct,
                outcome.latency_mean_ms,
                outcome.latency_p99_ms,
                outcome.error_rms_ms
            );
        }
        text
    }

    fn page(&self) -> Document {
        let mut page = Document::new("When to begin a frame");
        page.heading(&self.file);
        page.paragraph("Simulated", &format!("{}.", self.summary()));
        let text = "Each point is a way to begin frames. The <span class=\"smoothed\">curve</span> is the pacer, from planning for \
                    half of the frames (right) to planning for all, with 4 ms to spare (left). Beside it: <span class=\"raw\">beginning after the last \
                    frame</span>, <span class=\"steps\">sleeping</span> and <span class=\"lost\">no pacing</span>.";
        page.figure("Latency against missed refreshes", text, self.chart().svg());
        let header = [
            "",
            "shown",
            "missed",
            "missed, %",
            "latency, ms",
            "99 %, ms",
            "uneven, ms",
        ];
        let row = |outcome: &PacingOutcome| {
            vec![
                outcome.pacing.to_string(),
                outcome.shown.to_string(),
                outcome.missed.to_string(),
                format!("{:.2}", outcome.missed_pct),
                format!("{:.2}", outcome.latency_mean_ms),
                format!("{:.2}", outcome.latency_p99_ms),
                format!("{:.2}", outcome.error_rms_ms),
            ]
        };
        page.figures(&header, &self.outcomes.iter().map(row).collect::<Vec<_>>());
        page
    }

    fn chart(&self) -> Chart<'static> {
        let points = |role, style, is_it: fn(Pacing) -> bool| {
            let outcomes = self.outcomes.iter().filter(|outcome| is_it(outcome.pacing));
            let points = outcomes.map(|outcome| (outcome.missed_pct, outcome.latency_mean_ms));
            Line {
                role,
                points: points.collect(),
                style,
            }
        };
        let is_paced = |pacing| matches!(pacing, Pacing::Paced { .. });
        Chart {
            x: "refreshes missed in %",
            y: "latency in ms",
            lines: vec![
                points(Role::Smoothed, Style::Straight, is_paced),
                points(Role::Smoothed, Style::Dots, is_paced),
                points(Role::Raw, Style::Dots, |pacing| pacing == Pacing::AfterTheLast),
                points(Role::Steps, Style::Dots, |pacing| matches!(pacing, Pacing::Sleep(_))),
                points(Role::Lost, Style::Dots, |pacing| pacing == Pacing::None),
            ],
            axis: Axis::FromZero,
        }
    }
}

//! `evenstep simulate`: simulates how a game would look on recorded frames.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use evenstep::Rate;
use evenstep_trace::measure::DisplayedFrame;
use evenstep_trace::simulate::{Comparison, Filter, SimulatedDisplay, Strategy, StrategyOutcome, UNSEEN_MS};
use evenstep_trace::{SwapChain, Trace};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::charts::{Axis, Chart, Line, REAL_TIME, Role, Style};
use crate::output::html::Document;
use crate::output::output_file::Files;
use crate::values;
use crate::{input, output};

/// The arguments of `simulate`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The trace; `-` is standard input.
    trace: PathBuf,
    /// The program whose frames to take [default: the program with the most frames].
    #[arg(long, value_name = "NAME")]
    chain: Option<String>,
    /// Skip unreadable rows, and count them.
    #[arg(long)]
    lenient: bool,
    /// Steps per second.
    #[arg(long, value_name = "HZ|N/D", default_value = "60", allow_hyphen_values = true)]
    rate: Rate,
    /// The display to simulate [default: the recorded display, or vrr if the trace has none].
    #[arg(long, value_name = "HZ|vrr", allow_hyphen_values = true)]
    display: Option<SimulatedDisplay>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Write a page with charts of the motion and its errors.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
}

/// The output of `--json`, which the crate's README describes.
#[derive(Serialize)]
struct Report {
    file: String,
    #[serde(flatten)]
    compared: Comparison,
    #[serde(skip)]
    stage: Stage,
}

/// The frames and the display of the simulation.
struct Stage {
    chain: SwapChain,
    rate: Rate,
    display: Option<SimulatedDisplay>,
}

impl Stage {
    fn frames(&self, strategy: Strategy, filter: Filter) -> Vec<DisplayedFrame> {
        Comparison::displayed_frames(&self.chain, self.rate, self.display, strategy, filter)
    }
}

pub(crate) fn simulate(args: &Arguments) -> Result<ExitCode, Failure> {
    let most = Comparison::MAX_STEPS;
    if args.rate.as_hz_f64() > most {
        return Err(Failure::Usage(format!(
            "--rate: more than {most} steps a second take too long; give fewer"
        )));
    }
    let file = Files::default()
        .reading("TRACE", [&args.trace])
        .optional("--report", args.report.as_deref())?;
    let report = Report::new(args)?;
    if let Some(file) = file {
        file.write(|output| output.write_all(report.page().html().as_bytes()))?;
    }
    output::print(&if args.json {
        output::json(&report)?
    } else {
        report.text()
    })?;
    Ok(ExitCode::SUCCESS)
}

impl Report {
    fn new(args: &Arguments) -> Result<Self, Failure> {
        let name = args.trace.display().to_string();
        let trace = Trace::parse(input::open(&args.trace)?, &name, values::rows(args.lenient))?;
        let _working = output::working("simulating");
        let chain = match &args.chain {
            Some(name) => trace.chain(name)?,
            None => trace.main_chain(),
        };
        Ok(Self {
            file: name,
            compared: Comparison::new(chain, args.rate, args.display),
            stage: Stage {
                chain: chain.clone(),
                rate: args.rate,
                display: args.display,
            },
        })
    }

    /// What was simulated, and the frames that were displayed.
    fn summary(&self) -> String {
        let compared = &self.compared;
        let repeated = compared
            .repeated
            .map_or_else(String::new, |repeated| format!(", {repeated} repeats"));
        format!(
            "{} frames, steps at {} Hz, on {}: {} frames displayed, {} never{repeated}",
            compared.frames, compared.rate_hz, compared.display, compared.displayed, compared.dropped
        )
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.file, self.summary());
        text += &line(&HEADER.map(str::to_owned));
        for row in self.rows() {
            text += &line(&row);
        }
        let _ = writeln!(text, "{NOTE}");
        let best = &self.compared.recommended;
        let _ = writeln!(text, "recommended: {} with {}", best.strategy, filter_name(best.filter));
        let _ = writeln!(text, "why: {}", best.reason);
        for line in best.code.lines() {
            let _ = writeln!(text, "    {line}");
        }
        text
    }

    fn page(&self) -> Document {
        let best = &self.compared.recommended;
        let mut page = Document::new("What a game would look like");
        page.heading(&self.file);
        page.paragraph("Simulated", &format!("{}.", self.summary()));
        let chosen = format!("{} with {}.", best.strategy, filter_name(best.filter));
        page.paragraph("Recommended", &chosen);
        page.paragraph("Why", &format!("{}.", best.reason));
        page.code(&best.code);
        let rows: Vec<Vec<String>> = self.rows().map(Vec::from).collect();
        page.figures(&HEADER, &rows);
        page.paragraph("Not visible", NOTE);
        let fixed = self.stage.frames(Strategy::Fixed, Filter::None);
        let plain = self.stage.frames(Strategy::Interpolate, Filter::None);
        let chosen = self.stage.frames(best.strategy, best.filter);
        let text = "An object that crosses the screen at 1 000 pixels a second, around the largest jump: \
                    <span class=\"exact\">as it should</span>, <span class=\"raw\">the newest state</span> and \
                    <span class=\"smoothed\">as recommended</span>.";
        page.figure("Motion", text, motion(&fixed, &chosen));
        let text = "By how much the drawn motion advanced more than the time at which it is displayed: \
                    <span class=\"raw\">interpolated, without a filter</span> and \
                    <span class=\"smoothed\">as recommended</span>.";
        page.figure("Animation error", text, errors(&plain, &chosen));
        page
    }
}

/// The rows of the table, which a person can tell apart. The other ways of drawing show the same motion as interpolation, with another
/// latency.
const ROWS: [(Strategy, Filter); 8] = [
    (Strategy::Variable, Filter::None),
    (Strategy::Locked, Filter::None),
    (Strategy::Fixed, Filter::None),
    (Strategy::Fixed, Filter::Default),
    (Strategy::Interpolate, Filter::None),
    (Strategy::Interpolate, Filter::Average),
    (Strategy::Interpolate, Filter::Snap),
    (Strategy::Interpolate, Filter::Default),
];

const NOTE: &str = "= differs from the first row of its strategy by 0.05 ms or less, which nobody can see: at 1 000 pixels a second it is a \
                    twentieth of a pixel; extrapolate, hermite, lookahead and fork are in --json";

const HEADER: [&str; 9] = [
    "strategy",
    "filter",
    "error rms",
    "",
    "99 % at most",
    "largest jump",
    "latency",
    "steps a frame",
    "lost",
];

impl Report {
    fn rows(&self) -> impl Iterator<Item = [String; 9]> {
        let of = |(strategy, filter)| self.compared.outcome(strategy, filter);
        ROWS.into_iter().filter_map(of).map(move |outcome| {
            let plain = of((outcome.strategy, Filter::None)).map_or(0.0, |plain| plain.error_rms_ms);
            let is_same = outcome.filter != Filter::None && (outcome.error_rms_ms - plain).abs() <= UNSEEN_MS;
            figures(outcome, if is_same { "=" } else { "" })
        })
    }
}

/// A row of the table that is printed without `--json`.
fn line([strategy, filter, rms, mark, figures @ ..]: &[String; 9]) -> String {
    let figures: String = figures.iter().map(|figure| format!(" {figure:>13}")).collect();
    format!("{strategy:12} {filter:10} {rms:>13} {mark:1}{figures}\n")
}

fn figures(outcome: &StrategyOutcome, mark: &str) -> [String; 9] {
    let steps = outcome.steps_per_frame;
    let ms = |value: f64| format!("{value:.3} ms");
    [
        outcome.strategy.to_string(),
        filter_name(outcome.filter),
        ms(outcome.error_rms_ms),
        mark.to_owned(),
        ms(outcome.error_p99_ms),
        ms(outcome.error_max_ms),
        format!("{:.1} ms", outcome.latency_ms),
        format!("{} to {}", steps.min, steps.max),
        format!("{:.0} ms", outcome.lost_ms),
    ]
}

fn filter_name(filter: Filter) -> String {
    match filter {
        Filter::None => "no filter".to_owned(),
        filter => filter.to_string(),
    }
}

/// The duration of the chart of the motion, in seconds.
const WINDOW: f64 = 0.25;

/// Charts the drawn position of an object over time, around the largest jump of the newest state.
fn motion(fixed: &[DisplayedFrame], chosen: &[DisplayedFrame]) -> Option<String> {
    let error = |pair: &[DisplayedFrame]| pair[1].error_since(pair[0]).abs();
    let worst = fixed
        .windows(2)
        .max_by(|one, other| error(one).total_cmp(&error(other)))?;
    let start = worst[0].displayed - WINDOW / 2.0;
    let line = |role, frames: &[DisplayedFrame]| {
        let ages = frames.iter().map(|frame| frame.displayed - frame.shown);
        let age = ages.sum::<f64>() / frames.len().max(1) as f64;
        let visible = frames
            .iter()
            .filter(|frame| (start..start + WINDOW).contains(&frame.displayed));
        let at = |frame: &DisplayedFrame| (frame.displayed, 1e3 * (frame.shown + age - start));
        Line {
            role,
            points: visible.map(at).collect(),
            style: Style::Stepped,
        }
    };
    let ideal = Line {
        role: Role::Exact,
        points: vec![(start, 0.0), (start + WINDOW, 1e3 * WINDOW)],
        style: Style::Straight,
    };
    let lines = vec![ideal, line(Role::Raw, fixed), line(Role::Smoothed, chosen)];
    let chart = Chart {
        x: REAL_TIME,
        y: "position in pixels",
        lines,
        axis: Axis::Values,
    };
    chart.svg()
}

/// Charts the animation error of every displayed frame over time.
fn errors(plain: &[DisplayedFrame], chosen: &[DisplayedFrame]) -> Option<String> {
    let line = |role, frames: &[DisplayedFrame]| {
        let error = |pair: &[DisplayedFrame]| (pair[1].displayed, 1e3 * pair[1].error_since(pair[0]));
        Line {
            role,
            points: frames.windows(2).map(error).collect(),
            style: Style::Dots,
        }
    };
    let lines = vec![line(Role::Raw, plain), line(Role::Smoothed, chosen)];
    let chart = Chart {
        x: REAL_TIME,
        y: "animation error in ms",
        lines,
        axis: Axis::Values,
    };
    chart.svg()
}

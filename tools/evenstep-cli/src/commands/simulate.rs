//! `evenstep simulate`: simulates how a game would look on recorded frames.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use evenstep::Rate;
use evenstep_trace::Trace;
use evenstep_trace::simulate::{Comparison, Filter, SimulatedDisplay, Strategy, StrategyOutcome, UNSEEN_MS};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::progress::Progress;
use crate::{input, output, values};

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
}

/// The output of `--json`, which the crate's README describes.
#[derive(Serialize)]
struct Report {
    file: String,
    #[serde(flatten)]
    compared: Comparison,
}

pub(crate) fn simulate(args: &Arguments) -> Result<ExitCode, Failure> {
    let most = Comparison::MAX_STEPS;
    if args.rate.as_hz_f64() > most {
        return Err(Failure::Usage(format!(
            "--rate: more than {most} steps a second take too long; give fewer"
        )));
    }
    let file = args.trace.display().to_string();
    let trace = Trace::parse(input::open(&args.trace)?, &file, values::rows(args.lenient))?;
    let chain = match &args.chain {
        Some(name) => trace.chain(name)?,
        None => trace.main_chain(),
    };
    let mut progress = Progress::default();
    progress.show("simulating");
    let compared = Comparison::new(chain, args.rate, args.display);
    drop(progress);
    let report = Report { file, compared };
    output::print(&if args.json {
        output::json(&report)?
    } else {
        report.text()
    })?;
    Ok(ExitCode::SUCCESS)
}

impl Report {
    fn text(&self) -> String {
        let compared = &self.compared;
        let mut text = format!(
            "{}\n{} frames, steps at {} Hz, on {}: {} frames displayed, {} never",
            self.file, compared.frames, compared.rate_hz, compared.display, compared.displayed, compared.dropped
        );
        if let Some(repeated) = compared.repeated {
            let _ = write!(text, ", {repeated} repeats");
        }
        text.push('\n');
        if let Some(assumed) = compared.assumed {
            let _ = writeln!(text, "assumed: {assumed}");
        }
        text += &line(&HEADER.map(str::to_owned));
        let of = |(strategy, filter)| compared.outcome(strategy, filter);
        for outcome in ROWS.into_iter().filter_map(of) {
            let plain = of((outcome.strategy, Filter::None)).map_or(0.0, |plain| plain.error_rms_ms);
            let is_same = outcome.filter != Filter::None && (outcome.error_rms_ms - plain).abs() <= UNSEEN_MS;
            text += &line(&figures(outcome, if is_same { "=" } else { "" }));
        }
        let _ = writeln!(text, "{NOTE}");
        let best = &compared.recommended;
        let _ = writeln!(text, "recommended: {} with {}", best.strategy, filter_name(best.filter));
        let _ = writeln!(text, "why: {}", best.reason);
        for line in best.code.lines() {
            let _ = writeln!(text, "    {line}");
        }
        text
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
    "95 % at most",
    "largest jump",
    "latency",
    "steps a frame",
    "lost",
];

/// A row of the table.
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
        ms(outcome.error_p95_ms),
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

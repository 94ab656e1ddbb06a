//! `evenstep-lab filters`: compares delta filters.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use evenstep_evaluation::{FilterScore, score_filters};
use serde::Serialize;

use evenstep_cli::failure::Failure;
use evenstep_cli::output;

mod worlds;

/// The arguments of `filters`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The seed of the noise: the same seed gives the same table. With --worlds, the first world.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Compare over this many random worlds: displays, programs and clocks of many kinds, one for each seed from --seed on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    worlds: Option<u64>,
    /// Describe the random world of this seed, and compare in it.
    #[arg(long, value_name = "SEED", conflicts_with_all = ["worlds", "seed"])]
    world: Option<u64>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// The output of `--json`, which the crate's README describes.
#[derive(Serialize)]
struct Table {
    seed: u64,
    scores: Vec<FilterScore>,
}

pub(crate) fn filters(args: &Arguments) -> Result<ExitCode, Failure> {
    let text = match (args.world, args.worlds) {
        (Some(seed), _) => worlds::one(seed, args.json)?,
        (None, Some(count)) => worlds::many(args.seed, count, args.json)?,
        (None, None) => displays(args)?,
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Compares on the fixed displays and noises.
fn displays(args: &Arguments) -> Result<String, Failure> {
    let table = Table {
        seed: args.seed,
        scores: score_filters(args.seed, |_| true),
    };
    if args.json {
        return output::json(&table);
    }
    Ok(text(&table.scores))
}

fn text(scores: &[FilterScore]) -> String {
    let mut text = String::new();
    let mut last = None;
    for score in scores {
        let display = format!("{:.2} Hz, {}", score.display_hz, score.noise);
        if last.as_ref() != Some(&display) {
            let gap = if last.is_some() { "\n" } else { "" };
            let _ = writeln!(
                text,
                "{gap}{display:28} {:>12} {:>12} {:>12} {:>12}",
                "wrong frames", "mean error", "largest", "drift"
            );
            last = Some(display);
        }
        let _ = writeln!(
            text,
            "  {:26} {:12} {:9.4} ms {:9.3} ms {:9.2} ms",
            score.filter.to_string(),
            score.wrong_frames,
            score.error_mean_ms,
            score.error_max_ms,
            // Avoids printing minus zero.
            (score.drift_ms * 100.0).round() / 100.0 + 0.0
        );
    }
    text
}

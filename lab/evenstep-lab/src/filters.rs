//! `evenstep-lab filters`: compares delta filters.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use evenstep_evaluation::{FilterScore, score_filters};

use evenstep_cli::failure::Failure;
use evenstep_cli::output;

/// The arguments of `filters`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The seed of the noise: the same seed gives the same table.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn filters(args: &Arguments) -> Result<ExitCode, Failure> {
    output::print(&text(&score_filters(args.seed, |_| true)))?;
    Ok(ExitCode::SUCCESS)
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

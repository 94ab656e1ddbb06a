//! Compares the filters on recordings: how large the animation error is with each, as a ratio to that without a filter, and what the start alone
//! does: an accumulator without a filter that is 2 ms ahead of the clock.
//!
//! ```sh
//! cargo run --release -p evenstep-evaluation --example filters -- FOLDER/*.csv
//! ```

use std::error::Error;

use evenstep::Rate;
use evenstep_trace::simulate::{Comparison, Filter, Strategy, StrategyOutcome};
use evenstep_trace::{BadRows, SwapChain, Trace};

const RATE: Rate = Rate::hz(60);

/// A row of the table: a filter, and whether the simulation starts 2 ms ahead of the clock, as the default filter aims to be.
const ROWS: [(&str, Filter, bool); 5] = [
    ("default", Filter::Default, false),
    ("average", Filter::Average, false),
    ("snap", Filter::Snap, false),
    ("none, 2 ms ahead", Filter::None, true),
    ("none", Filter::None, false),
];

/// A recording with its program's start, and with one 2 ms ahead of it.
struct Recording {
    file: String,
    compared: [Comparison; 2],
}

impl Recording {
    fn outcome(&self, strategy: Strategy, filter: Filter, is_ahead: bool) -> Option<&StrategyOutcome> {
        self.compared[usize::from(is_ahead)].outcome(strategy, filter)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        return Err("name the recordings to compare on: FOLDER/*.csv".into());
    }
    let mut recordings = Vec::new();
    for file in files {
        let trace = Trace::read(file.as_ref(), BadRows::Skip)?;
        let chain = trace.main_chain();
        let compared = [chain.clone(), ahead(chain)].map(|chain| Comparison::new(&chain, RATE, None));
        recordings.push(Recording { file, compared });
    }
    println!(
        "{} recordings, {RATE}, on the recorded displays: error as a ratio to none, geometric mean of the 95th percentiles and of the root mean \
         squares",
        recordings.len()
    );
    println!(
        "{:12} {:16} {:>6} {:>6} {:>6} {:>10} {:>10}   worst",
        "strategy", "filter", "95 %", "rms", "worst", "over 1.01", "over 1.02"
    );
    for strategy in [Strategy::Interpolate, Strategy::Fixed] {
        for (name, filter, is_ahead) in ROWS {
            let ratio = |one: &Recording, error: fn(&StrategyOutcome) -> f64| {
                let of = |filter, is_ahead| one.outcome(strategy, filter, is_ahead).map_or(0.0, error);
                of(filter, is_ahead) / of(Filter::None, false)
            };
            let p95 = recordings.iter().map(|one| ratio(one, |outcome| outcome.error_p95_ms));
            let p95 = geometric_mean(p95);
            // A recording that nothing moves in has no error.
            let mut ratios: Vec<_> = recordings
                .iter()
                .map(|one| (ratio(one, |outcome| outcome.error_rms_ms), one))
                .collect();
            ratios.retain(|(ratio, _)| ratio.is_finite());
            ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
            let Some((worst, one)) = ratios.last() else {
                continue;
            };
            let over = |most: f64| ratios.iter().filter(|(ratio, _)| *ratio > most).count();
            println!(
                "{:12} {name:16} {p95:6.3} {:6.3} {worst:6.3} {:10} {:10}   {}",
                strategy.to_string(),
                geometric_mean(ratios.iter().map(|(ratio, _)| *ratio)),
                over(1.01),
                over(1.02),
                one.file,
            );
        }
    }
    Ok(())
}

/// The same frames, but the first begins 2 ms earlier, so that all later ones have 2 ms more of simulated time.
fn ahead(chain: &SwapChain) -> SwapChain {
    let mut ahead = chain.clone();
    let mut own = ahead.presents.iter_mut().filter(|present| !present.is_generated);
    let (first, second) = (own.next(), own.next());
    if let (Some(first), Some(second)) = (first, second) {
        // A frame without a start begins when the one before it was presented.
        match &mut first.started {
            Some(started) => *started -= 2.0,
            None => second.started = Some(second.started.unwrap_or(first.presented) - 2.0),
        }
    }
    ahead
}

/// Over the recordings in which something moves.
fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = ratios
        .filter(|ratio| ratio.is_finite())
        .map(|ratio| ratio.max(1e-6).ln())
        .collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}

//! Compares the filters on recordings: how large the animation error is with each, as a ratio to that without a filter.
//!
//! ```sh
//! cargo run --release -p evenstep-evaluation --example filters -- FOLDER/*.csv
//! ```

use std::error::Error;

use evenstep::Rate;
use evenstep_trace::simulate::{Comparison, Filter, Strategy};
use evenstep_trace::{BadRows, Trace};

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        return Err("name the recordings to compare on: FOLDER/*.csv".into());
    }
    let mut compared = Vec::new();
    for file in &files {
        let trace = Trace::read(file.as_ref(), BadRows::Skip)?;
        compared.push(Comparison::new(trace.main_chain(), Rate::hz(60), None));
    }
    println!(
        "{} recordings, 60 steps a second, on the recorded displays",
        files.len()
    );
    println!(
        "{:12} {:10} {:>6} {:>6} {:>10} {:>10}   worst",
        "strategy", "filter", "mean", "worst", "over 1.01", "over 1.02"
    );
    for strategy in [Strategy::Interpolate, Strategy::Fixed] {
        for filter in [Filter::Default, Filter::Average, Filter::Snap, Filter::None] {
            let error = |compared: &Comparison, filter| {
                let outcome = compared.outcome(strategy, filter);
                outcome.map_or(0.0, |outcome| outcome.error_rms_ms)
            };
            let ratio = |one: &Comparison| error(one, filter) / error(one, Filter::None);
            // A recording that nothing moves in has no error.
            let mut ratios: Vec<_> = compared
                .iter()
                .zip(&files)
                .map(|(one, file)| (ratio(one), one, file))
                .collect();
            ratios.retain(|(ratio, ..)| ratio.is_finite());
            ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
            let Some((worst, one, file)) = ratios.last() else {
                continue;
            };
            let logs: f64 = ratios.iter().map(|(ratio, ..)| ratio.max(1e-6).ln()).sum();
            let over = |most: f64| ratios.iter().filter(|(ratio, ..)| *ratio > most).count();
            println!(
                "{strategy:12} {filter:10} {:6.3} {worst:6.3} {:10} {:10}   {file}, {:.3} ms in place of {:.3}",
                (logs / ratios.len() as f64).exp(),
                over(1.01),
                over(1.02),
                error(one, filter),
                error(one, Filter::None),
                strategy = strategy.to_string(),
                filter = filter.to_string(),
            );
        }
    }
    Ok(())
}

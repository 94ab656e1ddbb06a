//! `evenstep-lab filters --worlds` and `--world`: compares delta filters in random worlds.

use std::fmt::Write as _;

use evenstep_evaluation::{FilterStanding, Spread, World, WorldScore, WorldTable, score_world, score_worlds};
use serde::Serialize;

use evenstep_cli::failure::Failure;
use evenstep_cli::output;

/// The number of measured frames in a single world: the same as in each of many worlds.
const MEASURED: usize = 10_000;

/// The output of `--worlds N --json`, which the crate's README describes.
#[derive(Serialize)]
struct Many {
    seed: u64,
    worlds: u64,
    table: WorldTable,
    scores: Vec<WorldScore>,
}

/// The output of `--world SEED --json`.
#[derive(Serialize)]
struct One {
    seed: u64,
    description: String,
    scores: Vec<WorldScore>,
}

/// Compares the filters in `worlds` worlds, from the first seed on.
pub(super) fn many(first: u64, worlds: u64, json: bool) -> Result<String, Failure> {
    let scores = score_worlds(first..first.saturating_add(worlds), |_| true);
    let table = WorldTable::new(&scores);
    if !json {
        return Ok(text(&table));
    }
    output::json(&Many {
        seed: first,
        worlds,
        table,
        scores,
    })
}

/// Compares in one world.
pub(super) fn one(seed: u64, json: bool) -> Result<String, Failure> {
    let world = World::random(seed);
    let scores = score_world(&world, MEASURED, |_| true);
    let description = world.to_string();
    if json {
        return output::json(&One {
            seed,
            description,
            scores,
        });
    }
    let mut text = format!("world {seed}: {description}\n");
    let _ = writeln!(
        text,
        "{:28} {:>12} {:>12} {:>12}",
        "", "wrong frames", "mean error", "largest"
    );
    for score in &scores {
        let wrong = score.wrong_frames.map_or("-".to_owned(), |wrong| wrong.to_string());
        let _ = writeln!(
            text,
            "  {:26} {wrong:>12} {:9.4} ms {:9.3} ms",
            score.filter.to_string(),
            score.error_mean_ms,
            score.error_max_ms,
        );
    }
    Ok(text)
}

fn text(table: &WorldTable) -> String {
    let mut text = String::new();
    let mut last = "";
    for standing in &table.filters {
        if standing.group != last {
            head(&mut text, &format!("{}, {} worlds", standing.group, standing.worlds));
        }
        last = &standing.group;
        line(&mut text, &standing.filter.to_string(), standing);
    }
    head(
        &mut text,
        "default filter, by pace and, with a fixed refresh, by error of the clock",
    );
    for standing in &table.groups {
        line(
            &mut text,
            &format!("{} ({})", standing.group, standing.worlds),
            standing,
        );
    }
    let worse = &table.worse_than_none;
    let shown: Vec<String> = worse.iter().take(12).map(u64::to_string).collect();
    let _ = writeln!(
        text,
        "\nThe default filter has a mean error of over 1.01 times none's in {} worlds: {}",
        worse.len(),
        shown.join(" ")
    );
    text.push_str("Each figure: the median, the worst of twenty, the worst [its world, for --world].\n");
    text
}

fn head(text: &mut String, title: &str) {
    let gap = if text.is_empty() { "" } else { "\n" };
    let _ = writeln!(text, "{gap}{title}");
    let _ = writeln!(
        text,
        "  {:26} {:>30} {:>34} {:>34}",
        "", "wrong frames in 1000", "mean error, of none's", "largest, of none's"
    );
}

fn line(text: &mut String, name: &str, standing: &FilterStanding) {
    let spread = |spread: &Spread, digits: usize| {
        let Spread {
            median,
            worst_of_twenty,
            worst,
            worst_seed,
        } = spread;
        format!("{median:.digits$} {worst_of_twenty:.digits$} {worst:.digits$} [{worst_seed}]")
    };
    let wrong = standing
        .wrong_per_mille
        .as_ref()
        .map_or("-".to_owned(), |wrong| spread(wrong, 1));
    let (mean, largest) = (spread(&standing.of_none, 3), spread(&standing.largest_of_none, 2));
    let _ = writeln!(text, "  {name:26} {wrong:>30} {mean:>34} {largest:>34}");
}

//! `evenstep-lab filters --worlds` and `--world`: compares delta filters in random worlds.

use std::fmt::Write as _;

use evenstep_evaluation::{FilterStanding, Goals, Spread, World, WorldScore, WorldTable, score_world, score_worlds};
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
        "{:28} {:>12} {:>12} {:>12} {:>20}",
        "", "wrong frames", "mean error", "largest", "misses followed"
    );
    for score in &scores {
        let wrong = score.wrong_frames.map_or("-".to_owned(), |wrong| wrong.to_string());
        let followed = format!("{} of {}", score.followed, score.missed);
        let _ = writeln!(
            text,
            "  {:26} {wrong:>12} {:9.4} ms {:9.3} ms {followed:>20}",
            score.filter, score.error_mean_ms, score.error_max_ms,
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
        line(&mut text, standing.filter, standing);
    }
    head(
        &mut text,
        "display clock, by pace and, with a fixed refresh, by error of the clock",
    );
    for standing in &table.groups {
        line(
            &mut text,
            &format!("{} ({})", standing.group, standing.worlds),
            standing,
        );
    }
    goals(&mut text, &table.goals);
    text.push_str("\nEach figure: the median, the worst of twenty, the worst [its world, for --world].\n");
    text.push_str(
        "The oracle knows the display, the program and the law of errors, but not which refreshes are missed.\n",
    );
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

fn goals(text: &mut String, goals: &Goals) {
    let _ = writeln!(text, "\nWorlds in which the display clock misses a goal");
    let mut goal = |what: &str, of: usize, seeds: &[u64]| {
        let shown: Vec<String> = seeds.iter().take(12).map(u64::to_string).collect();
        let more = if seeds.len() > 12 { " ..." } else { "" };
        let _ = writeln!(
            text,
            "  {what:58} {:4} of {of:4}  {}{more}",
            seeds.len(),
            shown.join(" ")
        );
    };
    let Goals { fixed, unfixed, .. } = *goals;
    goal("over one wrong frame in 1000", fixed, &goals.many_wrong);
    goal(
        "  of these, an oracle has over one in 1000 too",
        fixed,
        &goals.impossible,
    );
    goal(
        "more wrong frames than without a filter",
        fixed,
        &goals.more_wrong_than_none,
    );
    goal(
        "a mean error over a quarter of that without a filter",
        fixed,
        &goals.above_a_quarter,
    );
    goal("a mean error over that without a filter", fixed, &goals.above_none);
    goal("the same, no fixed refresh", unfixed, &goals.unfixed_above_none);
    goal(
        "an error over twice the largest without, no fixed refresh",
        unfixed,
        &goals.unfixed_above_twice,
    );
    let _ = writeln!(
        text,
        "Missed refreshes followed in the same frame, where timestamps are exact to an eighth: {} of {}",
        goals.followed, goals.missed
    );
}

//! Compares delta filters over many random worlds.

use std::ops::Range;

use evenstep_trace::simulate::Filter;

use crate::world::World;

mod score;
mod summary;

pub use score::{WorldScore, score_world};
pub use summary::{FilterStanding, Spread, WorldTable};

/// Frames over which errors are measured.
const MEASURED: usize = 10_000;

/// Scores each filter that `takes_part` accepts, in the world of each seed, over 10 000 frames after three seconds. The
/// filters of a world are next to each other.
///
/// ```
/// let scores = evenstep_evaluation::score_worlds(1..4, |filter| filter == evenstep_trace::simulate::Filter::None);
/// assert_eq!(scores.len(), 3);
/// ```
#[must_use]
pub fn score_worlds(seeds: Range<u64>, takes_part: impl Fn(Filter) -> bool) -> Vec<WorldScore> {
    let worlds = seeds.map(World::random);
    worlds
        .flat_map(|world| score_world(&world, MEASURED, &takes_part))
        .collect()
}

//! The score of a filter in a world.

use evenstep_trace::simulate::Filter;
use serde::Serialize;

use crate::world::{LatenessFamily, PaceKind, World, WorldFrame};

/// The filters: the default one first, none last.
const FILTERS: [Filter; 4] = [Filter::Default, Filter::Average, Filter::Snap, Filter::None];

/// Milliseconds that a filter gets to settle before anything is measured.
const SETTLING_MS: f64 = 3e3;

/// The score of a filter in a world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorldScore {
    /// The world.
    pub seed: u64,
    /// The filter.
    pub filter: Filter,
    /// The mechanism that sets the pace of frames.
    pub pace: PaceKind,
    /// The family of the clock's errors.
    pub lateness: LatenessFamily,
    /// Frames in which a simulation at the display's own rate ran more or fewer steps than refreshes had passed; `None` without
    /// a fixed refresh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong_frames: Option<usize>,
    /// Frames that were measured.
    pub frames: usize,
    /// The mean size of the animation error of interpolated motion, in milliseconds.
    pub error_mean_ms: f64,
    /// The largest animation error, in milliseconds.
    pub error_max_ms: f64,
}

impl WorldScore {
    /// Whether the display has a fixed refresh.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.wrong_frames.is_some()
    }

    /// Wrong frames, of a thousand.
    #[must_use]
    pub fn wrong_per_mille(&self) -> Option<f64> {
        self.wrong_frames.map(|wrong| 1e3 * wrong as f64 / self.frames as f64)
    }
}

/// Scores each filter that `takes_part` accepts, in one world, over `frames` frames after three seconds.
#[must_use]
pub fn score_world(world: &World, frames: usize, takes_part: impl Fn(Filter) -> bool) -> Vec<WorldScore> {
    let settling = (SETTLING_MS / world.baseline_ms()).ceil() as usize;
    let all = world.frames(settling + frames);
    let filters = FILTERS.into_iter().filter(|filter| takes_part(*filter));
    filters.map(|filter| score(world, filter, &all, settling)).collect()
}

fn score(world: &World, filter: Filter, frames: &[WorldFrame], settling: usize) -> WorldScore {
    let mut filtered = filter.build();
    // The lead of the filter's time over the display's, and the step that it is in.
    let (mut ahead, mut last_step) = (0.0, 0.0);
    let (mut sum, mut largest, mut wrong) = (0.0, 0.0_f64, 0);
    for (index, frame) in frames.iter().enumerate() {
        let error = filtered.apply(frame.delta).as_secs_f64() * 1e3 - frame.shown_ms;
        ahead += error;
        let step = frame.refresh_ms.map_or(0.0, |refresh| (ahead / refresh).floor());
        if index >= settling {
            (sum, largest) = (sum + error.abs(), largest.max(error.abs()));
            // The steps of another display differ.
            wrong += usize::from(step != last_step && !frame.is_switch);
        }
        last_step = step;
    }
    let measured = frames.len() - settling;
    WorldScore {
        seed: world.seed(),
        filter,
        pace: world.pace(),
        lateness: world.lateness(),
        wrong_frames: world.is_fixed().then_some(wrong),
        frames: measured,
        error_mean_ms: sum / measured.max(1) as f64,
        error_max_ms: largest,
    }
}

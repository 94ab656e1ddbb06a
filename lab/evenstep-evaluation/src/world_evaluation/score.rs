//! The score of a filter in a world.

use evenstep::filter::DeltaFilter;
use evenstep_trace::simulate::Filter;
use serde::Serialize;

use crate::world::{LatenessFamily, PaceKind, World, WorldFrame};

/// Creates a filter that does not know the display's rate.
type Make = fn() -> Box<dyn DeltaFilter>;

/// The best estimate where the display has a fixed refresh: see [`World::named_refreshes`]. It is not a filter.
pub(super) const BEST: &str = "oracle";

/// The filters: this project's first, none last.
const FILTERS: [(&str, Make); 4] = [
    ("default", || Filter::Default.build()),
    ("snap", || Filter::Snap.build()),
    ("average", || Filter::Average.build()),
    ("none", || Filter::None.build()),
];

/// Milliseconds that a filter gets to settle before anything is measured.
const SETTLING_MS: f64 = 3e3;

/// The score of a filter in a world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorldScore {
    /// The world.
    pub seed: u64,
    /// The filter.
    pub filter: &'static str,
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
    /// Frames before which the program missed refreshes. Of these, `followed` were followed at once, to within half a refresh.
    pub missed: usize,
    /// See [`missed`](Self::missed).
    pub followed: usize,
    /// Whether all timestamps were exact to an eighth of a refresh.
    pub is_sharp: bool,
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

/// Scores each filter whose name `takes_part` accepts, in one world, over `frames` frames after three seconds. Where the display has a
/// fixed refresh, the last one may be an "oracle": [`World::named_refreshes`].
#[must_use]
pub fn score_world(world: &World, frames: usize, takes_part: impl Fn(&str) -> bool) -> Vec<WorldScore> {
    let settling = (SETTLING_MS / world.baseline_ms()).ceil() as usize;
    let all = world.frames(settling + frames);
    let is_sharp = is_sharp(&all);
    let filters = FILTERS.into_iter().filter(|(name, _)| takes_part(name));
    let mut scores: Vec<WorldScore> = filters
        .map(|(filter, make)| {
            let mut filtered = make();
            let give = |_: usize, frame: &WorldFrame| filtered.apply(frame.delta).as_secs_f64() * 1e3;
            score(world, filter, give, &all, settling)
        })
        .collect();
    if world.is_fixed() && takes_part(BEST) {
        scores.push(best(world, &all, settling));
    }
    scores.iter_mut().for_each(|score| score.is_sharp = is_sharp);
    scores
}

fn best(world: &World, frames: &[WorldFrame], settling: usize) -> WorldScore {
    let (named, mut last) = (world.named_refreshes(frames), 0);
    let give = |index: usize, frame: &WorldFrame| {
        let refresh = frame.refresh_ms.unwrap_or_default();
        let off = f64::from(named[index] - std::mem::replace(&mut last, named[index]));
        // Start in the middle of a step, so that rounding never causes a wrong frame.
        let middle = if index == 0 { 0.5 * refresh } else { 0.0 };
        frame.shown_ms + middle - off * refresh
    };
    score(world, BEST, give, frames, settling)
}

/// Whether no timestamp error is farther than an eighth of a refresh from the middle of their range.
fn is_sharp(frames: &[WorldFrame]) -> bool {
    let late = || frames.iter().map(|frame| frame.late_ms);
    let range = late().fold(f64::MIN, f64::max) - late().fold(f64::MAX, f64::min);
    frames
        .iter()
        .all(|frame| frame.refresh_ms.is_some_and(|refresh| range <= refresh / 4.0))
}

/// Scores the filtered deltas that `give` returns for each frame, in milliseconds.
fn score(
    world: &World,
    filter: &'static str,
    mut give: impl FnMut(usize, &WorldFrame) -> f64,
    frames: &[WorldFrame],
    settling: usize,
) -> WorldScore {
    // The lead of the filter's time over the display's, and the step that it is in.
    let (mut ahead, mut last_step) = (0.0, 0.0);
    let (mut sum, mut largest, mut wrong, mut missed, mut followed) = (0.0, 0.0_f64, 0, 0, 0);
    for (index, frame) in frames.iter().enumerate() {
        let error = give(index, frame) - frame.shown_ms;
        ahead += error;
        let step = frame.refresh_ms.map_or(0.0, |refresh| (ahead / refresh).floor());
        if index >= settling {
            (sum, largest) = (sum + error.abs(), largest.max(error.abs()));
            // The steps of another display differ.
            wrong += usize::from(step != last_step && !frame.is_switch);
            let refresh = frame.refresh_ms.unwrap_or_default();
            missed += usize::from(frame.missed > 0);
            followed += usize::from(frame.missed > 0 && error.abs() < refresh / 2.0);
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
        missed,
        followed,
        is_sharp: false,
    }
}

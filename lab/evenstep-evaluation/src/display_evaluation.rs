//! Compares delta filters on displays with a known true rate.

use std::time::Duration;

use evenstep::filter::{DeltaFilter, DisplayClock, MovingAverage, Snap};
use evenstep::{FixedTimestep, Rate};
use serde::Serialize;

use crate::noise::Noise;

mod other_filters;

/// Exact refresh rates of the displays, as numerator and denominator in hertz.
const DISPLAYS: [(u32, u32); 7] = [
    (60_000, 1_001),
    (60, 1),
    (75, 1),
    (120_000, 1_001),
    (144, 1),
    (165, 1),
    (240, 1),
];

const NOISES: [Noise; 3] = [Noise::Uniform(0.083), Noise::Normal(0.5), Noise::Late(0.2)];

/// Creates a filter. Some filters need the display's rate; the others ignore it.
type Make = fn(Rate) -> Box<dyn DeltaFilter>;

/// The filters: this project's first.
const FILTERS: [(&str, Make); 8] = [
    ("display clock", |_| Box::new(DisplayClock::new())),
    ("snap", |rate| Box::new(Snap::to(rate))),
    ("average of four", |_| Box::new(MovingAverage::<4>::new())),
    ("none", |_| Box::new(())),
    ("snap, mean of four (Glaiel)", |rate| {
        other_filters::snap_and_mean(rate.as_hz_f64())
    }),
    ("whole refreshes (Godot)", |rate| {
        other_filters::whole_refreshes(rate.as_hz_f64())
    }),
    ("forgetting mean, 0.1", |rate| {
        other_filters::forgetting_mean(rate.as_hz_f64())
    }),
    ("phase lock, told the rate", |rate| {
        other_filters::phase_lock(rate.as_hz_f64())
    }),
];

/// Frames over which wrong step counts are counted.
const TICKED: usize = 10_000;

/// Frames over which errors are measured.
const MEASURED: usize = 20_000;

/// Seconds that a filter gets to settle before anything is measured: 128 frames at 60 Hz, after which the display clock locks, and some.
const SETTLING: f64 = 3.0;

/// The score of a filter on a display.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilterScore {
    /// The filter.
    pub filter: &'static str,
    /// The refresh rate of the display, in hertz.
    pub display_hz: f64,
    /// The noise of the timestamps.
    pub noise: String,
    /// Frames out of 10 000 in which a simulation at the display's own rate did not run exactly one step.
    pub wrong_frames: usize,
    /// The mean size of the animation error of interpolated motion, in milliseconds.
    pub error_mean_ms: f64,
    /// The largest animation error, in milliseconds.
    pub error_max_ms: f64,
    /// The time by which the simulation ran ahead of the display in 20 000 frames, in milliseconds.
    pub drift_ms: f64,
}

/// Scores each filter whose name `takes_part` accepts, on every display under every noise. Filters get three seconds to settle.
/// The same seed gives the same scores.
///
/// ```
/// let scores = evenstep_evaluation::score_filters(1, |filter| filter == "display clock");
/// let is_right = |score: &evenstep_evaluation::FilterScore| score.wrong_frames == 0;
/// assert!(scores.iter().filter(|score| score.display_hz < 150.0).all(is_right));
/// ```
#[must_use]
pub fn score_filters(seed: u64, takes_part: impl Fn(&str) -> bool) -> Vec<FilterScore> {
    let filters = FILTERS.into_iter().filter(|(name, _)| takes_part(name));
    let mut scores = Vec::new();
    for (numer, denom) in DISPLAYS {
        let Ok(display) = Rate::new(numer, denom) else { continue };
        for noise in NOISES {
            let deltas = noise.deltas(display.as_hz_f64(), seed, MEASURED);
            let score = |(filter, make): (_, Make)| score(filter, make, display, noise, &deltas);
            scores.extend(filters.clone().map(score));
        }
    }
    scores
}

fn score(filter: &'static str, make: Make, display: Rate, noise: Noise, deltas: &[Duration]) -> FilterScore {
    let hertz = display.as_hz_f64();
    let settling = (SETTLING * hertz) as usize;
    let (mut filtered, mut timestep) = (make(display), FixedTimestep::new(display));
    let (mut sum, mut largest, mut given, mut wrong_frames) = (0.0, 0.0_f64, 0.0, 0);
    for (frame, delta) in deltas.iter().enumerate() {
        let delta = filtered.apply(*delta);
        let steps = timestep.advance(delta).steps().len();
        let moved = delta.as_secs_f64() * 1e3;
        given += moved;
        if frame >= settling {
            let error = (moved - 1e3 / hertz).abs();
            (sum, largest) = (sum + error, largest.max(error));
            wrong_frames += usize::from(steps != 1 && frame < settling + TICKED);
        }
    }
    FilterScore {
        filter,
        display_hz: hertz,
        noise: noise.to_string(),
        wrong_frames,
        error_mean_ms: sum / (MEASURED - settling) as f64,
        error_max_ms: largest,
        drift_ms: given - MEASURED as f64 * 1e3 / hertz,
    }
}

//! Compares delta filters on displays with a known true rate.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate};
use evenstep_trace::simulate::Filter;

use crate::noise::Noise;

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

/// Frames over which wrong step counts are counted.
const TICKED: usize = 10_000;

/// Frames over which errors are measured.
const MEASURED: usize = 20_000;

/// Seconds that a filter gets to settle before anything is measured.
const SETTLING: f64 = 3.0;

/// The score of a filter on a display.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterScore {
    /// The filter.
    pub filter: Filter,
    /// The refresh rate of the display, in hertz.
    pub display_hz: f64,
    /// The noise of the timestamps.
    pub noise: String,
    /// Frames out of 10 000 in which a simulation at the display's own rate did not run exactly one step.
    pub wrong_frames: usize,
    /// The mean size of the animation error of interpolated motion, in milliseconds.
    pub error_mean_ms: f64,
    /// The time by which the simulation ran ahead of the display in 20 000 frames, in milliseconds.
    pub drift_ms: f64,
}

/// Scores a filter on every display under every noise. It gets three seconds to settle. The same seed gives the same scores.
///
/// ```
/// use evenstep_trace::simulate::Filter;
///
/// let scores = evenstep_evaluation::score_filter(Filter::Default, 1);
/// assert!(scores.iter().all(|score| score.error_mean_ms < 0.05));
/// ```
#[must_use]
pub fn score_filter(filter: Filter, seed: u64) -> Vec<FilterScore> {
    let mut scores = Vec::new();
    for (numer, denom) in DISPLAYS {
        let Ok(display) = Rate::new(numer, denom) else { continue };
        for noise in NOISES {
            let deltas = noise.deltas(display.as_hz_f64(), seed, MEASURED);
            scores.push(score(filter, display, noise, &deltas));
        }
    }
    scores
}

fn score(filter: Filter, display: Rate, noise: Noise, deltas: &[Duration]) -> FilterScore {
    let hertz = display.as_hz_f64();
    let settling = (SETTLING * hertz) as usize;
    let (mut filtered, mut timestep) = (filter.build(), FixedTimestep::new(display));
    let (mut sum, mut given, mut wrong_frames) = (0.0, 0.0, 0);
    for (frame, delta) in deltas.iter().enumerate() {
        let delta = filtered.apply(*delta);
        let steps = timestep.advance(delta).steps().len();
        let moved = delta.as_secs_f64() * 1e3;
        given += moved;
        if frame >= settling {
            sum += (moved - 1e3 / hertz).abs();
            wrong_frames += usize::from(steps != 1 && frame < settling + TICKED);
        }
    }
    FilterScore {
        filter,
        display_hz: hertz,
        noise: noise.to_string(),
        wrong_frames,
        error_mean_ms: sum / (MEASURED - settling) as f64,
        drift_ms: given - MEASURED as f64 * 1e3 / hertz,
    }
}

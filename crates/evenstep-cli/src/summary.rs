//! What a run comes down to.

use std::collections::BTreeMap;
use std::time::Duration;

use evenstep_scenes::Outcome;
use serde::Serialize;

use crate::frames::Frames;
use crate::options::Options;
use crate::run::{Run, Shown};
use crate::smoothness::AnimationError;

/// A run in numbers, as `--json` prints it.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) scene: &'static str,
    pub(crate) settings: String,
    /// In hertz, exact.
    pub(crate) rate: String,
    pub(crate) source: String,
    pub(crate) frames: usize,
    pub(crate) ticks: u64,
    pub(crate) real_s: f64,
    pub(crate) simulated_s: f64,
    pub(crate) frame_time_ms: Option<FrameTimes>,
    /// How many frames ran so many steps.
    pub(crate) steps_per_frame: BTreeMap<usize, usize>,
    pub(crate) alpha: Option<Range>,
    pub(crate) lost: LostTime,
    pub(crate) animation_error_ms: Smoothness,
    /// Against the closed form, in percent of its amplitude.
    pub(crate) error_pct: Option<f64>,
    pub(crate) integrators: Vec<IntegratorSummary>,
    pub(crate) outcome: String,
    pub(crate) skipped_rows: usize,
    pub(crate) hash: Option<Hash>,
}

#[derive(Debug, Serialize)]
pub(crate) struct FrameTimes {
    pub(crate) median: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Range {
    pub(crate) min: f64,
    pub(crate) mean: f64,
    pub(crate) max: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct LostTime {
    pub(crate) clamped_s: f64,
    pub(crate) dropped_steps: u64,
    /// Kept back when the run ended.
    pub(crate) behind_s: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Smoothness {
    pub(crate) drawn: AnimationError,
    pub(crate) raw: AnimationError,
}

/// How one integrator did on the same frames.
#[derive(Debug, Serialize)]
pub(crate) struct IntegratorSummary {
    pub(crate) name: &'static str,
    /// None if it exploded.
    pub(crate) error_pct: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Hash {
    pub(crate) tick: u64,
    pub(crate) hash: String,
}

impl Summary {
    pub(crate) fn new(options: &Options, frames: &Frames, run: &Run, integrators: Vec<IntegratorSummary>) -> Self {
        let last = run.frames.last().map(|shown| &shown.frame);
        let sum = |part: fn(&Shown) -> f64| run.frames.iter().map(part).sum();
        Self {
            scene: options.scene.name,
            settings: options.settings.to_string(),
            rate: options.rate.to_string(),
            source: frames.name.clone(),
            frames: run.frames.len(),
            ticks: last.map_or(0, |frame| frame.tick()),
            real_s: sum(|shown| shown.delta.as_secs_f64()),
            simulated_s: last.map_or(0.0, |frame| frame.current_time().as_secs_f64()),
            frame_time_ms: frame_times(&run.frames),
            steps_per_frame: steps_per_frame(&run.frames),
            alpha: alpha_range(&run.frames),
            lost: LostTime {
                clamped_s: sum(|shown| shown.frame.lost().clamped.as_secs_f64()),
                dropped_steps: run.frames.iter().map(|shown| shown.frame.lost().dropped).sum(),
                behind_s: last
                    .filter(|frame| frame.is_behind())
                    .map_or(0.0, |frame| frame.overstep().as_secs_f64()),
            },
            animation_error_ms: Smoothness {
                drawn: run.drawn_error,
                raw: run.raw_error,
            },
            error_pct: error_pct(run),
            integrators,
            outcome: outcome(run.outcome).to_owned(),
            skipped_rows: frames.skipped_rows,
            hash: run.hash.map(|(tick, hash)| Hash {
                tick,
                hash: format!("{hash:016x}"),
            }),
        }
    }
}

impl IntegratorSummary {
    pub(crate) fn new(name: &'static str, run: &Run) -> Self {
        Self {
            name,
            error_pct: error_pct(run),
        }
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Running => "running",
        Outcome::Ended(how) => how,
        Outcome::Exploded => "exploded: the state exceeded 10⁶",
    }
}

fn error_pct(run: &Run) -> Option<f64> {
    let (error, amplitude) = run.exact.filter(|_| run.outcome != Outcome::Exploded)?;
    (amplitude > 0.0).then(|| 100.0 * error / amplitude)
}

fn frame_times(frames: &[Shown]) -> Option<FrameTimes> {
    let mut sorted: Vec<Duration> = frames.iter().map(|shown| shown.delta).collect();
    sorted.sort_unstable();
    let at = |share: f64| {
        let index = (share * sorted.len() as f64).ceil() as usize;
        Some(sorted.get(index.saturating_sub(1))?.as_secs_f64() * 1e3)
    };
    Some(FrameTimes {
        median: at(0.5)?,
        p99: at(0.99)?,
        max: at(1.0)?,
    })
}

fn steps_per_frame(frames: &[Shown]) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for shown in frames {
        *counts.entry(shown.frame.steps().len()).or_default() += 1;
    }
    counts
}

fn alpha_range(frames: &[Shown]) -> Option<Range> {
    let alphas = || frames.iter().map(|shown| shown.frame.alpha());
    (!frames.is_empty()).then(|| Range {
        min: alphas().fold(f64::INFINITY, f64::min),
        mean: alphas().sum::<f64>() / frames.len() as f64,
        max: alphas().fold(0.0, f64::max),
    })
}

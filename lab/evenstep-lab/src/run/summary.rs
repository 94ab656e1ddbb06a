//! The summary of a run.

use std::collections::BTreeMap;
use std::time::Duration;

use evenstep_scenes::Outcome;
use serde::Serialize;

use crate::run::displays::{DisplayResult, Ending};
use crate::run::frames::Frames;
use crate::run::options::{FilterChoice, Options, OverrunChoice, SmoothingChoice, Stepping};
use crate::run::simulation::{AnimationError, Presented, Run};
use crate::run::stepped_scene::IntegratorError;

/// The version of the output of `--json`. Fields may be added; existing fields keep their meaning.
const FORMAT: u32 = 1;

/// A run in numbers, as `--json` prints it. The crate's README describes it.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) format: u32,
    pub(crate) scene: &'static str,
    pub(crate) settings: BTreeMap<&'static str, String>,
    /// In hertz, exact.
    pub(crate) rate: String,
    pub(crate) stepping: Stepping,
    pub(crate) smoothing: SmoothingChoice,
    pub(crate) filter: FilterChoice,
    pub(crate) overrun: OverrunChoice,
    pub(crate) max_steps: u32,
    pub(crate) time_scale: String,
    pub(crate) source: String,
    pub(crate) frames: usize,
    pub(crate) ticks: u64,
    pub(crate) real_s: f64,
    pub(crate) simulated_s: f64,
    pub(crate) frame_time_ms: Option<FrameTimes>,
    /// The number of frames that ran each number of steps.
    pub(crate) steps_per_frame: BTreeMap<usize, usize>,
    /// Fixed steps only.
    pub(crate) alpha: Option<Range>,
    pub(crate) lost: LostTime,
    pub(crate) animation_error_ms: Smoothness,
    pub(crate) integrators: Vec<IntegratorError>,
    pub(crate) step_error: Option<StepErrorSummary>,
    pub(crate) outcome: &'static str,
    /// The simulated time at which the outcome was known.
    pub(crate) outcome_at_s: Option<f64>,
    pub(crate) displays: Vec<DisplaySummary>,
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
    /// The time that was left in the accumulator at the end.
    pub(crate) behind_s: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Smoothness {
    pub(crate) drawn: AnimationError,
    pub(crate) raw: AnimationError,
}

/// An error measure of the run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StepErrorSummary {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    /// The same value on the same frames with one step in each.
    pub(crate) one_step_a_frame: Option<f64>,
}

/// The outcome of the scene on another display.
#[derive(Debug, Serialize)]
pub(crate) struct DisplaySummary {
    pub(crate) frames: String,
    pub(crate) fixed: EndingSummary,
    pub(crate) variable: EndingSummary,
}

#[derive(Debug, Serialize)]
pub(crate) struct EndingSummary {
    pub(crate) outcome: &'static str,
    /// The hash of the state at the end; fixed steps only.
    pub(crate) hash: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Hash {
    pub(crate) tick: u64,
    pub(crate) hash: String,
}

impl Summary {
    pub(crate) fn new(options: &Options, frames: &Frames, run: &Run, displays: &[DisplayResult]) -> Self {
        let last = run.frames.last().map(|shown| &shown.frame);
        let sum = |part: fn(&Presented) -> Duration| run.frames.iter().map(part).sum::<Duration>().as_secs_f64();
        Self {
            format: FORMAT,
            scene: options.scene.name,
            settings: options.settings.pairs().collect(),
            rate: options.rate.to_string(),
            stepping: options.stepping,
            smoothing: options.smoothing,
            filter: options.filter,
            overrun: options.overrun,
            max_steps: options.build_fixed_timestep().max_steps(),
            time_scale: options.time_scale.to_string(),
            source: frames.name.clone(),
            frames: run.frames.len(),
            ticks: last.map_or(0, |frame| frame.tick()),
            real_s: sum(|shown| shown.delta),
            simulated_s: last.map_or(0.0, |frame| frame.current_time().as_secs_f64()),
            frame_time_ms: frame_times(&run.frames),
            steps_per_frame: steps_per_frame(&run.frames),
            alpha: alpha_range(&run.frames).filter(|_| options.stepping == Stepping::Fixed),
            lost: LostTime {
                clamped_s: sum(|shown| shown.frame.lost().clamped),
                dropped_steps: run.frames.iter().map(|shown| shown.frame.lost().dropped).sum(),
                behind_s: last.map_or(0.0, |frame| frame.kept_back().as_secs_f64()),
            },
            animation_error_ms: Smoothness {
                drawn: run.drawn_error,
                raw: run.raw_error,
            },
            integrators: run.integrators.clone(),
            step_error: run.step_error.map(|step_error| StepErrorSummary {
                name: step_error.name,
                value: step_error.value,
                unit: step_error.unit,
                one_step_a_frame: None,
            }),
            outcome: outcome(run.outcome),
            outcome_at_s: run.ended_at,
            displays: displays.iter().map(DisplaySummary::new).collect(),
            skipped_rows: frames.skipped_rows,
            hash: run.hash.map(|(tick, hash)| Hash {
                tick,
                hash: digits(hash),
            }),
        }
    }
}

impl DisplaySummary {
    fn new(display: &DisplayResult) -> Self {
        let ending = |ending: &Ending| EndingSummary {
            outcome: outcome(ending.outcome),
            hash: ending.hash.map(digits),
        };
        Self {
            frames: display.rate.to_string(),
            fixed: ending(&display.fixed),
            variable: ending(&display.variable),
        }
    }
}

fn digits(hash: u64) -> String {
    format!("{hash:016x}")
}

pub(crate) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Running => "running",
        Outcome::Ended(how) => how,
        Outcome::Exploded => "exploded",
    }
}

fn frame_times(frames: &[Presented]) -> Option<FrameTimes> {
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

fn steps_per_frame(frames: &[Presented]) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for shown in frames {
        *counts.entry(shown.frame.steps().count()).or_default() += 1;
    }
    counts
}

fn alpha_range(frames: &[Presented]) -> Option<Range> {
    let alphas = || frames.iter().map(|shown| shown.frame.alpha());
    (!frames.is_empty()).then(|| Range {
        min: alphas().fold(f64::INFINITY, f64::min),
        mean: alphas().sum::<f64>() / frames.len() as f64,
        max: alphas().fold(0.0, f64::max),
    })
}

//! The same scene in every loop, as a table.

use std::fmt::Write as _;
use std::time::Duration;

use evenstep_scenes::loops::Loop;
use serde::Serialize;

use crate::run::frames::Frames;
use crate::run::options::{Options, SmoothingChoice, Stepping};
use crate::run::simulation::simulate;
use evenstep_cli::failure::Failure;
use evenstep_cli::output;

/// The figures of a loop, as `--json` prints them.
#[derive(Debug, Serialize)]
struct LoopSummary {
    name: &'static str,
    stepping: Stepping,
    smoothing: SmoothingChoice,
    /// Simulated time by the time that should have been simulated.
    speed: f64,
    /// The largest energy by the energy at the start.
    energy: f64,
    exploded_at_s: Option<f64>,
    jerk_mm: f64,
    latency_ms: f64,
    lost_s: f64,
    faults: Vec<String>,
}

/// All loops on the same frames, as `--json` prints them.
#[derive(Debug, Serialize)]
struct LoopsSummary {
    format: u32,
    scene: &'static str,
    source: String,
    real_s: f64,
    rate: String,
    time_scale: String,
    loops: Vec<LoopSummary>,
}

/// Runs the scene in every loop on the same frames, and returns the table, or JSON.
pub(crate) fn compare(options: &Options, frames: &Frames, seconds: Duration, json: bool) -> Result<String, Failure> {
    let loops = Loop::ALL.map(|kind| summary(options, frames, seconds, kind));
    let summary = LoopsSummary {
        format: 1,
        scene: options.scene.name,
        source: frames.name.clone(),
        real_s: seconds.as_secs_f64(),
        rate: options.rate.to_string(),
        time_scale: options.time_scale.to_string(),
        loops: loops.into_iter().collect::<Result<_, _>>()?,
    };
    if json {
        return output::json(&summary);
    }
    Ok(text(&summary))
}

fn summary(options: &Options, frames: &Frames, seconds: Duration, kind: Loop) -> Result<LoopSummary, Failure> {
    let (stepping, smoothing) = match kind {
        Loop::FixedDelta => (Stepping::Locked, SmoothingChoice::None),
        Loop::VariableDelta => (Stepping::Variable, SmoothingChoice::None),
        Loop::SemiFixed => (Stepping::SemiFixed, SmoothingChoice::None),
        Loop::Accumulator => (Stepping::Fixed, SmoothingChoice::None),
        Loop::Interpolated => (Stepping::Fixed, SmoothingChoice::Interpolate),
    };
    let options = Options {
        stepping,
        smoothing,
        ..options.clone()
    };
    let figures = simulate(&options, &mut frames.clone(), seconds)?.figures;
    Ok(LoopSummary {
        name: kind.title(),
        stepping,
        smoothing,
        speed: figures.speed,
        energy: figures.energy,
        exploded_at_s: figures.exploded_at,
        jerk_mm: figures.jerk_mm,
        latency_ms: figures.latency_ms,
        lost_s: figures.lost_s,
        faults: figures.faults(kind),
    })
}

fn text(summary: &LoopsSummary) -> String {
    let LoopsSummary {
        scene,
        source,
        real_s,
        rate,
        time_scale,
        loops,
        ..
    } = summary;
    let mut text =
        format!("{scene}, {rate} steps, frames from {source} for {real_s:.2} s, time scale {time_scale}\n\n");
    let mut row = |cells: [&str; 8]| {
        let [name, speed, energy, explodes, jerk, latency, lost, faults] = cells;
        let _ = writeln!(
            text,
            "{name:26} {speed:>7} {energy:>8} {explodes:>9} {jerk:>8} {latency:>8} {lost:>7}  {faults}"
        );
    };
    row([
        "loop",
        "speed",
        "energy",
        "explodes",
        "jerks",
        "latency",
        "lost",
        "what is wrong",
    ]);
    for figures in loops {
        let energy = if figures.energy < 1e3 {
            format!("{:.2}×", figures.energy)
        } else {
            "> 1000×".to_owned()
        };
        let explodes = figures
            .exploded_at_s
            .map_or("no".to_owned(), |seconds| format!("{seconds:.1} s"));
        let faults = figures.faults.join("; ");
        row([
            figures.name,
            &format!("{:.2}×", figures.speed),
            &energy,
            &explodes,
            &format!("{:.1} mm", figures.jerk_mm),
            &format!("{:.1} ms", figures.latency_ms),
            &format!("{:.2} s", figures.lost_s),
            if faults.is_empty() { "nothing" } else { &faults },
        ]);
    }
    text
}

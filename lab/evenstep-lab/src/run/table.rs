//! The figures of a scene's loops, as a table.

use std::time::Duration;

use evenstep_scenes::Outcome;

use crate::run::frames::Frames;
use crate::run::options::Options;
use crate::run::simulation::Run;

/// The lines above the rows: what is run, and the names of the columns.
pub(crate) fn header(options: &Options, frames: &Frames, seconds: Duration) -> String {
    let columns = [
        "loop",
        "speed",
        "energy",
        "jerks",
        "latency",
        "lost",
        "outcome",
        "what is wrong",
    ];
    format!(
        "{} ({}), {} steps, frames from {} for {:.2} s, time scale {}\n\n{}",
        options.scene.name,
        options.settings,
        options.rate,
        frames.name,
        seconds.as_secs_f64(),
        options.time_scale,
        line(columns)
    )
}

/// The row of a loop.
pub(crate) fn row(options: &Options, run: &Run) -> String {
    let figures = &run.figures;
    let energy = if figures.energy < 1e3 {
        format!("{:.2}×", figures.energy)
    } else {
        "> 1000×".to_owned()
    };
    let mut faults = figures.faults(options.kind()).join("; ");
    if faults.is_empty() {
        "nothing".clone_into(&mut faults);
    }
    line([
        options.title(),
        &format!("{:.2}×", figures.speed),
        &energy,
        &format!("{:.1} mm", figures.jerk_mm),
        &format!("{:.1} ms", figures.latency_ms),
        &format!("{:.2} s", figures.lost_s),
        &outcome(run),
        &faults,
    ])
}

fn line([name, speed, energy, jerk, latency, lost, outcome, faults]: [&str; 8]) -> String {
    format!("{name:26} {speed:>7} {energy:>8} {jerk:>8} {latency:>8} {lost:>7}  {outcome:21}  {faults}\n")
}

fn outcome(run: &Run) -> String {
    let what = match run.outcome {
        Outcome::Running => "running",
        Outcome::Ended(how) => how,
        Outcome::Exploded => "exploded",
    };
    match run.ended_at {
        Some(seconds) => format!("{what} after {seconds:.2} s"),
        None => what.to_owned(),
    }
}

//! The same scene in every loop, as a table.

use std::fmt::Write as _;
use std::time::Duration;

use evenstep_scenes::loops::Loop;

use crate::run::frames::Frames;
use crate::run::options::{Options, SmoothingChoice, Stepping};
use crate::run::simulation::simulate;
use evenstep_cli::failure::Failure;

/// Runs the scene in every loop on the same frames, and returns the table.
pub(crate) fn compare(options: &Options, frames: &Frames, seconds: Duration) -> Result<String, Failure> {
    let mut text = format!(
        "{}, {} steps, frames from {} for {:.2} s, time scale {}\n\n",
        options.scene.name,
        options.rate,
        frames.name,
        seconds.as_secs_f64(),
        options.time_scale
    );
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
    for kind in Loop::ALL {
        let figures = simulate(&in_loop(options, kind), &mut frames.clone(), seconds)?.figures;
        let energy = if figures.energy < 1e3 {
            format!("{:.2}×", figures.energy)
        } else {
            "> 1000×".to_owned()
        };
        let explodes = figures
            .exploded_at
            .map_or("no".to_owned(), |seconds| format!("{seconds:.1} s"));
        let faults = figures.faults(kind);
        row([
            kind.title(),
            &format!("{:.2}×", figures.speed),
            &energy,
            &explodes,
            &format!("{:.1} mm", figures.jerk_mm),
            &format!("{:.1} ms", figures.latency_ms),
            &format!("{:.2} s", figures.lost_s),
            &if faults.is_empty() {
                "nothing".to_owned()
            } else {
                faults.join("; ")
            },
        ]);
    }
    Ok(text)
}

/// The options of the same run in another loop.
fn in_loop(options: &Options, kind: Loop) -> Options {
    let (stepping, smoothing) = match kind {
        Loop::FixedDelta => (Stepping::Locked, SmoothingChoice::None),
        Loop::VariableDelta => (Stepping::Variable, SmoothingChoice::None),
        Loop::SemiFixed => (Stepping::SemiFixed, SmoothingChoice::None),
        Loop::Accumulator => (Stepping::Fixed, SmoothingChoice::None),
        Loop::Interpolated => (Stepping::Fixed, SmoothingChoice::Interpolate),
    };
    Options {
        stepping,
        smoothing,
        ..options.clone()
    }
}

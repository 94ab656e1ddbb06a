//! The summary of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use evenstep_scenes::Outcome;

use crate::run::frames::Frames;
use crate::run::options::{Options, SmoothingChoice, Stepping};
use crate::run::simulation::{AnimationError, Presented, Run};

/// The summary as text, with a line for each fact, the most general first. The hash, if there is one, comes last.
pub(crate) fn text(options: &Options, frames: &Frames, run: &Run) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: &str| _ = writeln!(text, "{name:17}{value}");
    row("scene", &format!("{} ({})", options.scene.name, options.settings));
    let real: Duration = run.frames.iter().map(|shown| shown.delta).sum();
    let (count, source) = (run.frames.len(), &frames.name);
    row(
        "frames",
        &format!("{count} from {source} in {:.2} s", real.as_secs_f64()),
    );
    if let Some(last) = run.frames.last() {
        row("steps", &steps(options, last));
        row("steps per frame", &steps_per_frame(&run.frames));
        row("time lost", &lost(options, &run.frames, last));
    }
    row("animation error", &animation_error(options, run));
    if let Some(share) = run.off_exact.filter(|_| run.outcome != Outcome::Exploded) {
        let of_amplitude = percent(100.0 * share);
        row("closed form", &format!("at most {of_amplitude} of the amplitude off"));
    }
    if let Some(error) = run.step_error {
        row(
            "step error",
            &format!("{} {:.3} {}", error.name, error.value, error.unit),
        );
    }
    row("outcome", &outcome(run));
    if let Some((tick, hash)) = run.hash {
        let _ = writeln!(text, "hash {tick} {hash:016x}");
    }
    text
}

fn steps(options: &Options, last: &Presented) -> String {
    let (ticks, rate, simulated) = (last.frame.tick(), options.rate, last.frame.current_time().as_secs_f64());
    let kind = match options.stepping {
        Stepping::Fixed | Stepping::All => format!("at {rate}"),
        Stepping::Variable => "as long as the frames".to_owned(),
        Stepping::Locked => format!("of {rate}, one a frame"),
        Stepping::SemiFixed => format!("at {rate} and shorter"),
    };
    format!("{ticks} {kind}, {simulated:.2} s simulated")
}

/// The number of frames that ran each number of steps.
fn steps_per_frame(frames: &[Presented]) -> String {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for shown in frames {
        *counts.entry(shown.frame.steps().count()).or_default() += 1;
    }
    let parts = counts.iter().map(|(steps, frames)| format!("{steps} in {frames}"));
    parts.collect::<Vec<_>>().join(", ")
}

fn lost(options: &Options, frames: &[Presented], last: &Presented) -> String {
    let lost = || frames.iter().map(|shown| shown.frame.lost());
    let clamped: Duration = lost().map(|lost| lost.clamped).sum();
    let dropped: u64 = lost().map(|lost| lost.dropped).sum();
    let behind = last.frame.kept_back().as_secs_f64();
    let mut parts = Vec::new();
    if !clamped.is_zero() {
        parts.push(format!("{:.3} s of frames beyond --max-delta", clamped.as_secs_f64()));
    }
    if dropped > 0 {
        let most = options.build_fixed_timestep().max_steps();
        parts.push(format!("{dropped} steps beyond {most} a frame (--max-steps)"));
    }
    if behind > 0.0 {
        parts.push(format!("{behind:.3} s still behind"));
    }
    if parts.is_empty() {
        parts.push("none".to_owned());
    }
    parts.join(", ")
}

fn animation_error(options: &Options, run: &Run) -> String {
    let of = |error: &AnimationError| {
        let (rms, most) = (error.meter.rms_ms(), error.meter.max_ms());
        format!("{rms:.3} ms RMS, {most:.2} ms at most")
    };
    let (drawn, raw) = (of(&run.drawn_error), of(&run.raw_error));
    match options.smoothing {
        SmoothingChoice::None => raw,
        SmoothingChoice::Interpolate => format!("interpolated {drawn}; unsmoothed {raw}"),
        SmoothingChoice::Extrapolate => format!("extrapolated {drawn}; unsmoothed {raw}"),
        SmoothingChoice::Hermite => format!("on Hermite curves {drawn}; unsmoothed {raw}"),
    }
}

fn percent(value: f64) -> String {
    if value >= 0.01 {
        format!("{value:.2} %")
    } else {
        format!("{value:.1e} %")
    }
}

fn outcome(run: &Run) -> String {
    let (what, why) = match run.outcome {
        Outcome::Running => ("running", ""),
        Outcome::Ended(how) => (how, ""),
        Outcome::Exploded => ("exploded", ": the state exceeded 10⁶"),
    };
    let when = run.ended_at.map(|seconds| format!(" after {seconds:.2} s"));
    format!("{what}{}{why}", when.unwrap_or_default())
}

//! The summary of a run as text.

use std::fmt::Write as _;

use crate::run::options::{SmoothingChoice, Stepping};
use crate::run::simulation::AnimationError;
use crate::run::stepped_scene::IntegratorError;
use crate::run::summary::{DisplaySummary, EndingSummary, StepErrorSummary, Summary};

/// A row of the summary: its name and its text.
type Row = (&'static str, String);

/// The summary as text, with a line for each fact. The hash, if there is one, comes last.
pub(crate) fn text(summary: &Summary) -> String {
    let mut text = String::new();
    for (name, value) in rows(summary) {
        let _ = writeln!(text, "{name:17}{value}");
    }
    if let Some(hash) = &summary.hash {
        let _ = writeln!(text, "hash {} {}", hash.tick, hash.hash);
    }
    text
}

/// The facts, the most general first.
fn rows(summary: &Summary) -> Vec<Row> {
    let mut rows = vec![("scene", scene(summary)), ("frames", frames(summary))];
    if let Some(times) = &summary.frame_time_ms {
        let (median, p99, max) = (times.median, times.p99, times.max);
        let text = format!("median {median:.2} ms, 99 % at most {p99:.2} ms, longest {max:.2} ms");
        rows.push(("frame time", text));
    }
    rows.push(("steps", steps(summary)));
    rows.push(("steps per frame", histogram(summary)));
    if let Some(alpha) = &summary.alpha {
        let (min, mean, max) = (rounded_down(alpha.min), alpha.mean, rounded_down(alpha.max));
        rows.push(("alpha", format!("{min:.3} to {max:.3}, mean {mean:.3}")));
    }
    rows.push(("time lost", lost(summary)));
    rows.push(("animation error", animation_error(summary)));
    for (index, integrator) in summary.integrators.iter().enumerate() {
        let name = if index == 0 { "integrators" } else { "" };
        rows.push((name, of_integrator(integrator)));
    }
    if let Some(step_error) = &summary.step_error {
        rows.push(("step error", of_step_error(step_error)));
    }
    rows.push(("outcome", outcome(summary)));
    if !summary.displays.is_empty() {
        rows.push(("fixed steps", with_fixed_steps(summary)));
        let variable = by_outcome(summary, |display| &display.variable);
        rows.push(("one step a frame", variable));
    }
    rows
}

fn of_step_error(step_error: &StepErrorSummary) -> String {
    let (name, unit) = (step_error.name, step_error.unit);
    let variable = step_error
        .one_step_a_frame
        .map(|value| format!("; {value:.3} {unit} with one step a frame"));
    format!("{name} {:.3} {unit}{}", step_error.value, variable.unwrap_or_default())
}

fn scene(summary: &Summary) -> String {
    let settings = summary.settings.iter();
    let settings: Vec<String> = settings.map(|(key, value)| format!("{key}={value}")).collect();
    format!("{} ({})", summary.scene, settings.join(" "))
}

fn frames(summary: &Summary) -> String {
    format!("{} from {} in {:.2} s", summary.frames, summary.source, summary.real_s)
}

fn steps(summary: &Summary) -> String {
    let (ticks, rate, simulated) = (summary.ticks, &summary.rate, summary.simulated_s);
    let kind = match summary.stepping {
        Stepping::Fixed | Stepping::All => format!("at {rate}"),
        Stepping::Variable => "as long as the frames".to_owned(),
        Stepping::Locked => format!("of {rate}, one a frame"),
        Stepping::SemiFixed => format!("at {rate} and shorter"),
    };
    format!("{ticks} {kind}, {simulated:.2} s simulated")
}

fn histogram(summary: &Summary) -> String {
    let counts = summary.steps_per_frame.iter();
    let parts: Vec<String> = counts.map(|(steps, frames)| format!("{steps} in {frames}")).collect();
    parts.join(", ")
}

/// Rounds an alpha down for printing, so that it stays below 1.
fn rounded_down(alpha: f64) -> f64 {
    (alpha * 1e3).floor() / 1e3
}

fn lost(summary: &Summary) -> String {
    let lost = &summary.lost;
    let mut parts = Vec::new();
    if lost.clamped_s > 0.0 {
        parts.push(format!("{:.3} s of frames beyond --max-delta", lost.clamped_s));
    }
    if lost.dropped_steps > 0 {
        let most = summary.max_steps;
        parts.push(format!(
            "{} steps beyond {most} a frame (--max-steps)",
            lost.dropped_steps
        ));
    }
    if lost.behind_s > 0.0 {
        parts.push(format!("{:.3} s still behind", lost.behind_s));
    }
    if parts.is_empty() {
        "none".to_owned()
    } else {
        parts.join(", ")
    }
}

fn animation_error(summary: &Summary) -> String {
    let of = |error: AnimationError| format!("{:.3} ms RMS, {:.2} ms at most", error.rms, error.max);
    let (drawn, raw) = (of(summary.animation_error_ms.drawn), of(summary.animation_error_ms.raw));
    match summary.smoothing {
        SmoothingChoice::None => raw,
        SmoothingChoice::Interpolate => format!("interpolated {drawn}; unsmoothed {raw}"),
        SmoothingChoice::Extrapolate => format!("extrapolated {drawn}; unsmoothed {raw}"),
        SmoothingChoice::Hermite => format!("on Hermite curves {drawn}; unsmoothed {raw}"),
    }
}

fn of_integrator(integrator: &IntegratorError) -> String {
    let error = integrator.error_pct.map_or("explodes".to_owned(), |error| {
        format!("off the closed form by {} of the amplitude", percent(error))
    });
    format!("{}: {error}", integrator.name)
}

fn percent(value: f64) -> String {
    if value >= 0.01 {
        format!("{value:.2} %")
    } else {
        format!("{value:.1e} %")
    }
}

fn outcome(summary: &Summary) -> String {
    let why = if summary.outcome == "exploded" {
        ": the state exceeded 10⁶"
    } else {
        ""
    };
    let when = summary
        .outcome_at_s
        .map_or(String::new(), |seconds| format!(" after {seconds:.2} s"));
    format!("{}{when}{why}", summary.outcome)
}

fn with_fixed_steps(summary: &Summary) -> String {
    let endings = by_outcome(summary, |display| &display.fixed);
    let hashes = || summary.displays.iter().map(|display| &display.fixed.hash);
    let same = hashes().zip(hashes().skip(1)).all(|(one, other)| one == other);
    format!(
        "{endings}: {}",
        if same { "the same bits" } else { "not the same bits" }
    )
}

/// Lists the displays by the outcome of the scene.
fn by_outcome(summary: &Summary, ending: fn(&DisplaySummary) -> &EndingSummary) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for display in &summary.displays {
        let (outcome, rate) = (ending(display).outcome, display.frames.trim_end_matches(" Hz"));
        match groups.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, rates)) => rates.push(rate),
            None => groups.push((outcome, vec![rate])),
        }
    }
    let parts = groups
        .iter()
        .map(|(outcome, rates)| format!("{outcome} at {} Hz", rates.join(", ")));
    parts.collect::<Vec<String>>().join("; ")
}

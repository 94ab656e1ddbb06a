use std::fmt::Write as _;

use crate::summary::{IntegratorSummary, Summary};

/// A summary for a person: a line a fact.
pub(crate) fn of(summary: &Summary) -> String {
    let mut table = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(table, "{name:16} {value}");
    };
    line("scene", format!("{} ({})", summary.scene, summary.settings));
    line(
        "frames",
        format!("{} from {} in {:.2} s", summary.frames, summary.source, summary.real_s),
    );
    if let Some(times) = &summary.frame_time_ms {
        let (median, p99, max) = (times.median, times.p99, times.max);
        line(
            "frame time",
            format!("median {median:.2} ms, 99 % below {p99:.2} ms, longest {max:.2} ms"),
        );
    }
    line(
        "steps",
        format!(
            "{} at {}, {:.2} s simulated",
            summary.ticks, summary.rate, summary.simulated_s
        ),
    );
    line("steps per frame", histogram(summary));
    if let Some(alpha) = &summary.alpha {
        line(
            "alpha",
            format!("{:.3} to {:.3}, mean {:.3}", alpha.min, alpha.max, alpha.mean),
        );
    }
    line("time lost", lost(summary));
    let error = &summary.animation_error_ms;
    let (drawn, raw) = (error.drawn, error.raw);
    line(
        "animation error",
        format!(
            "{:.3} ms RMS, {:.2} ms at most; unsmoothed {:.3} ms RMS, {:.2} ms at most",
            drawn.rms, drawn.max, raw.rms, raw.max
        ),
    );
    if let Some(error) = summary.error_pct {
        line("error", format!("{} of the amplitude", percent(error)));
    }
    for integrator in &summary.integrators {
        line("", of_integrator(integrator));
    }
    line("outcome", summary.outcome.clone());
    table
}

fn histogram(summary: &Summary) -> String {
    let counts = summary.steps_per_frame.iter();
    let parts: Vec<String> = counts.map(|(steps, frames)| format!("{steps} in {frames}")).collect();
    parts.join(", ")
}

fn lost(summary: &Summary) -> String {
    let lost = &summary.lost;
    let mut parts = Vec::new();
    if lost.clamped_s > 0.0 {
        parts.push(format!("{:.3} s of frames beyond the longest believed", lost.clamped_s));
    }
    if lost.dropped_steps > 0 {
        parts.push(format!("{} steps dropped", lost.dropped_steps));
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

fn of_integrator(integrator: &IntegratorSummary) -> String {
    let error = integrator
        .error_pct
        .map_or("explodes".to_owned(), |error| format!("{} off", percent(error)));
    format!("{:20} {error}", integrator.name)
}

fn percent(value: f64) -> String {
    if value >= 0.01 {
        format!("{value:.2} %")
    } else {
        format!("{value:.1e} %")
    }
}

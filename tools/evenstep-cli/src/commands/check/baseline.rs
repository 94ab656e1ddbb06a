//! Comparison with earlier runs of the same scene.

use crate::commands::check::found::{Found, Outcome};
use crate::commands::noise::{Change, Values};

/// Compares the figures that all runs have and that have a better direction. `allow` is in percent of the baseline's figure; a count of
/// hitches is allowed no more than chance.
pub(super) fn compare(now: &[Values], baseline: &[Values], allow: f64) -> Vec<Found> {
    let changes = Change::all(baseline, now).into_iter();
    let judged = changes.filter_map(|(metric, _, more, change)| Some(judge(metric, more?, &change, allow)));
    judged.collect()
}

fn judge(metric: &str, more_is_better: bool, change: &Change, allow: f64) -> Found {
    let (old, new) = (change.before, change.after);
    let allowed = allow / 100.0 * old.abs();
    let worse = if more_is_better { old - new } else { new - old };
    let (outcome, verdict) = match (change.chances, change.noise) {
        _ if change.is_certain(!more_is_better, allowed) => (Outcome::Failed, "worse".to_owned()),
        (Some((chance, _)), _) => (Outcome::Passed, format!("not surely more, p = {chance:.3}")),
        (_, Some(noise)) if worse + noise <= allowed => (Outcome::Passed, "not worse".to_owned()),
        _ => (
            Outcome::Unsure,
            match change.runs_to_tell(allowed - worse) {
                Some(runs) => format!("too uncertain to tell; about {runs} runs of each would"),
                None => "too uncertain to tell with any sensible number of runs".to_owned(),
            },
        ),
    };
    let noise = match (change.noise, change.chances) {
        (Some(noise), _) => format!(" (± {noise:.3}), {allow} % is allowed"),
        (None, Some((chance, _))) if outcome == Outcome::Failed => format!(" (p = {chance:.4})"),
        _ => String::new(),
    };
    Found {
        metric: format!("{metric} against the baseline"),
        finding: format!("{metric} was {old:.3} and is {new:.3}{noise}: {verdict}"),
        outcome,
    }
}

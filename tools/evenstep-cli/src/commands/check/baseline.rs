//! Comparison with an earlier recording, with an estimate of its uncertainty.
//!
//! Runs vary, so single figures of two runs always differ. Each recording is cut into [`PARTS`] parts with equal numbers of frames,
//! and each metric is computed in each part. Its mean over the parts has a standard error, and so has the difference of two means. A
//! change counts as certain if it exceeds three standard errors. With this number of parts, random variation exceeds them in about
//! one of 200 comparisons.

use evenstep_trace::SwapChain;

use crate::commands::check::found::{Found, Outcome};
use crate::commands::noise::{CERTAIN, LEAST_FRAMES, METRICS, Mean, parts};

/// The number of parts of a recording.
const PARTS: usize = 16;

/// Compares the metrics that both recordings have. `allow` is in percent of the baseline's metric.
pub(super) fn compare(chain: &SwapChain, baseline: &SwapChain, allow: f64) -> Vec<Found> {
    let frames = chain.deltas.len().min(baseline.deltas.len());
    let least = PARTS * LEAST_FRAMES;
    if frames < least {
        return vec![Found {
            metric: "frames".to_owned(),
            finding: format!(
                "nothing was compared with the baseline: {frames} frames are too few; record at least {least}"
            ),
            outcome: Outcome::Failed,
        }];
    }
    let (now, before) = (parts(chain, PARTS), parts(baseline, PARTS));
    let compared = METRICS.into_iter().filter_map(|(metric, _, more_is_better)| {
        let (now, before) = (Mean::over(&now, metric)?, Mean::over(&before, metric)?);
        Some(judge(metric, more_is_better?, now, before, allow, frames))
    });
    compared.collect()
}

fn judge(metric: &str, more_is_better: bool, now: Mean, before: Mean, allow: f64, frames: usize) -> Found {
    let worse = if more_is_better {
        before.value - now.value
    } else {
        now.value - before.value
    };
    let allowed = allow / 100.0 * before.value.abs();
    let error = now.error.hypot(before.error);
    let uncertainty = CERTAIN * error;
    let (outcome, verdict) = if worse - uncertainty > allowed {
        (Outcome::Failed, "worse".to_owned())
    } else if worse + uncertainty <= allowed || (worse <= 0.0 && error == 0.0) {
        (Outcome::Passed, "not worse".to_owned())
    } else {
        // The standard error is inversely proportional to the square root of the number of frames.
        let margin = (allowed - worse).abs().max(f64::MIN_POSITIVE);
        let needed = frames as f64 * (uncertainty / margin).powi(2);
        let needed = if needed < 1e7 {
            format!("about {needed:.0} frames in each recording would tell")
        } else {
            "no recording of a sensible length would tell".to_owned()
        };
        (
            Outcome::Unsure,
            format!("too uncertain to tell with {frames} frames; {needed}"),
        )
    };
    let (old, new) = (before.value, now.value);
    Found {
        metric: format!("{metric} against the baseline"),
        finding: format!("{metric} was {old:.3} and is {new:.3} (± {uncertainty:.3}), {allow} % is allowed: {verdict}"),
        outcome,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use evenstep_trace::{Present, SwapChainName};

    use super::*;

    /// 3200 frames that state everything. In each hundred, if `is_bad`, all is worse.
    fn chain(is_bad: bool) -> SwapChain {
        let (mut now, mut deltas, mut presents) = (0.0, Vec::new(), Vec::new());
        for n in 0..3200 {
            let frame = match (is_bad, n % 100) {
                (true, 50) => 90.0,
                (true, _) => 16.0,
                (false, _) => 10.0,
            };
            now += frame;
            deltas.push(Duration::from_secs_f64(frame / 1e3));
            let late = if is_bad { 10.0 + f64::from(n % 2) } else { 0.0 };
            let mut present = Present::new(now);
            (present.started, present.simulated) = (Some(now - frame), Some(now - frame));
            present.is_simulated_told = true;
            present.displayed = (!is_bad || n % 100 != 20).then_some(now + 20.0 + late);
            (present.pc_latency, present.click_to_photon) = (Some(30.0 + late), Some(40.0 + late));
            presents.push(present);
        }
        SwapChain::new(SwapChainName::default(), deltas, presents)
    }

    #[test]
    fn each_figure_that_is_worse_fails_and_each_that_is_better_passes() {
        let signed = METRICS.iter().filter(|(.., more)| more.is_some());
        let names: Vec<String> = signed
            .map(|(metric, ..)| format!("{metric} against the baseline"))
            .collect();
        for (now, before, expected) in [(true, false, Outcome::Failed), (false, true, Outcome::Passed)] {
            let found = compare(&chain(now), &chain(before), 0.0);
            assert_eq!(found.iter().map(|one| one.metric.clone()).collect::<Vec<_>>(), names);
            for one in found {
                assert!(one.outcome == expected, "{}", one.finding);
            }
        }
    }
}

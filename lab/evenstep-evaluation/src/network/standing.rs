//! Summarizes the scores of each rule over many networks.

use serde::Serialize;

use crate::network::rules::SyncRule;
use crate::network::score::SyncScore;
use crate::world_evaluation::Spread;

/// A summary of a rule over many networks. [`SyncScore`] describes the figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SyncStanding {
    /// The rule.
    pub rule: SyncRule,
    /// The number of networks.
    pub networks: usize,
    /// The time until the lead converges, in seconds.
    pub converged_s: Spread,
    /// Late inputs, of a thousand.
    pub late_per_mille: Spread,
    /// The time by which inputs are early, in milliseconds.
    pub early_ms: Spread,
    /// The largest jump in milliseconds.
    pub jump_ms: Spread,
}

/// Summarizes the scores of [`score_networks`](crate::score_networks) by rule.
#[must_use]
pub fn sync_standings(scores: &[SyncScore]) -> Vec<SyncStanding> {
    let standing = |rule| {
        let scores = || scores.iter().filter(move |score| score.rule == rule);
        let spread =
            |figure: fn(&SyncScore) -> f64| Spread::of(scores().map(|score| (figure(score), score.seed)).collect());
        Some(SyncStanding {
            rule,
            networks: scores().count(),
            converged_s: spread(|score| score.converged_s)?,
            late_per_mille: spread(|score| score.late_per_mille)?,
            early_ms: spread(|score| score.early_ms)?,
            jump_ms: spread(|score| score.jump_ms)?,
        })
    };
    SyncRule::ALL.into_iter().filter_map(standing).collect()
}

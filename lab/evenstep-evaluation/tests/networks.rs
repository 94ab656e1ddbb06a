//! Rules that keep ticks in step, on simulated networks.

use evenstep_evaluation::{Network, SyncRule, score_network, score_networks};

#[test]
fn ticks_in_step_lose_fewer_inputs_than_by_another_rule() {
    let mean = |rule| {
        let scores = (500..508).map(|seed| score_network(&Network::random(seed), rule));
        let sum = scores.fold((0.0, 0.0), |(late, early), score| {
            (late + score.late_per_mille, early + score.early_ms)
        });
        (sum.0 / 8.0, sum.1 / 8.0)
    };
    let (ours, lightyear) = (mean(SyncRule::TickSync), mean(SyncRule::Lightyear));
    assert!(ours.0 < 0.6 * lightyear.0, "late: {ours:?} {lightyear:?}");
    assert!(ours.1 < lightyear.1 + 15.0, "early: {ours:?} {lightyear:?}");
}

#[test]
fn the_same_network_has_the_same_scores_and_another_one_has_others() {
    let scores = score_networks(40..42);
    assert_eq!(scores, score_networks(40..42));
    let [one, other] = [&scores[0], &scores[SyncRule::ALL.len()]];
    assert_eq!((one.seed, other.seed, one.rule == other.rule), (40, 41, true));
    assert_ne!(one.early_ms, other.early_ms);
}

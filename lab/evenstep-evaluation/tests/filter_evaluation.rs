//! Evaluates delta filters: the display clock against this project's limits, other filters against their known figures.

use evenstep_evaluation::{FilterScore, score_filters};

/// The scores of a filter, for several seeds.
fn scores(filter: &str, seeds: std::ops::Range<u64>) -> Vec<FilterScore> {
    let scores: Vec<FilterScore> = seeds
        .flat_map(|seed| score_filters(seed, |name| name == filter))
        .collect();
    assert!(!scores.is_empty(), "{filter} takes part");
    scores
}

/// Milliseconds by which the output leads or lags the display at most, to keep away from step ends. See `DisplayClock`.
const FARTHEST_MS: f64 = 2.4;

#[test]
fn the_display_clock_is_right_in_every_frame_on_every_display_up_to_144_hz() {
    for score in scores("display clock", 1..9) {
        if score.display_hz > 150.0 {
            continue;
        }
        assert!(score.wrong_frames <= 1, "{score:?}");
        assert!(score.error_mean_ms <= 0.02 && score.error_max_ms <= 0.5, "{score:?}");
        assert!(score.drift_ms.abs() <= FARTHEST_MS, "{score:?}");
    }
}

#[test]
fn at_165_and_240_hz_at_most_a_late_frame_is_taken_for_a_missed_one_and_given_back() {
    for score in scores("display clock", 1..13) {
        assert!(score.wrong_frames <= 2, "{score:?}");
        assert!(
            score.error_mean_ms <= 0.02 && score.drift_ms.abs() <= FARTHEST_MS,
            "{score:?}"
        );
        // The latest timestamps are a refresh and a half late.
        assert!(score.error_max_ms <= 1.51e3 / score.display_hz, "{score:?}");
    }
}

#[test]
fn snapping_beats_no_filter_on_every_display_under_every_noise() {
    for seed in 1..4 {
        let both = score_filters(seed, |name| ["snap", "none"].contains(&name));
        let (snap, none): (Vec<_>, Vec<_>) = both.into_iter().partition(|score| score.filter == "snap");
        assert_eq!((snap.len(), none.len()), (21, 21));
        for (snap, none) in snap.iter().zip(&none) {
            assert!(snap.wrong_frames < none.wrong_frames, "{snap:?} {none:?}");
            assert!(snap.error_mean_ms < none.error_mean_ms, "{snap:?} {none:?}");
        }
    }
}

/// The known figures of the other filters, at exactly 60 Hz: frames with a wrong number of steps under each noise; and at
/// 59.94 Hz with σ 0.5 ms: the mean and the largest error in milliseconds.
#[test]
fn other_filters_reach_their_known_figures() {
    for (filter, wrong, mean, largest) in [
        ("none", Some([4914, 4994, 5084]), 0.561, 2.87),
        ("snap, mean of four (Glaiel)", None, 0.142, 0.73),
        ("whole refreshes (Godot)", Some([0, 0, 0]), 0.034, 16.65),
        ("forgetting mean, 0.1", Some([1678, 1402, 992]), 0.041, 0.21),
        ("phase lock, told the rate", Some([641, 678, 122]), 0.008, 0.04),
    ] {
        let scores = scores(filter, 1..4);
        let at = |hertz: f64| {
            scores
                .iter()
                .filter(move |score| (score.display_hz - hertz).abs() < 0.001)
        };
        assert_eq!(at(60.0).count(), 9);
        for (index, score) in at(60.0).enumerate() {
            let Some(wrong) = wrong else { continue };
            let known = wrong[index % 3];
            let off = score.wrong_frames.abs_diff(known);
            // On the edge of the step the count varies between runs: a phase lock has 82 to 238 wrong frames in twenty runs.
            let differs = if known > 0 { (known / 3).max(120) } else { 0 };
            assert!(off <= differs, "{known} wrong frames are known: {score:?}");
        }
        let ntsc: Vec<_> = at(60_000.0 / 1_001.0)
            .filter(|score| score.noise == "σ 0.5 ms")
            .collect();
        assert_eq!(ntsc.len(), 3);
        for score in ntsc {
            assert!(
                (score.error_mean_ms / mean - 1.0).abs() < 0.1,
                "{mean} ms is known: {score:?}"
            );
            assert!(
                (score.error_max_ms / largest - 1.0).abs() < 0.3,
                "{largest} ms is known: {score:?}"
            );
        }
    }
}

/// Known at 60 Hz: none wrong where the noise is within what it snaps over, and a random walk beyond, from 0 to 580 wrong
/// frames in a run.
#[test]
fn snapping_and_a_mean_of_four_walk_at_random_where_the_noise_is_large() {
    let scores = scores("snap, mean of four (Glaiel)", 1..9);
    let wrong = |noise: &str| -> Vec<usize> {
        let scores = scores.iter().filter(|score| (score.display_hz - 60.0).abs() < 0.001);
        scores
            .filter(|score| score.noise == noise)
            .map(|score| score.wrong_frames)
            .collect()
    };
    assert_eq!(wrong("±0.083 ms"), [0; 8]);
    let walked = wrong("σ 0.5 ms");
    let mean = walked.iter().sum::<usize>() / walked.len();
    assert!((100..=350).contains(&mean), "{walked:?}");
    assert!(walked.iter().all(|wrong| *wrong <= 600), "{walked:?}");
    let spread = walked.iter().max().unwrap() - walked.iter().min().unwrap();
    assert!(spread > 200, "each run differs: {walked:?}");
}

#[test]
fn the_same_seed_gives_the_same_scores() {
    assert_eq!(scores("none", 7..8), scores("none", 7..8));
    assert_ne!(scores("none", 7..8), scores("none", 8..9));
}

//! Evaluates delta filters on displays with known refreshes.

use evenstep_evaluation::{FilterScore, Noise, score_filter};
use evenstep_trace::simulate::Filter;

/// The scores of a filter, for several seeds.
fn scores(filter: Filter, seeds: std::ops::Range<u64>) -> Vec<FilterScore> {
    seeds.flat_map(|seed| score_filter(filter, seed)).collect()
}

#[test]
fn the_default_filter_is_right_in_every_frame_at_60_and_75_hz_and_within_its_bounds_everywhere() {
    for score in scores(Filter::Default, 1..4) {
        assert!(
            score.wrong_frames == 0 || score.display_hz > 100.0 || score.noise.contains("late"),
            "{score:?}"
        );
        assert!(score.error_mean_ms <= 0.05, "{score:?}");
        assert!((-3.0..=4.0).contains(&score.drift_ms), "{score:?}");
    }
}

#[test]
fn every_filter_beats_none_on_every_display_under_every_noise() {
    let (none, others): (Vec<_>, Vec<_>) = Filter::ALL
        .into_iter()
        .flat_map(|filter| score_filter(filter, 1))
        .partition(|score| score.filter == Filter::None);
    for score in others {
        let is_same = |none: &&FilterScore| none.display_hz == score.display_hz && none.noise == score.noise;
        let none = none.iter().find(is_same).unwrap();
        assert!(score.error_mean_ms < none.error_mean_ms, "{score:?} {none:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_scores() {
    assert_eq!(scores(Filter::None, 7..8), scores(Filter::None, 7..8));
    assert_ne!(scores(Filter::None, 7..8), scores(Filter::None, 8..9));
}

/// Frames at about 90 Hz whose lengths vary by a tenth: there is nothing to remove, and the filter spreads each change over frames.
#[test]
fn frames_that_are_displayed_exactly_when_they_are_read_get_an_error_by_the_default_filter() {
    let deltas = Noise::Normal(0.8).deltas(90.0, 1, 20_000);
    let mut filter = Filter::Default.build();
    let errors = deltas
        .iter()
        .map(|delta| (filter.apply(*delta).as_secs_f64() - delta.as_secs_f64()).abs());
    let mean_ms = 1e3 * errors.sum::<f64>() / deltas.len() as f64;
    assert!((0.8..1.0).contains(&mean_ms), "{mean_ms} ms");
}

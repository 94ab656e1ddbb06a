//! Delta filters in random worlds: what the worlds are, and what the default filter reaches in them.

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep_evaluation::{LatenessFamily, PaceKind, World, WorldScore, WorldTable, score_world, score_worlds};
use evenstep_trace::simulate::Filter;
use proptest::prelude::*;

fn both(filter: Filter) -> bool {
    [Filter::Default, Filter::None].contains(&filter)
}

#[test]
fn a_few_hundred_worlds_have_every_pace_with_every_lateness() {
    let worlds: Vec<World> = (0..400).map(World::random).collect();
    for pace in [
        PaceKind::Even,
        PaceKind::Drifting,
        PaceKind::Switching,
        PaceKind::Variable,
        PaceKind::SelfPaced,
    ] {
        for lateness in LatenessFamily::ALL {
            let is_it = |world: &&World| (world.pace(), world.lateness()) == (pace, lateness);
            assert!(worlds.iter().any(|world| is_it(&world)), "{pace}, {lateness}");
        }
    }
}

#[test]
fn a_world_depends_only_on_its_seed() {
    let (one, same, other) = (World::random(3), World::random(3), World::random(4));
    assert_eq!(one.frames(500), same.frames(500));
    assert_ne!(one.frames(500), other.frames(500));
    assert_eq!(one.to_string(), same.to_string());
}

#[test]
fn without_a_filter_the_error_is_that_of_the_timestamps() {
    for world in (1..20).map(World::random) {
        let settling = (3e3 / world.baseline_ms()).ceil() as usize;
        let frames = world.frames(settling + 200);
        let changes = frames.windows(2).map(|pair| (pair[1].late_ms - pair[0].late_ms).abs());
        let mean = changes.skip(settling - 1).sum::<f64>() / 200.0;
        let scores = score_world(&world, 200, |filter| filter == Filter::None);
        assert!(
            (scores[0].error_mean_ms - mean).abs() < 1e-5,
            "{world}: {mean}, {scores:?}"
        );
    }
}

#[test]
fn a_table_names_the_world_of_each_worst_figure() {
    let scores = score_worlds(1..13, both);
    let table = WorldTable::new(&scores);
    for standing in &table.filters {
        let worst = standing.of_none.worst_seed;
        let of = |filter: Filter| -> &WorldScore {
            let is_it = |score: &&WorldScore| score.seed == worst && score.filter == filter;
            scores.iter().find(is_it).unwrap()
        };
        let ratio = of(standing.filter).error_mean_ms / of(Filter::None).error_mean_ms;
        assert_eq!(ratio, standing.of_none.worst);
    }
}

#[test]
fn in_most_worlds_with_a_fixed_refresh_the_default_filter_halves_the_error() {
    let table = WorldTable::new(&score_worlds(50_001..50_041, both));
    let standing = &table.filters[0];
    assert_eq!(
        (standing.group.as_str(), standing.filter),
        ("fixed refresh", Filter::Default)
    );
    assert!(standing.of_none.median < 0.5, "{standing:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_default_filter_conserves_time_in_every_world(seed in any::<u64>()) {
        let mut clock = DisplayClock::new();
        let (mut came_in, mut given) = (0_i128, 0_i128);
        for frame in World::random(seed).frames(1_000) {
            came_in += frame.delta.as_nanos() as i128;
            given += clock.apply(frame.delta).as_nanos() as i128;
            prop_assert_eq!(i128::from(clock.residual()), came_in - given);
            prop_assert!((-2_500_000..=5_000_000).contains(&clock.residual()));
        }
    }
}

//! Delta filters in random worlds: what the worlds are, and what the display clock reaches in them.

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep_evaluation::{LatenessFamily, PaceKind, World, WorldScore, WorldTable, score_world, score_worlds};
use proptest::prelude::*;

fn both(filter: &str) -> bool {
    ["default", "none"].contains(&filter)
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
        let scores = score_world(&world, 200, |filter| filter == "none");
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
    assert_eq!(table.goals.fixed + table.goals.unfixed, 12);
    for standing in &table.filters {
        let worst = standing.of_none.worst_seed;
        let of = |filter: &str| -> &WorldScore {
            let is_it = |score: &&WorldScore| score.seed == worst && score.filter == filter;
            scores.iter().find(is_it).unwrap()
        };
        let ratio = of(standing.filter).error_mean_ms / of("none").error_mean_ms;
        assert_eq!(ratio, standing.of_none.worst);
    }
}

#[test]
fn in_small_worlds_the_display_clock_is_no_worse_than_no_filter() {
    // Seeds that it was not tuned on. A hundredth of a millisecond is tolerated.
    let worse = (50_001..50_025).map(World::random).filter(|world| {
        let scores = score_world(world, 1_000, both);
        let (clock, none) = (scores[0].error_mean_ms, scores[1].error_mean_ms);
        clock > 1.1 * none + 0.01
    });
    let worse: Vec<u64> = worse.map(|world| world.seed()).collect();
    // Where a loop paces itself nearly evenly, or noise reaches over a refresh.
    assert!(worse.len() <= 2, "{worse:?}");
}

#[test]
fn an_oracle_is_wrong_no_more_often_than_the_display_clock() {
    for world in (50_001..50_021).map(World::random).filter(World::is_fixed) {
        let scores = score_world(&world, 1_000, |filter| ["default", "oracle"].contains(&filter));
        assert_eq!(scores[1].filter, "oracle");
        assert!(scores[1].wrong_frames <= scores[0].wrong_frames, "{world}: {scores:?}");
    }
}

#[test]
fn where_no_refresh_is_missed_an_oracle_is_never_wrong() {
    let worlds = (1..40).map(World::random).filter(World::is_fixed);
    let mut without = 0;
    for world in worlds {
        let frames = world.frames(300);
        let named = world.named_refreshes(&frames);
        assert_eq!(named.len(), 300);
        if !world.to_string().contains("misses") {
            without += 1;
            assert!(named.iter().all(|off| *off == 0), "{world}");
        }
    }
    assert!(without > 5, "{without}");
}

#[test]
fn an_oracle_follows_misses_that_timestamps_show_and_not_those_that_a_coarse_clock_hides() {
    let wrong = |seed| {
        let scores = score_world(&World::random(seed), 2_000, |filter| filter == "oracle");
        (scores[0].missed, scores[0].wrong_frames.unwrap())
    };
    // 89.997 Hz, read with σ 0.379 ms; and 251.7 Hz, read in units of 9.28 ms.
    let (shown, hidden) = (wrong(298), wrong(196));
    assert!(shown.0 > 0 && shown.1 == 0, "{shown:?}");
    assert!(hidden.0 > 0 && hidden.1 > 2, "{hidden:?}");
}

#[test]
fn without_a_fixed_refresh_no_refreshes_are_named() {
    let world = (1..).map(World::random).find(|world| !world.is_fixed()).unwrap();
    assert!(world.named_refreshes(&world.frames(10)).is_empty());
    assert!(score_world(&world, 10, |filter| filter == "oracle").is_empty());
}

#[test]
#[ignore = "takes over a second: 400 worlds"]
fn over_many_worlds_the_display_clock_has_the_figures_of_the_book() {
    let goals = WorldTable::new(&score_worlds(20_001..20_401, |filter| {
        both(filter) || filter == "oracle"
    }))
    .goals;
    println!("{goals:?}");
    let share = |seeds: &[u64], of: usize| seeds.len() as f64 / of as f64;
    assert!(share(&goals.many_wrong, goals.fixed) < 0.09);
    assert!(share(&goals.impossible, goals.fixed) < 0.03);
    assert!(share(&goals.above_a_quarter, goals.fixed) < 0.08);
    assert!(share(&goals.above_none, goals.fixed) < 0.02);
    assert!(share(&goals.unfixed_above_none, goals.unfixed) < 0.02);
    assert!(share(&goals.unfixed_above_twice, goals.unfixed) < 0.02);
    assert!(goals.followed as f64 > 0.995 * goals.missed as f64);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_display_clock_conserves_time_in_every_world(seed in any::<u64>()) {
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

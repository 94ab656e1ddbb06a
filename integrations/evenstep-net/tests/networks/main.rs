//! How well a client keeps in step with its server, on random simulated networks.

mod machine;
mod packet;
mod route;
mod run;
mod score;
mod world;

use std::ops::Range;

use score::Score;
use world::Network;

/// The median, the 95th percentile and the largest of a figure.
fn spread(scores: &[Score], figure: fn(&Score) -> f64) -> [f64; 3] {
    let mut figures: Vec<f64> = scores.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    [0.5, 0.95, 1.0].map(|share| figures[(share * (figures.len() - 1) as f64).ceil() as usize])
}

/// Runs a minute on the network of each seed, and prints and returns how long the client took to converge in seconds, how many inputs of a
/// thousand were late, how early the others were and the largest jump, both in milliseconds.
fn play(seeds: Range<u64>) -> [[f64; 3]; 4] {
    let scores: Vec<Score> = seeds.map(|seed| Network::random(seed).score()).collect();
    let figures: [fn(&Score) -> f64; 4] = [
        |score| score.converged_s,
        |score| score.late_per_mille,
        |score| score.early_ms,
        |score| score.jump_ms,
    ];
    let spreads = figures.map(|figure| spread(&scores, figure));
    for (name, [median, most, worst]) in ["converged, s", "late in 1000", "early, ms", "jump, ms"]
        .iter()
        .zip(spreads)
    {
        println!("{name}: median {median:.1}, of twenty {most:.1}, worst {worst:.1}");
    }
    spreads
}

#[test]
fn a_client_converges_and_few_of_its_inputs_are_late_on_random_networks() {
    let [converged, late, early, jump] = play(1001..1061);
    assert!(converged[0] < 1.0 && converged[1] < 7.0, "{converged:?}");
    assert!(late[0] < 20.0 && late[1] < 90.0, "{late:?}");
    assert!(early[0] < 25.0 && early[1] < 60.0, "{early:?}");
    assert!(jump[0] < 2.1, "{jump:?}");
}

#[test]
#[ignore = "prints the figures of the book"]
fn three_hundred_networks() {
    play(1001..1301);
}

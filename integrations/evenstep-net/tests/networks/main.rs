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

type Of = fn(&Score) -> f64;

fn mean(scores: &[Score], figure: Of) -> f64 {
    scores.iter().map(figure).sum::<f64>() / scores.len() as f64
}

const FIGURES: [(&str, Of); 4] = [
    ("converged, s", |score| score.converged_s),
    ("late in 1000", |score| score.late_per_mille),
    ("early, ms", |score| score.early_ms),
    ("jump, ms", |score| score.jump_ms),
];

/// The client's clock is wrong by these shares, in parts per million.
const CLOCKS: [f64; 7] = [0.0, -5_000.0, 5_000.0, -10_000.0, 10_000.0, -20_000.0, 20_000.0];

/// The scores on the networks of the seeds, where the client's clock is wrong by a share in parts per million.
fn with_clock(seeds: Range<u64>, ppm: f64) -> Vec<Score> {
    let network = |seed| Network {
        drift_ppm: ppm,
        ..Network::random(seed)
    };
    seeds.map(|seed| network(seed).score()).collect()
}

/// Runs a minute on the network of each seed, and prints and returns how long the client took to converge in seconds, how many inputs of a
/// thousand were late, how early the others were and the largest jump, both in milliseconds.
fn play(seeds: Range<u64>) -> [[f64; 3]; 4] {
    let scores: Vec<Score> = seeds.map(|seed| Network::random(seed).score()).collect();
    let spreads = FIGURES.map(|(_, figure)| spread(&scores, figure));
    for ((name, _), [median, most, worst]) in FIGURES.iter().zip(spreads) {
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
fn a_clock_that_is_wrong_by_two_percent_loses_no_more_inputs_than_a_right_one_and_is_as_early_and_steady() {
    let clocks = [0.0, -20_000.0, 20_000.0].map(|ppm| with_clock(1001..1031, ppm));
    let figures: [(&str, Of, f64); 3] = [
        ("late in 1000", |score| score.late_after_ten_s, 5.0),
        ("early, ms", |score| score.early_ms, 8.0),
        ("lead varies by, ms", |score| score.lead_varies_ms, 4.0),
    ];
    for (name, figure, more) in figures {
        let means = clocks.each_ref().map(|scores| mean(scores, figure));
        let [right, slow, fast] = means;
        assert!(slow < right + more && fast < right + more, "{name}: {means:?}");
    }
}

/// What the book says of many networks. It takes minutes, so that `cargo ci` leaves it out.
mod figures_of_the_book {
    use super::*;

    #[test]
    #[ignore = "prints figures, and checks nothing"]
    fn three_hundred_networks() {
        play(1001..1301);
    }

    #[test]
    #[ignore = "prints figures, and checks nothing"]
    fn a_thousand_networks_with_clocks_that_are_wrong() {
        println!(
            "clock | late in 1000 after 10 s: median, mean | early, ms: median, mean | lead varies by, ms: median"
        );
        for ppm in CLOCKS {
            let scores = with_clock(1001..2001, ppm);
            let median = |figure| spread(&scores, figure)[0];
            let [late, early, varies]: [Of; 3] = [
                |score| score.late_after_ten_s,
                |score| score.early_ms,
                |score| score.lead_varies_ms,
            ];
            println!(
                "{:+.1} % | {:.1}, {:.1} | {:.1}, {:.1} | {:.1}",
                ppm / 1e4,
                median(late),
                mean(&scores, late),
                median(early),
                mean(&scores, early),
                median(varies),
            );
        }
    }
}

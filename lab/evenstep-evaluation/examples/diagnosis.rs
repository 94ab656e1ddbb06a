//! How often the diagnosis of recordings is right, as the table in `docs/pages/diagnosis.md`.
//!
//! `cargo run --release -p evenstep-evaluation --example diagnosis -- [FIRST_SEED] [RECORDINGS] [--wrong]`

use evenstep_evaluation::score_diagnosis;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let lists_wrong = args.iter().any(|arg| arg == "--wrong");
    let mut numbers = args.iter().filter_map(|arg| arg.parse::<u64>().ok());
    let first = numbers.next().unwrap_or(1_000_000);
    let count = numbers.next().unwrap_or(10_000);
    let mut not_right = 0;
    let scores = score_diagnosis(first..first + count, |seed, capture, named| {
        not_right += 1;
        if lists_wrong {
            println!(
                "{seed}: {}\n    {:?}, named {named:?}",
                capture.description, capture.faults
            );
            for one in capture.chain.diagnose() {
                println!("    {}: {}", one.kind, one.evidence);
            }
        }
    });
    println!("| kind | recordings | found | mistaken | precision | recall |");
    println!("|---|---|---|---|---|---|");
    for score in scores {
        println!(
            "| {} | {} | {} | {} | {:.1} % | {:.1} % |",
            score.kind,
            score.present,
            score.found,
            score.mistaken,
            100.0 * score.precision(),
            100.0 * score.recall()
        );
    }
    println!(
        "\n{} of {count} recordings are diagnosed as they should be.",
        count - not_right
    );
}

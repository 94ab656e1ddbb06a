//! How stable the diagnosis of real recordings is, as wholes, cut at either end, and in halves; and whether it agrees with the hitches.
//!
//! `cargo run --release -p evenstep-evaluation --example verdicts -- FOLDER [--hertz 120] [--held-out | --design] [--list]`
//!
//! The recordings are tables with a header in the first line. Every third one by name is held out (`--held-out`, indices 2, 5, 8, …);
//! the rules were made on the others (`--design`). `--hertz` is the refresh rate of the display on which they were recorded.

use std::error::Error;
use std::fs;

use evenstep_trace::{Analysis, BadRows, Diagnosis, StutterKind, SwapChainAnalysis};

/// The first chain of the lines of a table from one share of its rows to another.
fn analyze(text: &str, from: f64, to: f64) -> SwapChainAnalysis {
    let lines: Vec<&str> = text.lines().collect();
    let (header, rows) = lines.split_first().expect("a table has a header");
    let at = |share: f64| (share * rows.len() as f64).round() as usize;
    let part = [&[*header], &rows[at(from)..at(to)]].concat().join("\n") + "\n";
    let mut read = Analysis::read(part.as_bytes(), "part", BadRows::Skip).expect("the part is a recording");
    read.chains.swap_remove(0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |option: &str| args.iter().any(|arg| arg == option);
    let after = |option: &str| args.iter().skip_while(|arg| *arg != option).nth(1);
    let hertz: f64 = after("--hertz").map_or(Ok(120.0), |hertz| hertz.parse())?;
    let folder = args.first().ok_or("the folder is missing")?;
    let mut files: Vec<_> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "csv"));
    files.sort();
    let (mut logs, mut cuts, mut halves, mut as_whole, mut with_cause, mut shown) = (0, 0, 0, 0, 0, 0);
    let (mut named, mut right) = (0, 0);
    let mut hitches_of_even = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let is_held_out = index % 3 == 2;
        if (has("--held-out") && !is_held_out) || (has("--design") && is_held_out) {
            continue;
        }
        let text = fs::read_to_string(file)?;
        let SwapChainAnalysis {
            metrics,
            diagnosis: whole,
            ..
        } = analyze(&text, 0.0, 1.0);
        let parts = [(0.05, 1.0), (0.0, 0.95), (0.0, 0.5), (0.5, 1.0)];
        let parts = parts.map(|(from, to)| analyze(&text, from, to).diagnosis);
        let [begin, end, one, other] = parts.each_ref().map(|part| part[0].kind);
        let first = whole[0].kind;
        let contains = |part: &[Diagnosis]| part.iter().any(|found| found.kind == first);
        let has_cause = !matches!(first, StutterKind::Even | StutterKind::Unknown);
        logs += 1;
        cuts += usize::from(begin == first) + usize::from(end == first);
        halves += usize::from(one == other);
        as_whole += usize::from(one == first) + usize::from(other == first);
        if first == StutterKind::Even {
            hitches_of_even.push(metrics.hitches.len());
        }
        with_cause += usize::from(has_cause);
        shown += usize::from(has_cause && contains(&parts[2]) && contains(&parts[3]));
        let found = parts.iter().chain([&whole]).flatten();
        for rate in found.filter_map(|one| one.refresh_hz) {
            named += 1;
            right += usize::from((rate / hertz - 1.0).abs() <= 0.01);
        }
        if has("--list") {
            println!(
                "{}: {first}; cut {begin} | {end}; halves {one} | {other}",
                file.display()
            );
            for found in &whole {
                println!("    {}: {}", found.kind, found.evidence);
            }
        }
    }
    println!("{logs} recordings");
    println!(
        "first diagnosis unchanged by cutting 5 % at either end: {cuts} of {}",
        2 * logs
    );
    println!(
        "first diagnosis equal in both halves: {halves} of {logs}; of a half and the whole: {as_whole} of {}",
        2 * logs
    );
    println!("verdicts with a cause: {with_cause}; both halves show it: {shown}");
    let most = hitches_of_even.iter().max().copied().unwrap_or_default();
    println!(
        "even frames: {}, with at most {most} hitches, {} with any",
        hitches_of_even.len(),
        hitches_of_even.iter().filter(|count| **count > 0).count()
    );
    println!("refresh rates named (wholes, cuts and halves): {named}; within 1 % of {hertz} Hz: {right}");
    Ok(())
}

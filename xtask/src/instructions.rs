//! Counts the instructions of the work of a frame and compares them with stored counts. Unlike times, counts do not vary with the
//! machine and its load.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::built::built;

/// The file with the stored counts: a line for each kind of work, with its instructions.
const KEPT: &str = "stored/instructions.txt";

/// The largest allowed ratio to the stored count.
const ALLOWED: f64 = 1.10;

/// The instructions are counted for few and for many repetitions. The difference leaves out the start of the program.
const TIMES: (u32, u32) = (100, 400);

/// The kinds of work of `xtask/instruction_count`, with the number of units in one repetition.
const WORK: &[(&str, f64)] = &[
    ("advance", 1.0),
    ("display-clock", 1.0),
    ("blend-2d", 1024.0),
    ("blend-3d", 1024.0),
    ("capture-2d", 1024.0),
    ("capture-3d", 1024.0),
    ("teleport-2d", 1024.0),
];

/// Stores new counts.
pub(crate) fn store(shell: &Shell) -> Result<()> {
    let mut text = String::new();
    for (work, count) in count_all(shell)? {
        let _ = writeln!(text, "{work} {count:.1}");
    }
    Ok(shell.write_file(KEPT, text)?)
}

/// Fails if any work takes over 10 % more instructions than stored.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let kept = shell.read_file(KEPT)?;
    let figure = |work: &str| {
        let mut lines = kept.lines().filter_map(|line| line.split_once(' '));
        let (_, figure) = lines.find(|(name, _)| *name == work)?;
        figure.parse::<f64>().ok()
    };
    let mut slower = Vec::new();
    for (work, count) in count_all(shell)? {
        let figure = figure(work).with_context(|| format!("{KEPT}: has no figure for {work}"))?;
        println!("{work:14} {count:8.1} instructions, {figure:8.1} stored");
        if count > ALLOWED * figure {
            slower.push(work);
        }
    }
    if !slower.is_empty() {
        let slower = slower.join(", ");
        bail!(
            "{slower}: over a tenth more instructions than stored; to accept them: cargo xtask bless --only instructions"
        );
    }
    Ok(())
}

/// Counts the instructions per unit of each kind of work.
fn count_all(shell: &Shell) -> Result<Vec<(&'static str, f64)>> {
    cmd!(shell, "cargo build --release -p evenstep-instruction-count").run()?;
    let (few, many) = TIMES;
    let count = |(work, units): &(&'static str, f64)| {
        let more = count(shell, work, many)? - count(shell, work, few)?;
        Ok((*work, more / (f64::from(many - few) * units)))
    };
    WORK.iter().map(count).collect()
}

/// Counts the instructions of work that is repeated a number of times.
fn count(shell: &Shell, work: &str, times: u32) -> Result<f64> {
    let times = times.to_string();
    let program = built("release/instruction_count")?;
    let valgrind = "--tool=callgrind --callgrind-out-file=/dev/null".split(' ');
    let output = cmd!(shell, "valgrind {valgrind...} {program} {work} {times}")
        .quiet()
        .read_stderr()?;
    let line = output.lines().find_map(|line| line.split_once("Collected :"));
    let count = line.and_then(|(_, count)| count.trim().parse().ok());
    count.with_context(|| format!("valgrind counted nothing: {output}"))
}

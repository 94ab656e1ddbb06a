//! The same bits on every processor: builds `determinism` for each target, runs it, and compares the outputs.

use std::panic::resume_unwind;
use std::thread;

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::skipped::skip;

mod emulator;
mod stored;
mod table;
mod target;

use table::Column;
use target::{Build, FOLDER, TARGETS, Target};

/// The number of frames for each part of the toolkit: over two million in all.
const FRAMES: u32 = 250_000;

/// The number of frames in `cargo ci`, which has less time.
const FRAMES_IN_CI: u32 = 40_000;

/// The targets that `cargo ci` runs, besides this machine's own.
const IN_CI: &[&str] = &["wasm32", "chromium"];

/// Options of `cargo xtask same-bits`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only targets whose names contain this, besides this machine's own. Can be given more than once.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Compile for other targets at opt-level 1, which takes half the time.
    #[arg(long)]
    quick: bool,
    /// Store the table in stored/same-bits.md. Columns of targets that were not run are kept if the first column is unchanged.
    #[arg(long)]
    store: bool,
}

/// Runs all targets, prints the table and fails if its cells differ.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let wanted = |target: &&Target| {
        let is_named = options.only.iter().any(|text| target.name.contains(text));
        options.only.is_empty() || target.is_own() || is_named
    };
    let build = |target: &Target| match options.quick && !target.is_own() {
        true => Build::Quick,
        false => Build::Optimised,
    };
    let mut columns = compare(shell, TARGETS.iter().filter(wanted), FRAMES, build)?;
    if options.store {
        columns.extend(stored::others(shell, &columns)?);
        columns.sort_by_key(|column| TARGETS.iter().position(|target| target.name == column.name));
    }
    let table = table::text(&columns)?;
    println!("\n{table}");
    shell.write_file(format!("{FOLDER}/table.md"), &table)?;
    table::check(&columns)?;
    if options.store {
        stored::write(shell, &table)?;
    }
    Ok(())
}

/// Runs all targets and stores the table.
pub(crate) fn store(shell: &Shell) -> Result<()> {
    run(
        shell,
        &Options {
            only: Vec::new(),
            quick: false,
            store: true,
        },
    )
}

/// The part that `cargo ci` has time for.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let wanted = |target: &&Target| target.is_own() || IN_CI.contains(&target.name);
    let build = |target: &Target| match target.is_own() {
        true => Build::OfTests,
        false => Build::Quick,
    };
    let columns = compare(shell, TARGETS.iter().filter(wanted), FRAMES_IN_CI, build)?;
    table::check(&columns)?;
    let has_run = |target: &&Target| columns.iter().any(|column| column.name == target.name);
    match TARGETS.iter().filter(wanted).find(|target| !has_run(target)) {
        Some(target) => Err(skip(format!(
            "{} is left out, see above; the others agree",
            target.name
        ))),
        None => Ok(()),
    }
}

/// Builds and runs targets. A target whose tools are missing is named and left out.
fn compare<'a>(
    shell: &Shell,
    targets: impl Iterator<Item = &'a Target>,
    frames: u32,
    build: impl Fn(&Target) -> Build,
) -> Result<Vec<Column>> {
    let own = &TARGETS[0];
    let mut built = Vec::new();
    for (seed, target) in (1_u32..).zip(targets) {
        match target.find_tools(shell) {
            Ok(tools) => {
                println!("same-bits: {}", target.name);
                let program = target.build(shell, &tools, build(target))?;
                built.push((seed, target, program));
            }
            Err(reason) => println!("same-bits: {} is left out: {reason:#}", target.name),
        }
    }
    let columns = beside(shell, &built, |shell, (seed, target, program)| {
        column(shell, target, program, *seed, frames)
    })?;
    if built.first().is_some_and(|(_, first, _)| first.name == own.name) {
        beside(shell, &built, |shell, (_, target, program)| {
            exchange(shell, own, target, program)
        })?;
    }
    Ok(columns)
}

/// Does the work for all at the same time, since each program has one thread.
fn beside<T: Sync, R: Send>(shell: &Shell, all: &[T], work: impl Fn(&Shell, &T) -> Result<R> + Sync) -> Result<Vec<R>> {
    let work = &work;
    thread::scope(|scope| {
        let start = |one| {
            let shell = shell.clone();
            scope.spawn(move || work(&shell, one))
        };
        let running: Vec<_> = all.iter().map(start).collect();
        let ended = running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        ended.collect()
    })
}

/// Runs everything on a target at frame times of its own.
fn column(shell: &Shell, target: &Target, program: &target::Program, seed: u32, frames: u32) -> Result<Column> {
    let (seed, frames) = (seed.to_string(), frames.to_string());
    let mut output = program.run(shell, &["run", &seed, &recordings(target)])?;
    output += "\n";
    output += &program.run(shell, &["toolkit", &frames])?;
    let pairs = output.lines().filter_map(|line| line.split_once(' '));
    let hashes = pairs.map(|(row, hash)| (row.to_owned(), hash.to_owned())).collect();
    Ok(Column {
        name: target.name.to_owned(),
        date: cmd!(shell, "date -u +%F").quiet().read()?,
        tools: program.tools.clone(),
        hashes,
    })
}

/// Replays the recordings of this machine on another target, and the target's recordings here.
fn exchange(shell: &Shell, own: &Target, target: &Target, program: &target::Program) -> Result<()> {
    replay(shell, target, program, &recordings(own))?;
    if target.is_own() {
        return Ok(());
    }
    replay(shell, own, &own.built(), &recordings(target))
}

/// The folder of the recordings of a target.
fn recordings(target: &Target) -> String {
    format!("{FOLDER}/recordings/{}", target.name)
}

/// Fails if a replay differs from its recording.
fn replay(shell: &Shell, target: &Target, program: &target::Program, folder: &str) -> Result<()> {
    let output = program.run(shell, &["replay", folder])?;
    let others = output.lines().find(|line| !line.ends_with(" the same"));
    if let Some(line) = others {
        bail!("{folder} replayed on {}: {line}", target.name);
    }
    let count = output.lines().count();
    println!("same-bits: {count} recordings of {folder} replay on {}", target.name);
    Ok(())
}

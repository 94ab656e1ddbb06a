//! The same bits on every processor: builds `proof` for each target, runs it, and compares what it prints.

use anyhow::{Result, bail};
use xshell::Shell;

mod table;
mod target;

use table::Column;
use target::{Build, FOLDER, TARGETS, Target};

/// Frames of each part of the toolkit.
const FRAMES: u32 = 1_000_000;

/// The same for `cargo ci`, which has other things to do.
const FRAMES_IN_CI: u32 = 100_000;

/// What `cargo ci` runs, beside this machine's own: the browser's, on all engines that it has.
const IN_CI: &[&str] = &["wasm32"];

/// Options of `cargo xtask same-bits`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only targets whose names contain this, beside this machine's own.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Write the table into docs/pages/determinism.md.
    #[arg(long)]
    store: bool,
}

/// Runs all targets, prints the table and fails if its cells differ.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let wanted = |target: &&Target| {
        let text = options.only.as_deref().unwrap_or_default();
        target.is_own() || target.name.contains(text)
    };
    let columns = compare(shell, TARGETS.iter().filter(wanted), FRAMES, Build::Optimised)?;
    let table = table::text(shell, &columns)?;
    println!("\n{table}");
    shell.write_file(format!("{FOLDER}/table.md"), &table)?;
    if options.store {
        table::store(shell, &table)?;
    }
    table::check(&columns)
}

/// The part of it that `cargo ci` has time for.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let wanted = |target: &&Target| target.is_own() || IN_CI.contains(&target.name);
    let columns = compare(shell, TARGETS.iter().filter(wanted), FRAMES_IN_CI, Build::Quick)?;
    table::check(&columns)
}

/// Runs targets one after the other; one whose tools are missing is named and left out.
fn compare<'a>(
    shell: &Shell,
    targets: impl Iterator<Item = &'a Target>,
    frames: u32,
    build: Build,
) -> Result<Vec<Column>> {
    let own = &TARGETS[0];
    let mut columns = Vec::new();
    for (seed, target) in (1_u32..).zip(targets) {
        match target.find_tools(shell) {
            Ok(tools) => {
                println!("same-bits: {}", target.name);
                let proof = target.build(shell, &tools, build)?;
                columns.push(column(shell, target, &proof, seed, frames)?);
                if columns[0].name == own.name {
                    exchange(shell, own, target, &proof)?;
                }
            }
            Err(reason) => println!("same-bits: {} is left out: {reason:#}", target.name),
        }
    }
    Ok(columns)
}

/// Runs everything on a target at frame times of its own.
fn column(shell: &Shell, target: &Target, proof: &target::Proof, seed: u32, frames: u32) -> Result<Column> {
    let (seed, frames) = (seed.to_string(), frames.to_string());
    let mut said = proof.run(shell, &["run", &seed, &recordings(target)])?;
    said += "\n";
    said += &proof.run(shell, &["toolkit", &frames])?;
    let pairs = said.lines().filter_map(|line| line.split_once(' '));
    let hashes = pairs.map(|(row, hash)| (row.to_owned(), hash.to_owned())).collect();
    Ok(Column {
        name: target.name,
        tools: proof.tools.clone(),
        hashes,
    })
}

/// Replays the recordings of this machine on another target, and the target's here.
fn exchange(shell: &Shell, own: &Target, target: &Target, proof: &target::Proof) -> Result<()> {
    replay(shell, target, proof, &recordings(own))?;
    if target.is_own() {
        return Ok(());
    }
    replay(shell, own, &own.built(), &recordings(target))
}

/// Where the recordings of a target are.
fn recordings(target: &Target) -> String {
    format!("{FOLDER}/recordings/{}", target.name)
}

/// Fails if a recording comes out otherwise.
fn replay(shell: &Shell, target: &Target, proof: &target::Proof, folder: &str) -> Result<()> {
    let said = proof.run(shell, &["replay", folder])?;
    let others = said.lines().find(|line| !line.ends_with(" the same"));
    if let Some(line) = others {
        bail!("{folder} replayed on {}: {line}", target.name);
    }
    let count = said.lines().count();
    println!("same-bits: {count} recordings of {folder} replay on {}", target.name);
    Ok(())
}

//! The same bits elsewhere: the test of `lab/determinism`, which compares its hashes with the stored ones, on emulated processors, and its
//! hashes in WebAssembly.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::{programs, setup, wasm};

const PACKAGE: &str = "evenstep-determinism";

/// The stored table, which the book includes.
const TABLE: &str = "stored/same-bits.md";

/// When the hashes were compared on emulated processors, which the book includes.
const COMPARED: &str = "stored/processors.md";

/// The folder of the module and its JavaScript.
const FOLDER: &str = "target/same-bits";

/// A processor that QEMU emulates for the programs of Linux.
struct Processor {
    name: &'static str,
    target: &'static str,
    /// The prefix of the compiler, and the folder of the libraries below `/usr`.
    system: &'static str,
    emulator: &'static str,
    /// The engines that compile for it.
    engines: &'static str,
}

const PROCESSORS: [Processor; 3] = [
    Processor {
        name: "aarch64",
        target: "aarch64-unknown-linux-gnu",
        system: "aarch64-linux-gnu",
        emulator: "qemu-aarch64",
        engines: "box2d,rapier2d,rapier3d",
    },
    Processor {
        name: "armv7",
        target: "armv7-unknown-linux-gnueabihf",
        system: "arm-linux-gnueabihf",
        emulator: "qemu-arm",
        engines: "rapier2d,rapier3d",
    },
    Processor {
        name: "s390x",
        target: "s390x-unknown-linux-gnu",
        system: "s390x-linux-gnu",
        emulator: "qemu-s390x",
        engines: "",
    },
];

/// Options of `cargo xtask same-bits`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these processors.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = PROCESSORS.map(|processor| processor.name))]
    only: Vec<String>,
}

/// Compares the hashes on emulated processors with the stored ones, and writes when that was.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let is_wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    for processor in PROCESSORS.iter().filter(|processor| is_wanted(processor.name)) {
        let name = processor.name;
        processor
            .test(shell)
            .with_context(|| format!("{name}: docs/pages/determinism.md says what this needs"))?;
        let (program, date) = (processor.emulator, cmd!(shell, "date --utc +%F").quiet().read()?);
        let version = cmd!(shell, "{program} --version").quiet().read()?;
        let version = version.split(' ').nth(2).unwrap_or_default();
        let commit = cmd!(shell, "git rev-parse --short=8 HEAD").quiet().read()?;
        let row = format!("| {name} | {version} | {date} | {commit} | `{}` |", digest(shell)?);
        let table = shell.read_file(COMPARED)?;
        let row_before = table.lines().find(|line| line.starts_with(&format!("| {name} |")));
        let row_before = row_before.with_context(|| format!("{COMPARED} has no row of {name}"))?;
        shell.write_file(COMPARED, table.replace(row_before, &row))?;
    }
    Ok(())
}

/// The words before a program for aarch64, where QEMU and that processor's C library are installed.
pub(crate) fn on_aarch64(shell: &Shell) -> Option<String> {
    let [aarch64, ..] = &PROCESSORS;
    let program = aarch64.emulator;
    let is_there = Path::new("/usr").join(aarch64.system).exists() && setup::runs(cmd!(shell, "{program} --version"));
    is_there.then(|| aarch64.runner())
}

impl Processor {
    /// The words before its programs.
    fn runner(&self) -> String {
        format!("{} -L /usr/{}", self.emulator, self.system)
    }

    /// Runs the package's test there.
    fn test(&self, shell: &Shell) -> Result<()> {
        let (target, engines) = (self.target, self.engines);
        setup::rust_target(shell, target)?;
        let variable = |name: &str| format!("CARGO_TARGET_{}_{name}", target.replace('-', "_").to_uppercase());
        Ok(cmd!(
            shell,
            "cargo test --locked --release --target {target} --package {PACKAGE} --no-default-features --features {engines}"
        )
        .env(variable("LINKER"), format!("{}-gcc", self.system))
        .env(variable("RUNNER"), self.runner())
        .run()?)
    }
}

/// What tells the stored hashes from others.
fn digest(shell: &Shell) -> Result<String> {
    let digest = cmd!(shell, "git hash-object {TABLE}").quiet().read()?;
    Ok(digest[..8].to_owned())
}

/// Fails if hashes changed since they were compared on a processor.
pub(crate) fn check_fresh(shell: &Shell) -> Result<()> {
    let digest = digest(shell)?;
    let fresh = shell.read_file(COMPARED)?.matches(&digest).count();
    ensure!(
        fresh == PROCESSORS.len(),
        "{COMPARED}: hashes were not compared on each processor since they changed; run cargo xtask same-bits"
    );
    Ok(())
}

/// Stores the hashes of this machine.
pub(crate) fn store(shell: &Shell) -> Result<()> {
    let table = cmd!(shell, "cargo run --quiet --package {PACKAGE}").read()?;
    Ok(shell.write_file(TABLE, table + "\n")?)
}

/// The step of `cargo ci`, with the engine that is compiled for the page.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    setup::node(shell)?;
    programs::build(shell)?;
    let module = wasm::compile(shell, PACKAGE, "determinism", "rapier2d")?;
    wasm::bind(shell, &module, "determinism", FOLDER)?;
    let table = cmd!(shell, "node lab/determinism/run.mjs {FOLDER}").quiet().read()?;
    let stored = shell.read_file(TABLE)?;
    if let Some(row) = table.lines().find(|row| !stored.contains(row)) {
        bail!("not the same bits: WebAssembly has the row {row}, which {TABLE} has not");
    }
    println!("the {} lines of WebAssembly are the stored ones", table.lines().count());
    Ok(())
}

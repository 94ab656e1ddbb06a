//! The same bits elsewhere: runs `lab/determinism` in WebAssembly and on emulated processors, and compares its hashes with the stored ones. A test
//! of that package compares this machine's.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::{programs, setup, wasm};

const PACKAGE: &str = "evenstep-determinism";

/// The stored table, which the book includes.
const TABLE: &str = "stored/same-bits.md";

/// When the hashes were compared on emulated processors, which the book includes.
const COMPARED: &str = "stored/processors.md";

/// The folder of QEMU's programs, if not that of the system.
const QEMU: &str = "EVENSTEP_QEMU";

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
    /// Only these processors: aarch64, armv7, s390x.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
}

/// Compares the hashes on emulated processors with the stored ones, and writes when that was.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    for name in &options.only {
        let is_known = PROCESSORS.iter().any(|processor| processor.name == name);
        ensure!(
            is_known,
            "no processor is called {name:?}; see cargo xtask same-bits --help"
        );
    }
    let is_wanted =
        |processor: &&Processor| options.only.is_empty() || options.only.iter().any(|only| only == processor.name);
    for processor in PROCESSORS.iter().filter(is_wanted) {
        let found = processor.report(shell)?;
        let stored = processor.stored(&shell.read_file(TABLE)?);
        let rows = || found.lines().skip(2);
        if let Some(row) = rows().find(|row| !stored.contains(row)) {
            bail!(
                "not the same bits: {} has the row {row}, which {TABLE} has not",
                processor.name
            );
        }
        ensure!(
            rows().count() == stored.lines().count(),
            "{} lacks rows",
            processor.name
        );
        let date = cmd!(shell, "date --utc +%F").quiet().read()?;
        let commit = cmd!(shell, "git rev-parse --short=8 HEAD").quiet().read()?;
        let emulator = processor.emulator(shell);
        let version = cmd!(shell, "{emulator} --version").quiet().read()?;
        let version = version.split(' ').nth(2).unwrap_or_default();
        let digest = digest(shell, stored.clone())?;
        let compared = format!(
            "{} | {version} | {date} | {commit} | `{digest}`",
            stored.lines().count()
        );
        println!("same bits: {} | {compared}", processor.name);
        write_compared(shell, Some((processor.name, &compared)))?;
    }
    Ok(())
}

/// The words before a program for aarch64, where QEMU and that processor's C library are installed.
pub(crate) fn on_aarch64(shell: &Shell) -> Option<String> {
    let [aarch64, ..] = &PROCESSORS;
    let (emulator, library) = (aarch64.emulator(shell), format!("/usr/{}", aarch64.system));
    let runs = setup::runs(cmd!(shell, "{emulator} --version"));
    (runs && Path::new(&library).exists()).then(|| format!("{} -L {library}", emulator.display()))
}

impl Processor {
    fn emulator(&self, shell: &Shell) -> PathBuf {
        let folder = shell.var_os(QEMU);
        folder.map_or_else(PathBuf::new, PathBuf::from).join(self.emulator)
    }

    /// The table of the hashes there.
    fn report(&self, shell: &Shell) -> Result<String> {
        let Self {
            name,
            target,
            system,
            engines,
            ..
        } = self;
        setup::rust_target(shell, target)?;
        let variable = format!("CARGO_TARGET_{}_LINKER", target.replace('-', "_").to_uppercase());
        cmd!(
            shell,
            "cargo build --locked --release --target {target} --package {PACKAGE} --no-default-features --features {engines}"
        )
        .env(variable, format!("{system}-gcc"))
        .run()
        .with_context(|| format!("{name}: cargo xtask setup --processors installs its compiler and QEMU"))?;
        let emulator = self.emulator(shell);
        let table = cmd!(shell, "{emulator} -L /usr/{system} target/{target}/release/determinism").read();
        table.with_context(|| format!("{name}: QEMU 8.1 or later is right; another one is in the folder of {QEMU}"))
    }

    /// Of the stored rows those that it has.
    fn stored(&self, table: &str) -> String {
        let without =
            ["box2d", "rapier2d", "rapier3d"].map(|engine| (format!("-{engine} "), self.engines.contains(engine)));
        let is_there = |row: &&str| without.iter().all(|(end, has)| *has || !row.contains(end));
        let rows = table.lines().skip(2).filter(is_there);
        rows.fold(String::new(), |rows, row| rows + row + "\n")
    }

    /// What the table of comparisons says of it: how many hashes, by which QEMU, when, at which commit, and their digest.
    fn compared<'a>(&self, table: &'a str) -> Option<&'a str> {
        let row = table
            .lines()
            .find_map(|row| row.strip_prefix(&format!("| {} | ", self.name)))?;
        Some(row.rsplit_once(" | ")?.0)
    }
}

/// What tells a table from another.
fn digest(shell: &Shell, table: String) -> Result<String> {
    let hash = cmd!(shell, "git hash-object --stdin").stdin(table).quiet().read()?;
    Ok(hash[..8].to_owned())
}

/// The table of comparisons, with a new one, and whether the hashes of each are still the stored ones.
fn compared(shell: &Shell, new: Option<(&str, &str)>) -> Result<String> {
    let (hashes, before) = (shell.read_file(TABLE)?, shell.read_file(COMPARED).unwrap_or_default());
    let mut table = String::from(
        "| by QEMU | hashes | version | date | commit | digest | since then |\n|---|--:|---|---|---|---|---|\n",
    );
    for processor in &PROCESSORS {
        let is_new = |(name, _): &(&str, &str)| *name == processor.name;
        let Some(compared) = new
            .filter(is_new)
            .map(|(_, compared)| compared)
            .or(processor.compared(&before))
        else {
            continue;
        };
        let is_fresh = compared.ends_with(&format!("`{}`", digest(shell, processor.stored(&hashes))?));
        let since = if is_fresh { "unchanged" } else { "**changed**" };
        writeln!(table, "| {} | {compared} | {since} |", processor.name)?;
    }
    Ok(table)
}

fn write_compared(shell: &Shell, new: Option<(&str, &str)>) -> Result<()> {
    Ok(shell.write_file(COMPARED, compared(shell, new)?)?)
}

/// Fails if hashes changed since they were compared on a processor.
pub(crate) fn check_fresh(shell: &Shell) -> Result<()> {
    let table = compared(shell, None)?;
    let fresh = table.lines().filter(|row| row.ends_with("| unchanged |")).count();
    ensure!(
        fresh == PROCESSORS.len(),
        "{COMPARED}: hashes were not compared on each processor since they changed; run cargo xtask same-bits"
    );
    Ok(())
}

/// Stores the hashes of this machine.
pub(crate) fn store(shell: &Shell) -> Result<()> {
    let table = cmd!(shell, "cargo run --quiet --package {PACKAGE}").read()?;
    shell.write_file(TABLE, table + "\n")?;
    write_compared(shell, None)
}

/// The step of `cargo ci`, with the engine that is compiled for the page.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    ensure!(
        shell.read_file(COMPARED)? == compared(shell, None)?,
        "{COMPARED} is out of date: cargo xtask bless --only same-bits"
    );
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

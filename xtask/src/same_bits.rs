//! The same bits on every processor: builds `lab/determinism` for each target, runs it, and compares the hashes.

use std::env;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::compiler::Compiler;
use crate::setup::{self, version};
use crate::{programs, wasm};

const PACKAGE: &str = "evenstep-determinism";

/// The folder of the builds for other processors.
const FOLDER: &str = "target/same-bits";

/// The program's exit status if the processor or its emulator computes wrong.
const BROKEN: i32 = 3;

/// The stored table, which the book includes and the program's own test reads.
const TABLE: &str = "stored/same-bits.md";

/// A processor.
struct Target {
    name: &'static str,
    triple: &'static str,
    engines: &'static str,
    runner: Runner,
}

enum Runner {
    /// This machine.
    Own,
    Node,
    /// QEMU's program, with the prefix of the C compiler's programs and the Debian package of the C library.
    Qemu(&'static str, &'static str, &'static str),
}

/// All targets. The first is this machine's own.
const TARGETS: [Target; 4] = [
    Target {
        name: "native",
        triple: "",
        engines: "box2d,rapier2d,rapier3d",
        runner: Runner::Own,
    },
    // The binding of Box2D does not build for it.
    Target {
        name: "wasm32",
        triple: wasm::TARGET,
        engines: "rapier2d,rapier3d",
        runner: Runner::Node,
    },
    Target {
        name: "aarch64",
        triple: "aarch64-unknown-linux-gnu",
        engines: "box2d,rapier2d,rapier3d",
        runner: Runner::Qemu("qemu-aarch64", "aarch64-linux-gnu", "libc6-dev-arm64-cross"),
    },
    // Big-endian, which the engines do not support.
    Target {
        name: "s390x",
        triple: "s390x-unknown-linux-gnu",
        engines: "",
        runner: Runner::Qemu("qemu-s390x", "s390x-linux-gnu", "libc6-dev-s390x-cross"),
    },
];

/// Options of `cargo xtask same-bits`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only targets whose names contain this, besides this machine's own. Can be given more than once.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
}

/// The results of a target.
struct Column {
    target: &'static Target,
    /// The compilers and the program that ran it, with their versions.
    tools: String,
    hashes: Vec<(String, String)>,
}

/// Runs the targets, prints the table and fails if hashes differ.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let is_named = |target: &Target| options.only.iter().any(|text| target.name.contains(text));
    let columns = compare(shell, |target| options.only.is_empty() || is_named(target))?;
    println!("\n{}", table(shell, &columns)?);
    Ok(())
}

/// Runs all targets and stores the table. A target whose tools are missing has no column.
pub(crate) fn store(shell: &Shell) -> Result<()> {
    let columns = compare(shell, |_| true)?;
    Ok(shell.write_file(TABLE, table(shell, &columns)?)?)
}

/// The part that `cargo ci` has time for: WebAssembly, with the engine that is compiled for the page. A test of the package compares this
/// machine's own hashes with the stored ones.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let [_, target, ..] = &TARGETS;
    let tools = target.find_tools(shell)?;
    programs::build(shell)?;
    let table = shell.read_file(TABLE)?;
    let cells = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split_once(" | `"));
    let hash_of = |rest: &str| rest.split('`').next().unwrap_or_default().to_owned();
    let stored: Vec<_> = cells.map(|(row, rest)| (row.to_owned(), hash_of(rest))).collect();
    match target.column(shell, tools, "rapier2d")? {
        Some(column) => column.check(&stored),
        None => bail!("{} has no results", target.name),
    }
}

/// Runs this machine's own target and others, and fails if hashes differ. A target whose tools are missing is named and left out.
fn compare(shell: &Shell, is_wanted: impl Fn(&Target) -> bool) -> Result<Vec<Column>> {
    programs::build_writers(shell)?;
    let mut columns: Vec<Column> = Vec::new();
    for (number, target) in TARGETS.iter().enumerate() {
        if number > 0 && !is_wanted(target) {
            continue;
        }
        println!("same-bits: {}", target.name);
        let tools = match target.find_tools(shell) {
            Ok(tools) => tools,
            Err(reason) => {
                println!("same-bits: {} is left out: {reason:#}", target.name);
                continue;
            }
        };
        if let Some(column) = target.column(shell, tools, target.engines)? {
            column.check(&columns.first().unwrap_or(&column).hashes)?;
            columns.push(column);
        }
    }
    Ok(columns)
}

impl Column {
    /// Fails if a hash is not among the expected ones.
    fn check(&self, expected: &[(String, String)]) -> Result<()> {
        let name = self.target.name;
        if let Some((row, hash)) = self.hashes.iter().find(|result| !expected.contains(result)) {
            let other = expected.iter().find(|(other, _)| other == row);
            let other = other.map_or("nothing", |(_, hash)| hash);
            bail!("not the same bits: {row} is {hash} on {name}, and {other} is expected");
        }
        println!(
            "same-bits: {} hashes on {name} are the expected ones",
            self.hashes.len()
        );
        Ok(())
    }
}

/// The table as the book shows it: the hash once, `=` for the same hash, and `–` where the target does not have the engine.
fn table(shell: &Shell, columns: &[Column]) -> Result<String> {
    let mut text = String::from("| | hash |");
    columns
        .iter()
        .for_each(|column| _ = write!(text, " {} |", column.target.name));
    let _ = writeln!(text, "\n|---|---|{}", "---|".repeat(columns.len()));
    for (row, hash) in &columns.first().context("no target has run")?.hashes {
        let _ = write!(text, "| {row} | `{hash}` |");
        for column in columns {
            let has_row = column.hashes.iter().any(|(other, _)| other == row);
            let _ = write!(text, " {} |", if has_row { "=" } else { "–" });
        }
        text.push('\n');
    }
    let date = cmd!(shell, "date -u +%F").quiet().read()?;
    let _ = writeln!(text, "\nMade on {date}:\n");
    for column in columns {
        let _ = writeln!(text, "- {}: {}", column.target.name, column.tools);
    }
    Ok(text)
}

/// The tools of a target.
struct Tools {
    compiler: Compiler,
    versions: String,
}

impl Target {
    /// Finds the tools, and installs missing ones. Fails if that is not possible.
    fn find_tools(&self, shell: &Shell) -> Result<Tools> {
        let (compiler, runner) = match self.runner {
            Runner::Own => (
                Compiler::Toolchain,
                format!("{}-{}", env::consts::ARCH, env::consts::OS),
            ),
            Runner::Node => {
                setup::node(shell)?;
                (
                    Compiler::find(shell, self.triple)?,
                    format!("Node.js {}", version(shell, "node")?),
                )
            }
            Runner::Qemu(qemu, prefix, library) => {
                let (gcc, emulator) = (format!("{prefix}-gcc"), emulator(qemu));
                let packages = [&format!("gcc-{prefix}"), library, "qemu-user"];
                setup::programs(shell, &[&gcc, &emulator], &packages)?;
                let versions = [version(shell, &gcc)?, version(shell, &emulator)?];
                (Compiler::find(shell, self.triple)?, versions.join(", "))
            }
        };
        let versions = format!("{}, {runner}", compiler.version(shell)?);
        Ok(Tools { compiler, versions })
    }

    /// Builds the program and runs it. There is no column if the emulator computes wrong, which is printed.
    fn column(&'static self, shell: &Shell, tools: Tools, engines: &str) -> Result<Option<Column>> {
        let output = match self.runner {
            Runner::Own => cmd!(shell, "cargo run --quiet --package {PACKAGE}").quiet().read()?,
            Runner::Node => {
                let folder = PathBuf::from(FOLDER).join(self.name);
                let module = wasm::compile(shell, &tools.compiler, PACKAGE, "determinism", engines)?;
                wasm::bind(shell, &module, "determinism", &folder)?;
                cmd!(shell, "node lab/determinism/run.mjs {folder}").quiet().read()?
            }
            Runner::Qemu(qemu, prefix, _) => {
                self.cross_compile(shell, &tools.compiler, prefix, engines)?;
                let (emulator, triple) = (emulator(qemu), self.triple);
                let run = cmd!(shell, "{emulator} {FOLDER}/{triple}/release/determinism");
                let output = run.quiet().ignore_status().output()?;
                let errors = String::from_utf8_lossy(&output.stderr);
                match output.status.code() {
                    Some(0) => String::from_utf8(output.stdout)?,
                    Some(BROKEN) => {
                        println!(
                            "same-bits: {} is left out: {}: {}",
                            self.name,
                            tools.versions,
                            errors.trim()
                        );
                        return Ok(None);
                    }
                    _ => bail!("{}: {}: {errors}", self.name, output.status),
                }
            }
        };
        let pairs = output.lines().filter_map(|line| line.split_once(' '));
        Ok(Some(Column {
            target: self,
            tools: tools.versions,
            hashes: pairs.map(|(row, hash)| (row.to_owned(), hash.to_owned())).collect(),
        }))
    }

    /// Compiles for Linux on another processor, at opt-level 1, which takes half the time. The program is linked statically, so that an
    /// emulator needs no libraries of the other system.
    fn cross_compile(&self, shell: &Shell, compiler: &Compiler, prefix: &str, engines: &str) -> Result<()> {
        let package = ["--package", PACKAGE, "--release", "--target-dir", FOLDER];
        let features = ["--no-default-features", "--features", engines];
        let in_c = |what: &str| format!("{what}_{}", self.triple.replace('-', "_"));
        compiler
            .build(shell, self.triple, &[&package[..], &features].concat())
            .env(
                setup::cargo_variable(self.triple, "RUSTFLAGS"),
                "-Ctarget-feature=+crt-static",
            )
            .env(setup::cargo_variable(self.triple, "LINKER"), format!("{prefix}-gcc"))
            .env(in_c("CC"), format!("{prefix}-gcc"))
            .env(in_c("AR"), format!("{prefix}-ar"))
            .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
            .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .run()?;
        Ok(())
    }
}

/// The emulator that the environment names, as `QEMU_S390X`, or the one that is on the path.
fn emulator(name: &str) -> String {
    env::var(name.to_uppercase().replace('-', "_")).unwrap_or_else(|_| name.to_owned())
}

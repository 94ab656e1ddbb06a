//! How long first builds take, each in an empty folder and on one core: the core beside `spin_sleep`, which others add for a loop, the
//! command up to its first report, and what `bevy_evenstep` adds to Bevy.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::built::COMPILED_ONCE;
use crate::processor;

/// The folders that are built in.
const FOLDER: &str = "target/build-times";

/// Options of `cargo xtask build-times`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Measure bevy_evenstep, too: compiling Bevy first takes minutes.
    #[arg(long)]
    bevy: bool,
}

/// Measures and prints all of them.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let core = core(shell)?;
    let print = |name: &str, seconds: f64| println!("{name:34} {seconds:6.1} s, {:5.1} x the core", seconds / core);
    let report = "run --release --package evenstep-cli -- analyze docs/my-game.csv";
    print("the command and its first report", seconds(shell, "command", report)?);
    if options.bevy {
        let build = "build --package bevy_evenstep";
        seconds(shell, "bevy", build)?;
        let target = folder(shell, "bevy");
        let ours = ["--package=evenstep", "--package=bevy_evenstep"];
        cmd!(shell, "cargo clean --quiet --target-dir {target} {ours...}")
            .quiet()
            .run()?;
        print("bevy_evenstep beyond Bevy", seconds_more(shell, "bevy", build)?);
    }
    Ok(())
}

/// The seconds that an empty program with the core takes, which it prints beside those of one with `spin_sleep`: the least of three rounds.
fn core(shell: &Shell) -> Result<f64> {
    let path = shell.current_dir().join("crates/evenstep");
    let core = format!("path = \"{}\"", path.display());
    let mut least = [f64::INFINITY; 2];
    for _ in 0..3 {
        for (least, (name, source)) in least
            .iter_mut()
            .zip([("evenstep", &*core), ("spin_sleep", r#"version = "1.3""#)])
        {
            let project = shell.current_dir().join(FOLDER).join("projects").join(name);
            let manifest = format!(
                "[package]\nname = \"first\"\nedition = \"2024\"\n\n[dependencies]\n{name} = {{ {source} }}\n\n[workspace]\n"
            );
            shell.write_file(project.join("Cargo.toml"), manifest)?;
            shell.write_file(project.join("src/main.rs"), "fn main() {}\n")?;
            shell.copy_file("Cargo.lock", &project)?;
            let build = format!("build --manifest-path {FOLDER}/projects/{name}/Cargo.toml");
            *least = least.min(seconds(shell, name, &build)?);
        }
    }
    let [core, other] = least;
    println!("{:34} {core:6.1} s, {:5.1} x spin_sleep", "the core", core / other);
    Ok(core)
}

/// Where a build has its results.
fn folder(shell: &Shell, name: &str) -> PathBuf {
    shell.current_dir().join(FOLDER).join(name)
}

/// The seconds that a command of cargo takes on one core with nothing built.
fn seconds(shell: &Shell, name: &str, command: &str) -> Result<f64> {
    shell.remove_path(folder(shell, name))?;
    seconds_more(shell, name, command)
}

/// The seconds that a command of cargo takes on one core: processor time where the system tells it, which other work on the machine
/// disturbs least.
fn seconds_more(shell: &Shell, name: &str, command: &str) -> Result<f64> {
    let (begun, used) = (Instant::now(), processor::time());
    let command = command.split(' ');
    let cargo = cmd!(shell, "cargo --quiet {command...}").env("CARGO_BUILD_JOBS", "1");
    // As cargo builds for a user, without the settings of `cargo ci`.
    COMPILED_ONCE
        .iter()
        .fold(cargo, |cargo, (name, _)| cargo.env_remove(name))
        .env("CARGO_TARGET_DIR", folder(shell, name))
        .quiet()
        .ignore_stdout()
        .run()?;
    let used = processor::time().zip(used).map(|(now, before)| now - before);
    Ok(used.unwrap_or_else(|| begun.elapsed()).as_secs_f64())
}

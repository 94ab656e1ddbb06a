//! Runs each fuzz target for a few seconds. `cargo fuzz run --sanitizer none TARGET` runs without a limit.

use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::setup;

/// Without the address sanitizer, which finds nothing in code that is free of `unsafe`, makes the targets slower to compile and to run, and
/// needs a nightly compiler.
const SAFE: [&str; 2] = ["--sanitizer", "none"];

/// Runs every fuzz target for a few seconds.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let fuzz = setup::installed_by_cargo(shell, "cargo-fuzz@0.13.2", &[])?;
    // These options halve the compile time, and a run of a few seconds gains nothing from more optimisation.
    let _level = shell.push_env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
    cmd!(shell, "{fuzz} build {SAFE...}").run()?;
    // A target has one thread, so several run at the same time.
    thread::scope(|scope| {
        let targets = cmd!(shell, "{fuzz} list").read()?;
        let start = |target: &str| {
            let (shell, fuzz, target) = (shell.clone(), fuzz.clone(), target.to_owned());
            scope.spawn(move || fuzz_briefly(&shell, &fuzz, &target))
        };
        let running: Vec<_> = targets.lines().map(start).collect();
        running
            .into_iter()
            .try_for_each(|target| target.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// Runs a fuzz target for a few seconds. Its output is shown if it fails.
fn fuzz_briefly(shell: &Shell, fuzz: &Path, target: &str) -> Result<()> {
    let run = cmd!(shell, "{fuzz} run {SAFE...} {target} -- -max_total_time=4");
    let output = run.ignore_status().output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("fuzz target {target} failed:\n{log}");
    }
    if let Some(done) = log.lines().rfind(|line| line.starts_with("Done ")) {
        println!("{target}: {done}");
    }
    Ok(())
}

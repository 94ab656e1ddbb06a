//! `cargo lab`: the demonstration.

use anyhow::Result;
use xshell::{Shell, cmd};

/// Runs the default scene and names its report.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    let report = "target/lab.html";
    cmd!(
        shell,
        "cargo run --release -p evenstep-cli -- run hockey --frames 75 --seconds 20 --report {report}"
    )
    .run()?;
    println!("report: {report}");
    Ok(())
}

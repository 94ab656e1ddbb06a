//! Runs GGRS's own integration tests with games that `evenstep-ggrs` drives.

use std::path::Path;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::{built, packages};

/// The source that replaces the games of these tests.
const GAMES: &str = "integrations/evenstep-ggrs/tests/ggrs_own";

/// Our tests of GGRS's example game, and that game in the package of GGRS.
const EXAMPLE_TESTS: &str = "integrations/evenstep-ggrs/ggrs_example/tests/example_desyncs.rs";
const EXAMPLE: &str = "examples/ex_game/ex_game.rs";

/// The folder of the package that combines both.
const OUT: &str = "target/ggrs";

/// Its manifest.
const MANIFEST: &str = r#"[package]
name = "ggrs-own-tests"
version = "0.0.0"
edition = "2021"
autotests = false

[workspace]

[dev-dependencies]
bincode = "1.3"
evenstep = { path = "../../crates/evenstep", features = ["std"] }
evenstep-ggrs = { path = "../../integrations/evenstep-ggrs" }
evenstep-desync = { path = "../../crates/evenstep-desync" }
ggrs = "0.13"
instant = "0.1"
serde = { version = "1", features = ["derive"] }
serial_test = "0.5"
simulated-network = { path = "../../lab/simulated-network", features = ["ggrs"] }
"#;

/// The step of `cargo ci`.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let package = packages::folder(shell, "ggrs")?;
    let (out, tests) = (Path::new(OUT), Path::new(OUT).join("tests"));
    shell.remove_path(&tests)?;
    shell.create_dir(&tests)?;
    let mut manifest = MANIFEST.to_owned();
    for file in shell.read_dir(package.join("tests"))? {
        shell.copy_file(&file, &tests)?;
        let name = file
            .file_stem()
            .and_then(|name| name.to_str())
            .context("a test has a name")?;
        if name.starts_with("test_") {
            manifest += &format!("\n[[test]]\nname = \"{name}\"\n");
        }
    }
    for file in shell.read_dir(GAMES)? {
        shell.copy_file(&file, &tests)?;
    }
    shell.copy_file(package.join(EXAMPLE), &tests)?;
    shell.copy_file(EXAMPLE_TESTS, &tests)?;
    shell.write_file(
        out.join("Cargo.toml"),
        manifest + "\n[[test]]\nname = \"example_desyncs\"\n\n" + &packages::profiles(shell)?,
    )?;
    shell.write_file(out.join("src/lib.rs"), "")?;
    shell.copy_file("Cargo.lock", out)?;
    // The target folder of the other builds, so that dependencies are compiled once.
    let target = built::folder()?;
    Ok(cmd!(
        shell,
        "cargo test --quiet --no-fail-fast --tests --manifest-path {OUT}/Cargo.toml --target-dir {target}"
    )
    .run()?)
}

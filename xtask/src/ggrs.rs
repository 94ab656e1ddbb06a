//! Runs GGRS's own integration tests with games that `evenstep-ggrs` drives.

use std::path::Path;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::{built, dependencies};

/// The source that replaces the games of these tests.
const GAMES: &str = "integrations/evenstep-ggrs/tests/ggrs_own";

/// Our tests of GGRS's example game, and the path of that game in the package of GGRS.
const EXAMPLE_TESTS: &str = "integrations/evenstep-ggrs/ggrs_example/tests/example_desyncs.rs";
const EXAMPLE: &str = "examples/ex_game/ex_game.rs";

/// The tests, in the package of GGRS.
const TESTS: [&str; 5] = [
    "test_p2p_session",
    "test_p2p_session_enum",
    "test_p2p_spectator_session",
    "test_synctest_session",
    "test_synctest_session_enum",
];

/// The folder of the package that combines both.
const OUT: &str = "target/ggrs";

/// The step of `cargo ci`.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let package = dependencies::folder(shell, "ggrs")?;
    shell.remove_path(Path::new(OUT).join("tests"))?;
    shell.create_dir(Path::new(OUT).join("tests"))?;
    for test in TESTS {
        let file = format!("tests/{test}.rs");
        shell.copy_file(package.join(&file), Path::new(OUT).join(&file))?;
    }
    for file in shell.read_dir(GAMES)? {
        let name = file.file_name().context("a file has a name")?;
        shell.copy_file(&file, Path::new(OUT).join("tests").join(name))?;
    }
    shell.copy_file(package.join(EXAMPLE), Path::new(OUT).join("tests/ex_game.rs"))?;
    shell.copy_file(EXAMPLE_TESTS, Path::new(OUT).join("tests/example_desyncs.rs"))?;
    shell.write_file(Path::new(OUT).join("Cargo.toml"), manifest(&shell.current_dir()))?;
    shell.write_file(Path::new(OUT).join("src/lib.rs"), "")?;
    shell.copy_file("Cargo.lock", Path::new(OUT).join("Cargo.lock"))?;
    let tests = TESTS
        .iter()
        .chain([&"example_desyncs"])
        .flat_map(|test| ["--test", test]);
    // The target folder of the other builds, so that dependencies are compiled once.
    let target = built::folder()?;
    Ok(cmd!(
        shell,
        "cargo test --quiet --manifest-path {OUT}/Cargo.toml --target-dir {target} {tests...}"
    )
    .run()?)
}

/// The manifest of a package with only these tests.
fn manifest(root: &Path) -> String {
    let tests: String = TESTS
        .iter()
        .chain([&"example_desyncs"])
        .map(|test| format!("[[test]]\nname = \"{test}\"\n\n"))
        .collect();
    format!(
        "[package]
name = \"ggrs-own-tests\"
version = \"0.0.0\"
edition = \"2021\"
autotests = false

[workspace]

[dev-dependencies]
bincode = \"1.3\"
evenstep = {{ path = \"{0}/crates/evenstep\", features = [\"std\"] }}
evenstep-ggrs = {{ path = \"{0}/integrations/evenstep-ggrs\" }}
evenstep-net = {{ path = \"{0}/integrations/evenstep-net\" }}
ggrs = \"0.13\"
instant = \"0.1\"
serde = {{ version = \"1\", features = [\"derive\"] }}
serial_test = \"0.5\"
simulated-network = {{ path = \"{0}/lab/simulated-network\", features = [\"ggrs\"] }}

[profile.dev]
debug = \"line-tables-only\"

# As in the workspace, which has compiled most of them.
[profile.dev.package.\"*\"]
debug = false

{1}",
        root.display(),
        tests
    )
}

//! The first programs of a user: each package is taken from a packed release, in an empty folder, and what the program prints is compared with
//! what a page says.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use super::{TARGETS, VERSION};
use crate::built::built;
use crate::snippets;

/// The page whose second and third program print the same on every machine.
const TUTORIAL: &str = "docs/pages/tutorial.md";

/// Where Debian's C library of aarch64 is, for QEMU.
const ARM_LIBRARY: &str = "/usr/aarch64-linux-gnu";

/// Six steps of 60 Hz fit into a tenth of a second.
const STEPS: &str = "6";
const IN_JAVASCRIPT: &str = r#"import { FixedTimestep } from "evenstep";

const timestep = new FixedTimestep(60);
timestep.beginFrame(0);
console.log([...timestep.beginFrame(100)].length);
"#;
const IN_PYTHON: &str = "import evenstep

timestep = evenstep.FixedTimestep(60)
timestep.begin_frame(0)
print(sum(1 for _ in timestep.begin_frame(100_000_000)))
";

/// Gets each package and runs its first program. Cargo fetches optional crates of others.
pub(super) fn try_out(shell: &Shell, release: &Path) -> Result<()> {
    // In a folder of cargo's, a package would be part of this workspace.
    let home = &std::env::temp_dir().join(format!("evenstep-first-{VERSION}"));
    shell.remove_path(home)?;
    let _release = shell.push_env("RELEASE", release);
    let _target = shell.push_env("CARGO_TARGET_DIR", built("packing/first")?);
    let write = |file: &str, text: &str| Ok::<_, anyhow::Error>(shell.write_file(home.join(file), text)?);
    let line = |folder: &str, line: &str| -> Result<String> {
        println!("    {folder}$ {line}");
        let folder = shell.create_dir(home.join(folder))?;
        let _folder = shell.push_dir(folder);
        Ok(cmd!(shell, "sh -c {line}").quiet().read()?)
    };
    line(
        "rust",
        &format!("tar --extract --file $RELEASE/crates/evenstep-{VERSION}.crate"),
    )?;
    line("rust", "cargo init --quiet --vcs none")?;
    line("rust", &format!("cargo add --quiet evenstep --path evenstep-{VERSION}"))?;
    let rust = |code: &str| {
        write("rust/src/main.rs", code)?;
        line("rust", "cargo run --quiet")
    };
    even(&rust(&snippets::read(shell, "rust", &["README.md"])?[0].code)?)?;
    let programs = snippets::read(shell, "rust", &[TUTORIAL])?;
    let printed = snippets::read(shell, "text", &[TUTORIAL])?;
    for (program, printed) in programs.iter().zip(&printed).take(3).skip(1) {
        same(&rust(&program.code)?, &printed.code)?;
    }

    write("javascript/first.mjs", IN_JAVASCRIPT)?;
    line("javascript", "npm install --silent --offline $RELEASE/npm/*.tgz")?;
    same(&line("javascript", "node first.mjs")?, STEPS)?;

    write("c/game.c", &snippets::read(shell, "c", &["docs/pages/c.md"])?[0].code)?;
    even(&line(
        "c",
        "cp $RELEASE/page/evenstep.h . && cc game.c -o game && ./game",
    )?)?;

    write("python/first.py", IN_PYTHON)?;
    for (environment, source) in [
        ("wheel", "--only-binary evenstep --no-index"),
        ("source", "--no-binary evenstep"),
    ] {
        line("python", &format!("python3 -m venv {environment}"))?;
        let install =
            format!("{environment}/bin/pip install --quiet {source} --find-links $RELEASE/python evenstep=={VERSION}");
        line("python", &install)?;
        same(&line("python", &format!("{environment}/bin/python first.py"))?, STEPS)?;
    }

    let report = &snippets::read(shell, "text", &["docs/pages/recordings.md"])?[0].code;
    write("command/docs/my-game.csv", &shell.read_file("docs/my-game.csv")?)?;
    let [x86, arm] = TARGETS.map(|target| format!("$RELEASE/page/evenstep-{target} analyze docs/my-game.csv"));
    same(&line("command", &x86)?, report)?;
    match shell.path_exists(ARM_LIBRARY) {
        true => same(
            &line("command", &format!("qemu-aarch64 -L {ARM_LIBRARY} {arm}"))?,
            report,
        )?,
        false => {
            println!("release: the command for aarch64 was not run, which needs libc6-dev-arm64-cross and qemu-user")
        }
    }
    Ok(shell.remove_path(home)?)
}

/// Fails unless a program printed what a page says.
fn same(printed: &str, expected: &str) -> Result<()> {
    ensure!(
        printed.trim() == expected.trim(),
        "it printed:\n{printed}\nand the book says:\n{expected}"
    );
    Ok(())
}

/// Fails unless a first program drew 20 frames of at least 7 ms of a motion of 2 m/s, which never went back.
fn even(printed: &str) -> Result<()> {
    let metres = |line: &str| line.split_once("drawn at ")?.1.strip_suffix(" m")?.parse().ok();
    let drawn: Option<Vec<f64>> = printed.lines().map(metres).collect();
    let drawn = drawn.with_context(|| format!("no position: {printed}"))?;
    // The first frame begins the time, and what is drawn is a step old.
    let at_least = 2.0 * (19.0 * 0.007 - 1.0 / 60.0) - 0.01;
    let is_even = drawn.len() == 20 && drawn.is_sorted() && drawn[19] > at_least;
    ensure!(is_even, "not 20 frames of an even motion:\n{printed}");
    Ok(())
}

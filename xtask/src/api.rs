//! The public API of the crates that promise semantic versions, as text: a change of it is a diff of `stored/api`.

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::skipped::skip;

/// The crates in `crates/`.
const CRATES: [&str; 4] = ["evenstep", "evenstep-derive", "evenstep-physics", "evenstep-trace"];

/// The compiler whose rustdoc writes the JSON that `xtask/api` reads.
const RUST: &str = "1.95";

/// Stores the API as it is now.
pub(crate) fn store(shell: &Shell) -> Result<()> {
    for (file, text) in all(shell)? {
        shell.write_file(file, text)?;
    }
    Ok(())
}

/// A step of `cargo ci`: fails if the API is not what is stored.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let mut changed = Vec::new();
    for (file, text) in all(shell)? {
        let stored = shell.read_file(&file).unwrap_or_default();
        let missing = |one: &str, other: &str, sign: char| {
            let lines = one.lines().filter(|line| !other.lines().any(|same| same == *line));
            lines.map(|line| format!("{sign} {line}")).collect::<Vec<_>>()
        };
        if stored != text {
            let lines = [missing(&stored, &text, '-'), missing(&text, &stored, '+')].concat();
            println!("{file}:\n{}", lines.join("\n"));
            changed.push(file);
        }
    }
    match changed.is_empty() {
        true => Ok(()),
        false => bail!(
            "{} is out of date; to accept the change: cargo xtask bless --only api",
            changed.join(", ")
        ),
    }
}

/// The file and the API of each crate.
fn all(shell: &Shell) -> Result<Vec<(String, String)>> {
    let version = |toolchain: Option<&str>| {
        let rustdoc = cmd!(shell, "rustdoc --version").quiet().ignore_stderr();
        let rustdoc = toolchain
            .into_iter()
            .fold(rustdoc, |rustdoc, name| rustdoc.env("RUSTUP_TOOLCHAIN", name));
        rustdoc.read().unwrap_or_default()
    };
    let is_right = |said: &str| said.starts_with(&format!("rustdoc {RUST}."));
    let _toolchain = match (is_right(&version(None)), is_right(&version(Some(RUST)))) {
        (true, _) => None,
        (false, true) => Some(shell.push_env("RUSTUP_TOOLCHAIN", RUST)),
        (false, false) => {
            return Err(skip(format!(
                "it needs rustdoc {RUST}: rustup toolchain install {RUST}"
            )));
        }
    };
    cmd!(shell, "cargo build --package evenstep-api").run()?;
    let program = built(shell, "debug/evenstep-api")?;
    let packages = CRATES.map(|name| format!("--package={name}"));
    cmd!(shell, "cargo doc --all-features --no-deps --lib {packages...}")
        .env("RUSTDOC", &program)
        .env("RUSTDOCFLAGS", "-Zunstable-options --output-format json")
        .run()?;
    let texts = CRATES.iter().map(|name| {
        let json = built(shell, &format!("doc/{}.json", name.replace('-', "_")))?;
        let text = cmd!(shell, "{program} {json}").quiet().read()?;
        Ok((format!("stored/api/{name}.txt"), text + "\n"))
    });
    texts.collect()
}

//! The documentation of the libraries, and the public API of the crates with semantic versioning, as text: a change of the API is a diff of
//! `stored/api`.

use anyhow::{Result, bail};
use xshell::{Cmd, PushEnv, Shell, cmd};

use crate::built::built;
use crate::programs::{self, workspace};

/// The crates in `crates/`.
const CRATES: [&str; 4] = ["evenstep", "evenstep-derive", "evenstep-physics", "evenstep-trace"];

/// The page of the book with the table of all types, and the lines around that table.
const PAGE: &str = "docs/pages/types.md";
const BEGIN: &str = "<!-- The table is written by cargo xtask bless --only api. -->\n";
const END: &str = "<!-- Here it ends. -->";

/// The traits that have a column in the table, by their last name.
const TRAITS: [&str; 8] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "PartialEq",
    "Eq",
    "Hash",
    "Serialize",
];

/// The compiler whose rustdoc writes the JSON that `xtask/api` reads.
const RUST: &str = "1.95";

/// Stores the current API.
pub(crate) fn store(shell: &Shell) -> Result<()> {
    let texts = current(shell)?;
    let page = shell.read_file(PAGE)?;
    shell.write_file(PAGE, with_table(&page, &texts)?)?;
    for (file, text) in texts {
        shell.write_file(file, text)?;
    }
    Ok(())
}

/// A step of `cargo ci`: fails if the documentation of a library has a warning or an example that fails, or if the API differs from the
/// stored one.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let texts = current(shell)?;
    let mut changed = Vec::new();
    let page = shell.read_file(PAGE)?;
    if with_table(&page, &texts)? != page {
        changed.push(PAGE.to_owned());
    }
    for (file, text) in texts {
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

/// Makes cargo use the compiler whose JSON `xtask/api` reads.
fn toolchain(shell: &Shell) -> Result<Option<PushEnv<'_>>> {
    let is_right = |rustdoc: Cmd<'_>| {
        let version = rustdoc.quiet().ignore_stderr().read().unwrap_or_default();
        version.starts_with(&format!("rustdoc {RUST}."))
    };
    if is_right(cmd!(shell, "rustdoc --version")) {
        return Ok(None);
    }
    match is_right(cmd!(shell, "rustdoc --version").env("RUSTUP_TOOLCHAIN", RUST)) {
        true => Ok(Some(shell.push_env("RUSTUP_TOOLCHAIN", RUST))),
        false => bail!("the public API needs rustdoc {RUST}: rustup toolchain install {RUST} --component clippy"),
    }
}

/// Tests the documentation of the libraries that a `cargo test` names, and fails if it has a warning. `evenstep-api` must be built.
pub(crate) fn document(test: Cmd<'_>) -> Result<()> {
    let (program, out) = (built("debug/evenstep-api")?, built("api")?);
    let test = test.arg("--doc").env("RUSTDOC", program).env("EVENSTEP_API", out);
    Ok(test.run()?)
}

/// Tests the documentation of the workspace's libraries. Returns the path of the stored file and the current API of each crate.
fn current(shell: &Shell) -> Result<Vec<(String, String)>> {
    let _toolchain = toolchain(shell)?;
    programs::build(shell)?;
    document(workspace(shell, "test"))?;
    let (program, out) = (built("debug/evenstep-api")?, built("api")?);
    let texts = CRATES.iter().map(|name| {
        let json = out.join(name.replace('-', "_") + ".json");
        let text = cmd!(shell, "{program} {json}").quiet().read()?;
        Ok((format!("stored/api/{name}.txt"), text + "\n"))
    });
    texts.collect()
}

/// The page with the table of the types in these texts.
fn with_table(page: &str, texts: &[(String, String)]) -> Result<String> {
    let parts = page
        .split_once(BEGIN)
        .and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let Some((before, after)) = parts else {
        bail!("{PAGE} has no place for the table: put the lines {BEGIN:?} and {END:?} into it");
    };
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(texts)))
}

/// The table of all public types: whether each is `#[non_exhaustive]`, and its traits.
fn table(texts: &[(String, String)]) -> String {
    let mut table = format!(
        "\n| type | | {} |\n|---|---|{}\n",
        TRAITS.join(" | "),
        "---|".repeat(TRAITS.len())
    );
    for (_, text) in texts {
        let mut types: Vec<(&str, &str, bool)> = text.lines().filter_map(declared).collect();
        // A re-exported type is listed by its shortest path.
        types.sort_by_key(|(path, ..)| (last_name(path), path.matches("::").count()));
        types.dedup_by_key(|(path, ..)| last_name(path));
        types.sort_unstable();
        for (path, kind, may_grow) in types {
            let marks = TRAITS.map(|name| {
                if implements(text, name, last_name(path)) {
                    "•"
                } else {
                    ""
                }
            });
            let growth = if may_grow { ", may grow" } else { "" };
            table += &format!("| `{path}` | {kind}{growth} | {} |\n", marks.join(" | "));
        }
    }
    table + "\n"
}

/// The path of a struct or an enum that a line declares, its kind, and whether it is `#[non_exhaustive]`.
fn declared(line: &str) -> Option<(&str, &str, bool)> {
    let plain = line.strip_prefix("#[non_exhaustive] ");
    let (kind, rest) = plain.unwrap_or(line).strip_prefix("pub ")?.split_once(' ')?;
    let path = rest.split(['<', '(', ' ']).next()?;
    matches!(kind, "struct" | "enum").then_some((path, kind, plain.is_some()))
}

fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Whether a text has an implementation of a trait of this name for a type of this name.
fn implements(text: &str, name: &str, of: &str) -> bool {
    let impls = text.lines().filter(|line| line.starts_with("impl"));
    impls.filter_map(|line| line.split_once(" for ")).any(|(head, rest)| {
        let trait_path = head.split(' ').rfind(|word| word.contains("::")).unwrap_or(head);
        let target = rest.split(['<', ' ']).next().unwrap_or(rest);
        last_name(trait_path) == name && last_name(target) == of
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_type_once_with_its_traits() {
        let text = "pub struct a::b::Tick<T>\n\
            impl<T: core::clone::Clone> core::clone::Clone for a::b::Tick<T>\n\
            impl<'de, T> serde_core::de::Deserialize<'de> for a::b::Tick<T> where T: serde_core::de::Deserialize<'de>\n\
            pub struct a::Tick<T>\n\
            #[non_exhaustive] pub enum a::Kind\n\
            impl core::fmt::Debug for a::Kind\n";
        let table = table(&[(String::new(), text.to_owned())]);
        let rows: Vec<&str> = table.lines().skip(3).filter(|line| !line.is_empty()).collect();
        let kind = "| `a::Kind` | enum, may grow |  |  | • |  |  |  |  |  |";
        let tick = "| `a::Tick` | struct | • |  |  |  |  |  |  |  |";
        assert_eq!(rows, [kind, tick]);
    }
}

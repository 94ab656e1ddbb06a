//! The Rust code of the book and of READMEs: each page's is compiled and run with what the page says to add, and with nothing else.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use anyhow::{Result, ensure};
use regex_lite::Regex;
use xshell::{Shell, cmd};

use crate::{book, built, packages, snippets};

/// A workspace with a package for each set of dependencies.
const FOLDER: &str = "target/page-code";

/// What a page may use that does not say what to add.
const CORE: &str = "evenstep";

/// The pages whose code is compiled and run elsewhere: the tutorial's is the programs of `examples/native`, and that of the pages with Bevy
/// or an engine is compiled by `bevy_evenstep-partners` and `evenstep-physics`, with the Bevy and the engines of the other tests.
const ELSEWHERE: [&str; 5] = [
    "tutorial.md",
    "bevy.md",
    "rewinding.md",
    "docs/pages/physics.md",
    "evenstep-physics/README.md",
];

/// A step of `cargo ci`.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let root = shell.current_dir();
    let own = packages::of_workspace(shell)?;
    let not_in_names = Regex::new(r"\W")?;
    // A library for each set, whose documentation is the pages.
    let mut libraries = BTreeMap::<Vec<String>, String>::new();
    for page in book::pages(shell)? {
        let text = shell.read_file(&page)?;
        let has_code = snippets::parts(&text).any(|part| part.info == Some("rust"));
        if has_code && !ELSEWHERE.iter().any(|name| page.ends_with(name)) {
            let name = page.strip_prefix(&root)?.with_extension("").display().to_string();
            let name = not_in_names.replace_all(&name, "_");
            let library = libraries.entry(added(&text)).or_default();
            *library += &format!("#[cfg(doctest)]\n#[doc = include_str!({page:?})]\nmod {name} {{}}\n");
        }
    }
    let workspace = root.join(FOLDER);
    shell.remove_path(&workspace)?;
    let folder = |index: usize| workspace.join(format!("pages-{index}"));
    for (index, library) in libraries.values().enumerate() {
        let manifest = format!("[package]\nname = \"pages-{index}\"\nedition = \"2024\"\n");
        shell.write_file(folder(index).join("Cargo.toml"), manifest)?;
        shell.write_file(folder(index).join("src/lib.rs"), library)?;
    }
    // Dependencies of others keep their profiles, with which other steps have compiled them. Ours are compiled once more, and little of them
    // runs here.
    let own_profile = Regex::new(r"\[profile\.dev\.package\.evenstep[\w-]*\]\nopt-level = \d\n")?;
    let profiles = packages::profiles(shell)?;
    let profiles = own_profile.replace_all(&profiles, "");
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n\n{profiles}");
    shell.write_file(workspace.join("Cargo.toml"), manifest)?;
    let _target = shell.push_env("CARGO_TARGET_DIR", built::folder()?);
    for (index, added) in libraries.keys().enumerate() {
        let _package = shell.push_dir(folder(index));
        for line in added {
            let name = line.split(' ').next().unwrap_or_default();
            let own = own.iter().find(|package| package["name"] == name);
            let path = own
                .and_then(packages::folder_of)
                .map(|path| [OsStr::new("--path"), path.as_os_str()]);
            let (words, path) = (line.split(' '), path.iter().flatten());
            cmd!(shell, "cargo add --quiet {words...} {path...}").quiet().run()?;
        }
    }
    // Only now, because cargo forgets the versions of what is not added yet.
    shell.copy_file(root.join("Cargo.lock"), workspace.join("Cargo.lock"))?;
    let mut failed = Vec::new();
    for (index, added) in libraries.keys().enumerate() {
        let _package = shell.push_dir(folder(index));
        println!("pages with {}", added.join("; "));
        if cmd!(shell, "cargo test --quiet --doc").quiet().run().is_err() {
            failed.push(added.join("; "));
        }
    }
    let failed = failed.join(", and with ");
    ensure!(
        failed.is_empty(),
        "code that needs more than its page adds, or is wrong, with {failed}"
    );
    Ok(())
}

/// The arguments of each `cargo add` that a page names up to the end of its first Rust code, in alphabetical order. A page names the clone
/// until the packages are published.
pub(crate) fn added(page: &str) -> Vec<String> {
    const VALID: &str = "a valid expression";
    let first = Regex::new(r"(?s)^.*?\n```rust.*?\n```").expect(VALID);
    let line = Regex::new(r"cargo add ([^#`\n]+)").expect(VALID);
    let path = Regex::new(r" --path \S+").expect(VALID);
    let first = first.find(page).map_or(page, |first| first.as_str());
    let lines = line.captures_iter(first);
    let mut added: Vec<_> = lines
        .map(|line| path.replace_all(line[1].trim(), "").into_owned())
        .collect();
    if added.is_empty() {
        added.push(CORE.to_owned());
    }
    added.sort();
    added
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::snippets::{Part, parts};

    fn is_rust(part: &Part<'_>) -> bool {
        part.info.is_some_and(|info| info.starts_with("rust"))
    }

    #[test]
    fn a_page_adds_what_it_names_up_to_the_end_of_its_first_rust_code_or_the_core() {
        let page = "# A\n```sh\ncargo add a@1\n```\n```rust\n// cargo add b --features c # for `d`\nuse b;\n```\ncargo add e\n";
        assert_eq!(added(page), ["a@1", "b --features c"]);
        assert_eq!(
            added("`cargo add evenstep --path ../evenstep/crates/evenstep --features thread`"),
            ["evenstep --features thread"]
        );
    }

    #[test]
    fn no_code_of_a_page_is_left_out() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let shell = Shell::new().unwrap();
        shell.change_dir(&root);
        // What needs Bevy's renderer or a transport is compiled with it, in the packages of the examples.
        let folders = ["examples/bevy/src/bin", "examples/network/src/bin"];
        let programs = folders.iter().flat_map(|folder| shell.read_dir(folder).unwrap());
        let programs: Vec<_> = programs.filter_map(|file| shell.read_file(file).ok()).collect();
        for page in book::pages(&shell).unwrap() {
            let text = shell.read_file(&page).unwrap();
            for part in parts(&text).filter(is_rust) {
                // A whole program, or some lines of one.
                let lines = |text: &str| {
                    text.lines()
                        .map(|line| line.trim().to_owned() + "\n")
                        .collect::<String>()
                };
                let shown = lines(part.text);
                let is_shown = || programs.iter().any(|program| lines(program).contains(&shown));
                let info = part.info.unwrap_or_default();
                let is_outline = info == "rust,ignore" && page.ends_with("README.md");
                let is_run = info == "rust" || info == "rust,ignore elsewhere" && is_shown();
                assert!(is_run || is_outline, "{}:{}: {info}", page.display(), part.line);
                // A forge shows them, and what is shown is copied.
                let is_hidden = |line: &str| line.trim_start().starts_with("# ");
                let is_left = page.ends_with("follow-a-song.md") || page.ends_with("follow-a-display.md");
                let hidden = part.text.lines().find(|line| is_hidden(line)).filter(|_| !is_left);
                assert_eq!(hidden, None, "{}:{}: hides a line", page.display(), part.line);
            }
        }
    }
}

//! `cargo xtask bless`: regenerates the stored files that checks compare with.

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::{api, book, instructions, npm, same_bits};

/// Makes a set of stored files.
type Make = fn(&Shell) -> Result<()>;

/// The sets of stored files; `stored/README.md` describes them.
const STORED: [(&str, Make); 8] = [
    ("conformance", |shell| {
        test(shell, &["evenstep", "--test", "all", "conformance"])
    }),
    ("random-scripts", |shell| {
        test(shell, &["evenstep", "--test", "all", "random_scripts"])
    }),
    ("snapshots", |shell| {
        test(shell, &["evenstep-cli", "--test", "command", "reports"])
    }),
    ("api", api::store),
    ("instructions", instructions::store),
    ("sizes", npm::store_sizes),
    ("same-bits", same_bits::store),
    ("book", book::store_copies),
];

/// Options of `cargo xtask bless`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Regenerate only these of the names in stored/README.md.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = STORED.map(|(name, _)| name))]
    only: Vec<String>,
}

/// Regenerates the named files, or all. `git diff` shows what changed.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    // The book has copies of the others.
    let is_wanted =
        |name: &str| name == "book" || options.only.is_empty() || options.only.iter().any(|only| only == name);
    let mut failed = Vec::new();
    for (name, make) in STORED.iter().filter(|(name, _)| is_wanted(name)) {
        println!("bless: {name}");
        if let Err(error) = make(shell) {
            failed.push(format!("{name}: {error:#}"));
        }
    }
    ensure!(failed.is_empty(), "not regenerated:\n{}", failed.join("\n"));
    Ok(())
}

/// Runs tests of a package that write instead of comparing.
fn test(shell: &Shell, arguments: &[&str]) -> Result<()> {
    Ok(cmd!(shell, "cargo test --quiet --package {arguments...}")
        .env("EVENSTEP_WRITE", "1")
        .env("INSTA_UPDATE", "always")
        .run()?)
}

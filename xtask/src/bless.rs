//! `cargo xtask bless`: regenerates the stored files that checks compare with.

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::{api, instructions, npm, same_bits};

/// A set of stored files.
struct Stored {
    name: &'static str,
    /// The paths, relative to the repository.
    files: &'static [&'static str],
    make: fn(&Shell) -> Result<()>,
    /// Why it is regenerated only if it is named; `None` if it always is.
    on_request: Option<&'static str>,
}

const STORED: &[Stored] = &[
    Stored {
        name: "conformance",
        files: &["stored/conformance.txt"],
        make: |shell| test(shell, &["evenstep"], &["--test", "all", "conformance"]),
        on_request: None,
    },
    Stored {
        name: "random-scripts",
        files: &["stored/random-scripts.txt"],
        make: |shell| test(shell, &["evenstep"], &["--test", "all", "random_scripts"]),
        on_request: None,
    },
    Stored {
        name: "snapshots",
        files: &["stored/snapshots"],
        make: |shell| test(shell, &["evenstep-cli"], &["--test", "command", "reports"]),
        on_request: None,
    },
    Stored {
        name: "api",
        files: &["stored/api"],
        make: api::store,
        on_request: None,
    },
    Stored {
        name: "instructions",
        files: &["stored/instructions.txt"],
        make: instructions::store,
        on_request: None,
    },
    Stored {
        name: "sizes",
        files: &["stored/npm-sizes.txt"],
        make: npm::store_sizes,
        on_request: None,
    },
    Stored {
        name: "same-bits",
        files: &["stored/same-bits.md"],
        make: same_bits::store,
        on_request: Some("it compiles for three other processors"),
    },
];

/// Options of `cargo xtask bless`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Regenerate only these; --list names them.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// List the stored files and their paths.
    #[arg(long)]
    list: bool,
}

/// Regenerates the named files, or all that take at most minutes, and prints the differences from the committed files.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    if options.list {
        STORED
            .iter()
            .for_each(|stored| println!("{:12}  {}", stored.name, stored.files.join(", ")));
        return Ok(());
    }
    for name in &options.only {
        if !STORED.iter().any(|stored| stored.name == name) {
            bail!("no stored file is called {name:?}; see cargo xtask bless --list");
        }
    }
    let is_wanted = |stored: &&Stored| match options.only.is_empty() {
        true => stored.on_request.is_none(),
        false => options.only.iter().any(|name| name == stored.name),
    };
    let (mut made, mut failed) = (Vec::<&str>::new(), Vec::new());
    for stored in STORED.iter().filter(is_wanted) {
        println!("bless: {}", stored.name);
        match (stored.make)(shell) {
            Ok(()) => made.extend(stored.files),
            Err(error) => failed.push(format!("{}: {error:#}", stored.name)),
        }
    }
    if !made.is_empty() {
        let paths = &made;
        println!("\nnew:");
        cmd!(shell, "git status --short -- {paths...}").quiet().run()?;
        cmd!(shell, "git --no-pager diff --stat -- {made...}").quiet().run()?;
    }
    for stored in STORED
        .iter()
        .filter(|stored| options.only.is_empty() && !is_wanted(stored))
    {
        let (name, why) = (stored.name, stored.on_request.unwrap_or_default());
        println!("not regenerated: {name}, because {why}: cargo xtask bless --only {name}");
    }
    match failed.is_empty() {
        true => Ok(()),
        false => bail!("not regenerated:\n{}", failed.join("\n")),
    }
}

/// Runs tests that write instead of comparing.
fn test(shell: &Shell, packages: &[&str], arguments: &[&str]) -> Result<()> {
    let _own = shell.push_env("EVENSTEP_WRITE", "1");
    let _snapshots = shell.push_env("INSTA_UPDATE", "always");
    let packages = packages.iter().flat_map(|name| ["--package", name]);
    Ok(cmd!(shell, "cargo test --quiet {packages...} {arguments...}").run()?)
}

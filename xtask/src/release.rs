//! What is published: packed into a folder, and tried from that folder alone. Cargo, npm and twine upload it: docs/pages/releasing.md.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::{book, packages};

mod compare;
mod contract;
mod first;
mod pack;
mod texts;

/// The version of all packages, also of this one.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The targets of wheels and of the command that are compiled here.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/// Where the documentation of a published crate is.
const DOCS: &str = "https://docs.rs/";

/// Options of `cargo xtask release`.
#[derive(clap::Args)]
#[group(required = true)]
pub(crate) struct Options {
    /// Pack this commit into the folder release-VERSION of the build folder, and try what is packed in empty folders.
    #[arg(long)]
    pack: bool,
    /// A folder of wheels that were compiled on other systems, to be packed with those that are compiled here.
    #[arg(long, value_name = "FOLDER", requires = "pack")]
    wheels: Option<PathBuf>,
    /// The tag of the release; packing fails if it is not that of the version.
    #[arg(long, value_name = "TAG", requires = "pack")]
    tag: Option<String>,
    /// Compare the public API with that of a packed release in this folder, and fail if the change needs a higher version.
    #[arg(long, value_name = "FOLDER", conflicts_with = "pack")]
    compare: Option<PathBuf>,
    /// Rewrite pages and manifests: packages come from the registries and not from a clone, and their repository is at this address.
    #[arg(long, value_name = "ADDRESS", requires = "site", conflicts_with_all = ["pack", "compare"])]
    as_published: Option<String>,
    /// Where the page of live figures is hosted, with the book beside it in `book/`.
    #[arg(long, value_name = "ADDRESS", requires = "as_published")]
    site: Option<String>,
}

/// Packs, compares or rewrites.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    check_texts(shell)?;
    match (&options.compare, &options.as_published, &options.site) {
        (Some(release), ..) => compare::run(shell, release),
        (_, Some(address), Some(site)) => texts::rewrite(shell, address, site),
        _ => pack::run(shell, options.wheels.as_deref(), options.tag.as_deref()),
    }
}

/// The step of `cargo ci`: packs all crates as `cargo publish` would upload them, and compiles from their packages those that have almost no
/// dependencies.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    check_texts(shell)?;
    let publish = || cmd!(shell, "cargo publish --quiet --dry-run --allow-dirty");
    publish().args(["--workspace", "--no-verify"]).run()?;
    Ok(publish()
        .args(["--package", "evenstep-derive", "--package", "evenstep"])
        .run()?)
}

/// The published crates, in the form of `cargo metadata`.
fn crates(shell: &Shell) -> Result<Vec<Value>> {
    let mut packages = packages::of_workspace(shell)?;
    packages.retain(|package| package["publish"].is_null());
    Ok(packages)
}

/// The names of the published crates.
fn names(shell: &Shell) -> Result<Vec<String>> {
    let name = |package: &Value| Some(package["name"].as_str()?.to_owned());
    let names = crates(shell)?.iter().map(name).collect::<Option<_>>();
    names.context("a package has a name")
}

/// Fails if versions differ, if the changelog lacks the version, if a package has other licences than the repository, if a file that is used
/// alone does not say what it is, or if a link leads to the documentation of a crate that is not published.
fn check_texts(shell: &Shell) -> Result<()> {
    let (package, version) = ("bindings/js/package.json", format!("\n  \"version\": \"{VERSION}\",\n"));
    ensure!(
        shell.read_file(package)?.contains(&version),
        "{package} has no line {:?}, the version of Cargo.toml",
        version.trim()
    );
    let changes = shell.read_file("CHANGELOG.md")?;
    let newest = changes.lines().find(|line| line.starts_with("## ")).unwrap_or_default();
    ensure!(
        newest.starts_with(&format!("## {VERSION}, ")),
        "CHANGELOG.md: the newest version is {newest:?}, but Cargo.toml has {VERSION}"
    );
    contract::check(shell)?;
    texts::check_alone(shell, &texts::ALONE)?;
    let crates = crates(shell)?;
    let folders = crates.iter().filter_map(packages::folder_of);
    for folder in folders.chain(["bindings/py".as_ref()]) {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let file = folder.join(licence);
            ensure!(
                shell.read_file(&file).ok() == Some(shell.read_file(licence)?),
                "{} is not the repository's; copy it there or link it",
                file.display()
            );
        }
    }
    let names = names(shell)?;
    for page in book::pages(shell)? {
        for link in shell.read_file(&page)?.split(DOCS).skip(1) {
            let end = link.find(|char: char| !(char.is_alphanumeric() || "-_".contains(char)));
            let name = &link[..end.unwrap_or(link.len())];
            ensure!(
                !name.contains("evenstep") || names.iter().any(|one| one == name),
                "{}: {DOCS}{name} will not exist: no package of this name is published",
                page.display()
            );
        }
    }
    Ok(())
}

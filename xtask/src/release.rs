//! What is published: packed into a folder, and tried from that folder alone. Cargo, npm and twine upload it: docs/pages/releasing.md.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::{packages, setup};

mod contract;
mod first;
mod pack;
mod texts;

/// The version of all packages, also of this one.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The targets of wheels and of the command that are compiled here.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

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
    /// Compare the public API with that of a commit, such as the last release's tag, and fail if the change needs a higher version.
    #[arg(long, value_name = "COMMIT", conflicts_with = "pack")]
    compare: Option<String>,
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
        (Some(before), ..) => compare(shell, before),
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

/// The libraries that promise semantic versions. The tool refuses macros, and the command's library promises nothing.
const LIBRARIES: [&str; 4] = ["evenstep", "evenstep-trace", "evenstep-physics", "bevy_evenstep"];

fn compare(shell: &Shell, before: &str) -> Result<()> {
    let program = setup::installed_by_cargo(shell, "cargo-semver-checks@0.51.0", &[])?;
    let libraries = LIBRARIES.iter().flat_map(|name| ["--package", name]);
    Ok(cmd!(shell, "{program} semver-checks {libraries...} --baseline-rev {before}").run()?)
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

/// Fails if versions differ, if the changelog lacks the version, if a package has other licences than the repository, or if a file that is used
/// alone does not say what it is.
fn check_texts(shell: &Shell) -> Result<()> {
    for (file, has) in [
        ("bindings/js/package.json", format!("\n  \"version\": \"{VERSION}\",\n")),
        ("CHANGELOG.md", format!("\n## {VERSION}, ")),
    ] {
        let (text, has) = (shell.read_file(file)?, has.as_str());
        ensure!(
            text.contains(has),
            "{file} has no line with {:?}, of the version in Cargo.toml",
            has.trim()
        );
    }
    contract::check(shell)?;
    texts::check_alone(shell, &texts::ALONE)?;
    let crates = crates(shell)?;
    let folders = crates.iter().filter_map(packages::folder_of);
    for folder in folders.chain(["bindings/py".as_ref()]) {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let file = folder.join(licence);
            let is_same = shell.read_file(&file).ok() == Some(shell.read_file(licence)?);
            ensure!(is_same, "{} is not the repository's; link it there", file.display());
        }
    }
    Ok(())
}

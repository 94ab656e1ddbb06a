//! What is published: packed into a folder, rehearsed with registries on this machine, and uploaded.

use std::path::PathBuf;

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::book;
use crate::same_bits;
use crates::VERSION;

mod compare;
mod contract;
mod crates;
mod first;
mod pack;
mod registries;
mod rehearse;
mod texts;
mod tools;
mod upload;

/// Where the documentation of a published crate is.
const DOCS: &str = "https://docs.rs/";

/// Options of `cargo xtask release`. Without any, what is packed of this commit is uploaded, except what is there already.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Pack this commit into the folder release-VERSION of the build folder, and build first programs from that folder alone.
    #[arg(long, conflicts_with_all = ["rehearse", "as_published", "registry"])]
    pack: bool,
    /// A folder of wheels that were compiled on other systems, to be packed with those that are compiled here.
    #[arg(long, value_name = "FOLDER", requires = "pack")]
    wheels: Option<PathBuf>,
    /// Compare the public API with that of a packed release in this folder, and fail if the change needs a higher version.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["pack", "rehearse", "as_published", "registry"])]
    compare: Option<PathBuf>,
    /// Pack and upload this commit to registries on this machine, with interruptions, and get each package as README says.
    #[arg(long, conflicts_with_all = ["as_published", "registry"])]
    rehearse: bool,
    /// Keep the registries after the rehearsal until Ctrl-C is pressed, for what you want to try by hand.
    #[arg(long, requires = "rehearse")]
    hold: bool,
    /// Rewrite pages and manifests: packages come from the registries and not from a clone, and their repository is at this address.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "registry")]
    as_published: Option<String>,
    /// The registry of crates, by its name in cargo's configuration.
    #[arg(long, value_name = "NAME", default_value = "crates-io")]
    registry: String,
}

/// Packs, rehearses or uploads what is published.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    check_texts(shell)?;
    if let Some(release) = &options.compare {
        return compare::run(shell, release);
    }
    if let Some(address) = &options.as_published {
        return texts::rewrite(shell, address);
    }
    if options.rehearse {
        return rehearse::run(shell, options.hold);
    }
    if options.pack {
        let folder = pack::run(shell, options.wheels.as_deref())?;
        pack::try_out(shell, &folder)?;
        println!("release: {} is packed", folder.display());
        return Ok(());
    }
    same_bits::check_fresh(shell)?;
    texts::check(shell)?;
    upload::run(shell, &pack::packed(shell)?, &options.registry)
}

/// The step of `cargo ci`: packs all crates, and compiles from their packages those that have almost no dependencies.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    check_texts(shell)?;
    crates::pack(shell, &["--no-verify", "--allow-dirty"])?;
    Ok(cmd!(
        shell,
        "cargo package --quiet --allow-dirty --package evenstep-derive --package evenstep"
    )
    .run()?)
}

/// Fails if versions differ, if the changelog lacks the version, if a package has other licences than the repository, or if a link leads to
/// the documentation of a crate that is not published.
fn check_texts(shell: &Shell) -> Result<()> {
    let (package, version) = ("bindings/js/package.json", format!("\n  \"version\": \"{VERSION}\",\n"));
    if !shell.read_file(package)?.contains(&version) {
        bail!("{package} has no line {:?}, the version of Cargo.toml", version.trim());
    }
    let changes = shell.read_file("CHANGELOG.md")?;
    let newest = changes.lines().find(|line| line.starts_with("## ")).unwrap_or_default();
    if !newest.starts_with(&format!("## {VERSION}, ")) {
        bail!("CHANGELOG.md: the newest version is {newest:?}, but Cargo.toml has {VERSION}");
    }
    contract::text(shell)?;
    for folder in crates::folders(shell)?.into_iter().chain(["bindings/py".into()]) {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            if shell.read_file(folder.join(licence)).ok() != Some(shell.read_file(licence)?) {
                bail!(
                    "{} is not the repository's; copy it there or link it",
                    folder.join(licence).display()
                );
            }
        }
    }
    let published = crates::published(shell)?;
    for page in book::pages(shell)? {
        let text = shell.read_file(&page)?;
        if texts::as_published(&text, &published)?.contains("not published yet") {
            bail!(
                "{}: this will be published with the words \"not published yet\"",
                page.display()
            );
        }
        for link in text.split(DOCS).skip(1) {
            let end = link.find(|char: char| !(char.is_alphanumeric() || "-_".contains(char)));
            let name = &link[..end.unwrap_or(link.len())];
            if name.contains("evenstep") && !published.iter().any(|one| one == name) {
                bail!(
                    "{}: {DOCS}{name} will not exist: no package of this name is published",
                    page.display()
                );
            }
        }
    }
    Ok(())
}

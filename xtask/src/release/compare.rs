//! Compares the public API with that of a packed release, by cargo-semver-checks.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use super::crates;
use crate::built::built;
use crate::setup;

/// The libraries that promise semantic versions. The tool does not read macros.
const LIBRARIES: [&str; 4] = ["evenstep", "evenstep-trace", "evenstep-physics", "bevy_evenstep"];

/// Fails if a change of a library's API needs a higher version than the one that Cargo.toml has. The packed crates need no registry.
pub(super) fn run(shell: &Shell, release: &Path) -> Result<()> {
    let program = setup::installed_by_cargo(shell, "cargo-semver-checks", "0.51.0")?;
    let before = built("release-before")?;
    shell.remove_path(&before)?;
    shell.create_dir(&before)?;
    for packed in shell.read_dir(release.join("crates"))? {
        if packed.extension().is_some_and(|extension| extension == "crate") {
            cmd!(shell, "tar --extract --file {packed} --directory {before}")
                .quiet()
                .run()?;
        }
    }
    let names = crates::published(shell)?;
    let unpacked = shell.read_dir(&before)?;
    let folder = |name: &str| {
        let is_it = |folder: &&std::path::PathBuf| {
            let last = folder.file_name().unwrap_or_default().to_string_lossy();
            last.rsplit_once('-').is_some_and(|(of, _)| of == name)
        };
        let found = unpacked.iter().find(is_it);
        found.with_context(|| format!("{} has no package of {name}", release.display()))
    };
    for manifest in unpacked.iter().map(|folder| folder.join("Cargo.toml")) {
        let mut text = shell.read_file(&manifest)?;
        for name in &names {
            let table = format!("[dependencies.{name}]\n");
            text = text.replace(&table, &format!("{table}path = \"{}\"\n", folder(name)?.display()));
        }
        shell.write_file(manifest, text)?;
    }
    let mut changed = Vec::new();
    for name in LIBRARIES {
        let before = folder(name)?;
        let check = cmd!(
            shell,
            "{program} semver-checks --package {name} --baseline-root {before}"
        );
        if check.run().is_err() {
            changed.push(name);
        }
    }
    let changed = changed.join(", ");
    ensure!(
        changed.is_empty(),
        "not compatible with {}: {changed}",
        release.display()
    );
    Ok(())
}

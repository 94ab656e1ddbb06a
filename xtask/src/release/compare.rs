//! Compares the public API with that of a packed release, by cargo-semver-checks.

use std::path::Path;

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::setup;

/// The libraries that promise semantic versions. The tool refuses macros, and the command's library promises nothing.
const LIBRARIES: [&str; 4] = ["evenstep", "evenstep-trace", "evenstep-physics", "bevy_evenstep"];

/// Fails if a change of a library's API needs a higher version than the one that Cargo.toml has. The packed crates need no registry.
pub(super) fn run(shell: &Shell, release: &Path) -> Result<()> {
    let program = setup::installed_by_cargo(shell, "cargo-semver-checks@0.51.0", &[])?;
    let (before, mut names) = (built("release-before")?, Vec::new());
    shell.remove_path(&before)?;
    for packed in shell.read_dir(release.join("crates"))? {
        let file = packed.file_name().unwrap_or_default().to_string_lossy();
        if let Some((name, _)) = file.strip_suffix(".crate").and_then(|name| name.rsplit_once('-')) {
            let folder = shell.create_dir(before.join(name))?;
            cmd!(
                shell,
                "tar --extract --strip-components 1 --file {packed} --directory {folder}"
            )
            .quiet()
            .run()?;
            names.push(name.to_owned());
        }
    }
    for manifest in names.iter().map(|name| before.join(name).join("Cargo.toml")) {
        let mut text = shell.read_file(&manifest)?;
        for name in &names {
            // That of tests must be the same.
            let table = format!("dependencies.{name}]\n");
            text = text.replace(&table, &format!("{table}path = \"../{name}\"\n"));
        }
        shell.write_file(manifest, text)?;
    }
    let is_changed = |name: &&str| {
        let before = before.join(name);
        let check = cmd!(
            shell,
            "{program} semver-checks --package {name} --baseline-root {before}"
        );
        check.run().is_err()
    };
    let changed: Vec<_> = LIBRARIES.into_iter().filter(is_changed).collect();
    ensure!(
        changed.is_empty(),
        "not compatible with {} in this version: {}",
        release.display(),
        changed.join(", ")
    );
    Ok(())
}

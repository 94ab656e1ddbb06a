//! The gate of a pull request: lints and tests of the packages that changed since a commit, and of those that use them directly.

use std::collections::BTreeSet;

use anyhow::Result;
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::{packages, programs};

/// The files that changed since a commit, new ones among them.
pub(super) fn changed(shell: &Shell, base: &str) -> Result<Vec<String>> {
    let changed = cmd!(shell, "git diff --name-only --merge-base {base}").quiet().read()?;
    let new = cmd!(shell, "git ls-files --others --exclude-standard").quiet().read()?;
    Ok(changed.lines().chain(new.lines()).map(str::to_owned).collect())
}

/// Whether one of the files is in one of the folders.
pub(super) fn concerns(folders: &[&str], files: &[String]) -> bool {
    let is_in = |file: &str, folder: &str| file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    files
        .iter()
        .any(|file| folders.iter().any(|folder| is_in(file, folder)))
}

/// Lints and tests them. Python's has a step of its own.
pub(super) fn test(shell: &Shell, base: &str, files: &[String]) -> Result<()> {
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    let root = shell.current_dir().canonicalize()?;
    let mut packages = packages::of_workspace(shell)?;
    let chosen = chosen(&packages, &root.display().to_string(), &files);
    println!("changed since {base}, or uses what changed: {}", chosen.join(", "));
    packages
        .retain(|package| package["name"] != programs::PYTHON && chosen.iter().any(|name| package["name"] == **name));
    if packages.is_empty() {
        return Ok(());
    }
    let test = programs::of_packages(shell, "test", &packages);
    Ok(test.arg("--no-fail-fast").run()?)
}

/// The names of the packages, as `cargo metadata` has them, in whose folders these files are, and of those that depend on one of these.
fn chosen(packages: &[Value], root: &str, files: &[&str]) -> Vec<String> {
    let name = |package: &Value| package["name"].as_str().unwrap_or_default().to_owned();
    let folder = |package: &Value| {
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let folder = manifest.strip_prefix(root).unwrap_or(manifest);
        folder.trim_start_matches('/').trim_end_matches("Cargo.toml").to_owned()
    };
    // A package may lie in another one's folder.
    let owner = |file: &&str| {
        let owners = packages.iter().filter(|package| file.starts_with(&folder(package)));
        owners.max_by_key(|package| folder(package).len()).map(name)
    };
    let changed: BTreeSet<_> = files.iter().filter_map(owner).collect();
    let uses = |package: &&Value| {
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        dependencies.map(name).any(|name| changed.contains(&name))
    };
    let users = packages.iter().filter(uses).map(name);
    users
        .chain(changed.iter().cloned())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn chosen_of(files: &[&str]) -> Vec<String> {
        let package = |name: &str, folder: &str, uses: &[&str]| {
            let uses: Vec<_> = uses.iter().map(|name| json!({ "name": name })).collect();
            json!({ "name": name, "manifest_path": format!("/root/{folder}/Cargo.toml"), "dependencies": uses })
        };
        let packages = [
            package("core", "crates/core", &["serde"]),
            package("physics", "crates/physics", &["core"]),
            package("bevy_core", "integrations/bevy", &["core", "bevy"]),
            package("partners", "integrations/bevy/partners", &["bevy_core"]),
            package("scenes", "lab/scenes", &["physics"]),
            package("trace", "crates/trace", &[]),
        ];
        chosen(&packages, "/root", files)
    }

    #[test]
    fn a_changed_file_chooses_its_package_and_the_packages_that_depend_on_it_directly() {
        let chosen = chosen_of(&["crates/physics/src/lib.rs", "README.md"]);
        assert_eq!(chosen, ["physics", "scenes"]);
        assert_eq!(chosen_of(&["crates/core/src/lib.rs"]), ["bevy_core", "core", "physics"]);
    }

    #[test]
    fn a_file_belongs_to_the_innermost_package() {
        assert_eq!(chosen_of(&["integrations/bevy/partners/tests/all.rs"]), ["partners"]);
        assert_eq!(chosen_of(&["integrations/bevy/src/lib.rs"]), ["bevy_core", "partners"]);
    }

    #[test]
    fn a_folder_whose_name_begins_as_another_ones_is_not_that_one() {
        assert_eq!(chosen_of(&["crates/core-derive/src/lib.rs"]), Vec::<String>::new());
    }

    #[test]
    fn a_step_of_another_language_runs_if_a_file_of_one_of_its_folders_changed() {
        let concerns = |file: &str| concerns(&["bindings/py", "stored"], &[file.to_owned()]);
        assert!(concerns("bindings/py/src/lib.rs") && concerns("stored/conformance.txt"));
        assert!(!concerns("bindings/python/README.md") && !concerns("docs/stored/a.txt"));
    }

    #[test]
    fn files_outside_of_packages_choose_none() {
        assert_eq!(chosen_of(&["docs/pages/loop.md", "Cargo.lock"]), Vec::<String>::new());
    }
}

//! The folder in which cargo builds. Users may set it by `CARGO_TARGET_DIR` or `build.target-dir`.

use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

/// Variables for cargo where everything is compiled once. It takes less time if the compiler neither prepares for the next change nor
/// writes line tables, and compiles each crate as a whole.
pub(crate) const COMPILED_ONCE: [(&str, &str); 3] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_DEV_DEBUG", "0"),
];

/// The path of a build result, such as `debug/evenstep`.
pub(crate) fn built(shell: &Shell, file: &str) -> Result<PathBuf> {
    Ok(folder(shell)?.join(file))
}

/// The folder in which cargo builds.
pub(crate) fn folder(shell: &Shell) -> Result<PathBuf> {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    if let Some(folder) = FOLDER.get() {
        return Ok(folder.clone());
    }
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let output = cmd!(
        shell,
        "cargo metadata --format-version 1 --no-deps --manifest-path {manifest}"
    )
    .quiet()
    .read()?;
    let folder = PathBuf::from(target_directory(&output).context("cargo metadata names no folder to build in")?);
    Ok(FOLDER.get_or_init(|| folder).clone())
}

/// The folder that cargo's metadata names.
fn target_directory(metadata: &str) -> Option<String> {
    let (_, rest) = metadata.split_once("\"target_directory\":\"")?;
    let (mut folder, mut chars) = (String::new(), rest.chars());
    loop {
        match chars.next()? {
            '"' => return Some(folder),
            // In folder names only quotes and backslashes are escaped.
            '\\' => folder.push(chars.next()?),
            char => folder.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs};

    use super::*;

    #[test]
    fn the_folder_is_the_one_that_cargo_names() {
        let name = |text: &str| target_directory(&format!("{{\"target_directory\":\"{text}\",\"version\":1}}"));
        assert_eq!(name("/a b/target").unwrap(), "/a b/target");
        assert_eq!(name("C:\\\\b\\\\\\\"target").unwrap(), "C:\\b\\\"target");
        assert_eq!(target_directory("{}"), None);
        // This test runs in the folder in which cargo built it.
        let own = env::current_exe().unwrap();
        assert!(own.starts_with(fs::canonicalize(folder(&Shell::new().unwrap()).unwrap()).unwrap()));
    }

    #[test]
    fn build_results_are_not_looked_for_in_a_fixed_folder() {
        let sources = [
            concat!(env!("CARGO_MANIFEST_DIR"), "/src"),
            concat!(env!("CARGO_MANIFEST_DIR"), "/../lab/page/tests"),
        ];
        let files = sources
            .map(|folder| fs::read_dir(folder).unwrap())
            .into_iter()
            .flatten();
        for file in files.map(|file| file.unwrap().path()) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            for profile in ["debug", "release"] {
                let fixed = format!("target/{profile}");
                assert!(!text.contains(&fixed), "{} has {fixed}; see built.rs", file.display());
            }
        }
    }
}

//! The folder in which cargo builds. Users may set it by `CARGO_TARGET_DIR` or `build.target-dir`.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Variables for cargo where everything is compiled once. It takes less time if the compiler neither prepares for the next change nor
/// writes line tables, and compiles each crate as a whole.
pub(crate) const COMPILED_ONCE: [(&str, &str); 3] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_DEV_DEBUG", "0"),
];

/// The seed of proptest's cases in a check, so that its result does not depend on random numbers.
pub(crate) const PROPTEST_SEED: &str = "60000";

/// The path of a build result, such as `debug/evenstep`.
pub(crate) fn built(file: &str) -> Result<PathBuf> {
    Ok(folder()?.join(file))
}

/// The folder in which cargo builds: it has built this program in a subfolder, that of the profile.
pub(crate) fn folder() -> Result<PathBuf> {
    let program = env::current_exe()?;
    let folder = program.parent().and_then(Path::parent).map(Path::to_owned);
    folder.with_context(|| format!("{} is in no folder of cargo's", program.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;

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

//! Checks that a project with the packages for users compiles with the oldest Rust that their manifests name.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::built::{COMPILED_ONCE, built};
use crate::packages;

/// The core's features that need no other package: none, and all but the default ones.
const CORE: [&str; 2] = ["", "alloc,desync,follow,history"];

/// What is checked beside the default features. Box2D's crate, winit and triple_buffer (the core's `thread`, Rust 1.86), which are left out, name
/// a Rust of their own.
const FEATURES: [(&str, &str); 3] = [
    (
        "evenstep",
        r#""derive", "follow", "glam", "history", "serde", "tracing""#,
    ),
    ("evenstep-net", r#""serde""#),
    ("evenstep-physics", r#""rapier2d""#),
];

/// The packages that name a Rust of their own, because they are for users, by that Rust.
fn by_rust(shell: &Shell) -> Result<BTreeMap<String, Vec<Value>>> {
    let mut by_rust = BTreeMap::<_, Vec<_>>::new();
    for package in packages::of_workspace(shell)? {
        match package["rust_version"].as_str() {
            Some(rust) if rust != env!("CARGO_PKG_RUST_VERSION") => {
                by_rust.entry(rust.to_owned()).or_default().push(package);
            }
            _ => {}
        }
    }
    Ok(by_rust)
}

/// How many of the compilers, from the oldest on, the step of `cargo ci` uses: the core's, with which its packages compile in seconds.
pub(crate) const IN_THE_GATE: usize = 1;

/// Those of as many compilers, from the oldest on, that are not installed.
pub(crate) fn missing(shell: &Shell, compilers: usize) -> Result<Vec<String>> {
    let list = cmd!(shell, "rustup toolchain list").quiet().read();
    let installed = list.context("an older compiler is needed, too, by rustup: https://rustup.rs")?;
    let mut compilers: Vec<_> = by_rust(shell)?.into_keys().take(compilers).collect();
    compilers.retain(|rust| !installed.lines().any(|line| line.starts_with(&format!("{rust}-"))));
    Ok(compilers)
}

/// A step of `cargo ci`: the packages with the oldest of all.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    check_first(shell, IN_THE_GATE)
}

/// Checks all packages. It takes minutes to compile Bevy, the engines and the command once more, so the forge does it at night.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    check_first(shell, usize::MAX)
}

/// Checks the packages with the oldest compilers, of as many. In a project of its own, cargo takes the newest dependencies that support its Rust,
/// as for a user.
fn check_first(shell: &Shell, compilers: usize) -> Result<()> {
    let _variables = COMPILED_ONCE.map(|(name, value)| shell.push_env(name, value));
    let _built = shell.push_env("CARGO_TARGET_DIR", built("oldest-rust/built")?);
    let _resolver = shell.push_env("CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS", "fallback");
    for (rust, packages) in by_rust(shell)?.into_iter().take(compilers) {
        let _rust = shell.push_env("RUSTUP_TOOLCHAIN", &rust);
        let folder = built(&format!("oldest-rust/{rust}"))?;
        let mut manifest = format!(
            "[package]\nname = \"user\"\nedition = \"2024\"\nrust-version = \"{rust}\"\n\n[workspace]\n\n[dependencies]\n"
        );
        for package in &packages {
            let name = package["name"].as_str().context("a package has a name")?;
            let path = packages::folder_of(package).context("a package has a folder")?;
            let features = FEATURES
                .iter()
                .find(|(of, _)| *of == name)
                .map_or("", |(_, names)| names);
            let path = path.display();
            manifest += &format!("{name} = {{ path = \"{path}\", features = [{features}] }}\n");
            if name == "evenstep" {
                for features in CORE {
                    let options = ["--package=evenstep", "--lib", "--no-default-features", "--features"];
                    cmd!(shell, "cargo check {options...} {features}").run()?;
                }
            }
        }
        shell.write_file(folder.join("Cargo.toml"), manifest)?;
        shell.write_file(folder.join("src/lib.rs"), "")?;
        let _folder = shell.push_dir(&folder);
        cmd!(shell, "cargo check").run()?;
    }
    Ok(())
}

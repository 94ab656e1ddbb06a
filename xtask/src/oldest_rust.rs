//! Checks that the core compiles with the oldest Rust that its manifest names, and computes the stored results with it.

use std::path::Path;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

/// The version of Debian's packages, and what they are called.
const VERSION: &str = "1.85.0+dfsg3-1~deb12u3";
const PACKAGES: [&str; 3] = ["rustc-web", "libstd-rust-web-dev", "libstd-rust-web-1.85"];
const LLVM: &str = "libllvm19";

const FOLDER: &str = "target/oldest-rust";

/// The core's features that need no other package: none, and all but the default ones, with which the script is played.
const FEATURES: [&str; 2] = ["", "alloc,desync,follow,history"];

/// A package that plays the conformance script: with the core's own, cargo would compile all test dependencies.
const MANIFEST: &str = r#"[package]
name = "evenstep-oldest-rust"
edition = "2024"

[workspace]

[dependencies]
evenstep = { path = "../../crates/evenstep" }
fastrand = { version = "2", default-features = false }

[[bin]]
name = "conformance"
path = "conformance.rs"
"#;

/// Its program: the test that makes the script by the core.
const PROGRAM: &str = r#"
#[allow(unused)] // its test
#[path = "../../crates/evenstep/tests/conformance.rs"]
mod script;

fn main() {
    let stored = include_str!("../../stored/conformance.txt");
    assert!(script::made() == stored, "other results than those of stored/conformance.txt");
}
"#;

/// A step of `cargo ci`. The compiler is unpacked into a folder, beside the installed one.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let root = shell.current_dir();
    let folder = root.join(FOLDER);
    shell.create_dir(&folder)?;
    let (rustc, libraries) = (folder.join("usr/bin/rustc"), folder.join("usr/lib/x86_64-linux-gnu"));
    if !rustc.exists() {
        unpack(shell, &folder).with_context(|| format!("Debian's rustc-web {VERSION} cannot be downloaded"))?;
    }
    let _rustc = shell.push_env("RUSTC", &rustc);
    let _libraries = shell.push_env("LD_LIBRARY_PATH", libraries);
    let _target = shell.push_env("CARGO_TARGET_DIR", folder.join("built"));
    for features in FEATURES {
        cmd!(
            shell,
            "cargo check --package evenstep --lib --no-default-features --features {features}"
        )
        .run()?;
    }
    shell.write_file(folder.join("Cargo.toml"), MANIFEST)?;
    shell.write_file(folder.join("conformance.rs"), PROGRAM)?;
    shell.copy_file("Cargo.lock", folder.join("Cargo.lock"))?;
    let _folder = shell.push_dir(&folder);
    Ok(cmd!(shell, "cargo run").run()?)
}

fn unpack(shell: &Shell, folder: &Path) -> Result<()> {
    let _folder = shell.push_dir(folder);
    let packages = PACKAGES.map(|name| format!("{name}={VERSION}"));
    cmd!(shell, "apt-get download {packages...} {LLVM}").run()?;
    for file in shell
        .read_dir(".")?
        .iter()
        .filter(|file| file.extension().is_some_and(|end| end == "deb"))
    {
        cmd!(shell, "dpkg -x {file} .").run()?;
    }
    Ok(())
}

//! Checks that the core compiles with the oldest Rust that its manifest names.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

/// The version of Debian's packages, and what they are called.
const VERSION: &str = "1.85.0+dfsg3-1~deb12u3";
const PACKAGES: [&str; 3] = ["rustc-web", "libstd-rust-web-dev", "libstd-rust-web-1.85"];
const LLVM: &str = "libllvm19";

const FOLDER: &str = "target/oldest-rust";

/// The core's features that need no other package: none, and all but the default ones.
const FEATURES: [&str; 2] = ["", "alloc,desync,follow,history"];

/// A step of `cargo ci`. Without a toolchain of that version, Debian's compiler is unpacked into a folder, beside the installed one.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let folder = shell.current_dir().join(FOLDER);
    let installed = cmd!(shell, "rustup which rustc --toolchain 1.85")
        .quiet()
        .ignore_stderr()
        .read();
    let rustc = installed.map_or_else(|_| folder.join("usr/bin/rustc"), PathBuf::from);
    if !rustc.exists() {
        unpack(shell, &folder).with_context(|| format!("Debian's rustc-web {VERSION} cannot be downloaded"))?;
    }
    for features in FEATURES {
        cmd!(
            shell,
            "cargo check --package evenstep --lib --no-default-features --features {features}"
        )
        .env("RUSTC", &rustc)
        .env("LD_LIBRARY_PATH", folder.join("usr/lib/x86_64-linux-gnu"))
        .env("CARGO_TARGET_DIR", folder.join("built"))
        .run()?;
    }
    Ok(())
}

fn unpack(shell: &Shell, folder: &Path) -> Result<()> {
    shell.create_dir(folder)?;
    let _folder = shell.push_dir(folder);
    let packages = PACKAGES.map(|name| format!("{name}={VERSION}"));
    cmd!(shell, "apt-get download {packages...} {LLVM}").run()?;
    let files = shell.read_dir(".")?;
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|end| end == "deb"))
    {
        cmd!(shell, "dpkg -x {file} .").run()?;
    }
    Ok(())
}

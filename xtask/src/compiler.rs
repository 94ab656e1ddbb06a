//! Compilers for other processors: the installed toolchain with a target's standard library, or Debian's toolchain, which builds the
//! standard library itself.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use xshell::{Cmd, Shell, cmd};

use crate::setup;

pub(crate) enum Compiler {
    /// The installed toolchain.
    Toolchain,
    /// Debian's toolchain.
    Debian {
        cargo: String,
        rustc: String,
        /// The linker of WebAssembly, which Debian's compiler lacks.
        linker: Option<PathBuf>,
    },
}

/// Installs a target's standard library for the toolchain unless it is installed. Returns whether it is available.
pub(crate) fn add_library(shell: &Shell, target: &str) -> Result<bool> {
    let library = sysroot(shell)?.join("lib/rustlib").join(target).join("lib");
    if library.exists() {
        return Ok(true);
    }
    let _one = setup::installing()?;
    let add = cmd!(shell, "rustup target add {target}");
    let is_added = add.quiet().ignore_stdout().ignore_stderr().run().is_ok();
    Ok(is_added && library.exists())
}

fn sysroot(shell: &Shell) -> Result<PathBuf> {
    Ok(PathBuf::from(cmd!(shell, "rustc --print sysroot").quiet().read()?))
}

impl Compiler {
    /// Finds a compiler for a target, and installs missing parts.
    pub(crate) fn find(shell: &Shell, target: &str) -> Result<Self> {
        if add_library(shell, target)? {
            return Ok(Self::Toolchain);
        }
        let sysroot = sysroot(shell)?;
        if setup::debian(shell, &["rustc-web", "cargo-web", "rust-web-src"]).is_err() {
            bail!("no standard library for {target}; install it with: rustup target add {target}");
        }
        let linker = sysroot.join("lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld");
        let is_wasm = target.starts_with("wasm");
        if is_wasm && !linker.exists() {
            bail!("no linker for WebAssembly at {}; install rustup", linker.display());
        }
        Ok(Self::Debian {
            cargo: setup::debian_program(shell, "cargo-web", "cargo")?,
            rustc: setup::debian_program(shell, "rustc-web", "rustc")?,
            linker: is_wasm.then_some(linker),
        })
    }

    /// The `cargo build` command for a target.
    pub(crate) fn build<'a>(&self, shell: &'a Shell, target: &str, arguments: &[&str]) -> Cmd<'a> {
        match self {
            Self::Toolchain => cmd!(shell, "cargo build --locked --target {target} {arguments...}"),
            Self::Debian { cargo, rustc, linker } => {
                let build = cmd!(
                    shell,
                    "{cargo} build --locked --target {target} {arguments...} -Zbuild-std=std,panic_abort"
                )
                .env("RUSTC", rustc)
                .env("RUSTC_BOOTSTRAP", "1")
                .env_remove("RUSTUP_TOOLCHAIN");
                match linker {
                    Some(linker) => build.env(setup::cargo_variable(target, "LINKER"), linker),
                    None => build,
                }
            }
        }
    }

    /// The compiler's name and version.
    pub(crate) fn version(&self, shell: &Shell) -> Result<String> {
        let rustc = match self {
            Self::Toolchain => "rustc",
            Self::Debian { rustc, .. } => rustc,
        };
        let output = cmd!(shell, "{rustc} --version").quiet().read()?;
        let version = output.split_whitespace().nth(1).context("rustc has no version")?;
        Ok(format!("rustc {version}"))
    }
}

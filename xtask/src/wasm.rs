//! WebAssembly: finds a compiler that can build it, and builds the page's modules.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::setup;

const TARGET: &str = "wasm32-unknown-unknown";

/// The page's modules: their names and the features that they are built with.
const MODULES: &[(&str, &str)] = &[("core", "article"), ("physics", "rapier2d")];

/// Where both are built, so that they share the standard library.
const TARGET_DIR: &str = "target/page/wasm";

/// Builds the modules and their JavaScript into folders of their names under `out`.
pub(crate) fn build(shell: &Shell, out: &Path) -> Result<()> {
    let compiler = Compiler::find(shell)?;
    for (name, features) in MODULES {
        let module = compiler.build(shell, features)?;
        let out = out.join(name);
        cmd!(shell, "cargo run --package evenstep-bindings -- {module} {name} {out}").run()?;
    }
    Ok(())
}

/// A compiler of WebAssembly.
enum Compiler {
    /// The toolchain at hand, with the target's standard library.
    Toolchain,
    /// Debian's, which builds the standard library itself.
    Debian {
        cargo: String,
        rustc: String,
        linker: PathBuf,
    },
}

impl Compiler {
    fn find(shell: &Shell) -> Result<Self> {
        let sysroot = PathBuf::from(cmd!(shell, "rustc --print sysroot").read()?);
        let library = sysroot.join("lib/rustlib").join(TARGET);
        if library.exists() {
            return Ok(Self::Toolchain);
        }
        let added = cmd!(shell, "rustup target add {TARGET}")
            .quiet()
            .ignore_stdout()
            .ignore_stderr();
        if added.run().is_ok() && library.exists() {
            return Ok(Self::Toolchain);
        }
        if setup::debian(shell, &["rustc-web", "cargo-web", "rust-web-src"]).is_err() {
            bail!("no compiler for WebAssembly; install one with: rustup target add {TARGET}");
        }
        let linker = sysroot.join("lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld");
        if !linker.exists() {
            bail!("no linker for WebAssembly at {}; install rustup", linker.display());
        }
        Ok(Self::Debian {
            cargo: setup::debian_program(shell, "cargo-web", "cargo")?,
            rustc: setup::debian_program(shell, "rustc-web", "rustc")?,
            linker,
        })
    }

    fn build(&self, shell: &Shell, features: &str) -> Result<PathBuf> {
        let arguments = [
            "build",
            "--package=evenstep-web",
            "--lib",
            "--profile=web",
            "--locked",
            "--target",
            TARGET,
            "--target-dir",
            TARGET_DIR,
            "--no-default-features",
            "--features",
            features,
        ];
        match self {
            Self::Toolchain => cmd!(shell, "cargo {arguments...}").run()?,
            Self::Debian { cargo, rustc, linker } => {
                cmd!(shell, "{cargo} {arguments...} -Zbuild-std=std,panic_abort")
                    .env("RUSTC", rustc)
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env_remove("RUSTUP_TOOLCHAIN")
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                    .run()?;
            }
        }
        Ok(PathBuf::from(format!("{TARGET_DIR}/{TARGET}/web/evenstep_web.wasm")))
    }
}

//! WebAssembly: builds the page's modules.

use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::compiler::Compiler;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The page's modules: their names and the features that they are built with.
const MODULES: &[(&str, &str)] = &[("core", "article"), ("physics", "rapier2d")];

/// Where all are built, so that they share the standard library and the engines.
const TARGET_DIR: &str = "target/page/wasm";

/// How a module is optimised.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// Fast and small, for the page.
    Web,
    /// As small as it gets, for the npm package.
    Npm,
}

/// Builds the modules and their JavaScript into folders of their names under `out`.
pub(crate) fn build(shell: &Shell, out: &Path) -> Result<()> {
    let compiler = Compiler::find(shell, TARGET)?;
    for (name, features) in MODULES {
        let module = compile(shell, &compiler, Profile::Web, "evenstep-web", "evenstep_web", features)?;
        bind(shell, &module, name, &out.join(name))?;
    }
    Ok(())
}

/// Writes a module and its JavaScript into a folder.
pub(crate) fn bind(shell: &Shell, module: &Path, name: &str, out: &Path) -> Result<()> {
    Ok(cmd!(shell, "cargo run --package evenstep-bindings -- {module} {name} {out}").run()?)
}

/// Compiles a package to a module of a name.
pub(crate) fn compile(
    shell: &Shell,
    compiler: &Compiler,
    profile: Profile,
    package: &str,
    name: &str,
    features: &str,
) -> Result<PathBuf> {
    let profile = match profile {
        Profile::Web => "web",
        Profile::Npm => "npm",
    };
    let arguments = [
        "--package",
        package,
        "--profile",
        profile,
        "--target-dir",
        TARGET_DIR,
        "--no-default-features",
        "--features",
        features,
    ];
    compiler.build(shell, TARGET, &arguments).run()?;
    Ok(PathBuf::from(format!("{TARGET_DIR}/{TARGET}/{profile}/{name}.wasm")))
}

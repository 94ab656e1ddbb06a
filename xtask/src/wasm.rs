//! WebAssembly: builds the page's modules.

use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::built::built;
use crate::programs::linted;
use crate::setup;

const TARGET: &str = "wasm32-unknown-unknown";

/// The modules of the page, and the features of `evenstep-web` in each. The one that takes longest is first, so that other work fills the
/// remaining cores.
pub(crate) const MODULES: [(&str, &str); 4] = [
    ("physics", "rapier2d"),
    ("core", "article"),
    ("analysis", "analysis"),
    ("peers", "ggrs"),
];

/// The target folder of all modules, so that they share the engines.
const TARGET_DIR: &str = "target/page/wasm";

/// Compiles modules of the page.
pub(crate) fn compile_modules(shell: &Shell, modules: &[(&str, &str)]) -> Result<()> {
    for (name, features) in modules {
        println!("page: compiling module {name} to WebAssembly");
        let module = compile(shell, "evenstep-web", "evenstep_web", features)?;
        // All are built from one package and have the same name.
        shell.copy_file(module, module_file(name))?;
    }
    Ok(())
}

/// Writes the JavaScript of a compiled module of the page. The programs must be built.
pub(crate) fn bind_module(shell: &Shell, name: &str) -> Result<()> {
    bind(shell, &module_file(name), name, &format!("lab/page/src/wasm/{name}"))
}

fn module_file(name: &str) -> PathBuf {
    PathBuf::from(format!("{TARGET_DIR}/{name}.wasm"))
}

/// Writes a module and its JavaScript into a folder. The programs must be built.
pub(crate) fn bind(shell: &Shell, module: &Path, name: &str, out: &str) -> Result<()> {
    let program = built("debug/evenstep-bindings")?;
    Ok(cmd!(shell, "{program} {module} {name} {out}").quiet().run()?)
}

/// Compiles a package to a module with a name.
pub(crate) fn compile(shell: &Shell, package: &str, name: &str, features: &str) -> Result<PathBuf> {
    setup::rust_target(shell, TARGET)?;
    // A warning in a module is an error, too.
    linted(cmd!(
        shell,
        "cargo build --locked --target {TARGET} --profile web --target-dir {TARGET_DIR} --package {package} --no-default-features --features {features}"
    ))
    .run()?;
    Ok(PathBuf::from(format!("{TARGET_DIR}/{TARGET}/web/{name}.wasm")))
}

//! WebAssembly: builds the page's modules.

use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::built::built;
use crate::compiler::Compiler;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// A module of the page.
pub(crate) struct Module {
    pub(crate) name: &'static str,
    features: &'static str,
}

/// All modules. The one that takes longest is first, so that other work fills the remaining cores.
pub(crate) const MODULES: &[Module] = &[
    Module {
        name: "physics",
        features: "rapier2d",
    },
    Module {
        name: "core",
        features: "article",
    },
    Module {
        name: "analysis",
        features: "analysis",
    },
    Module {
        name: "peers",
        features: "ggrs",
    },
];

/// The target folder of all modules, so that they share the standard library and the engines.
const TARGET_DIR: &str = "target/page/wasm";

/// The folder of their JavaScript, with a folder for each module.
const OUT: &str = "lab/page/src/wasm";

impl Module {
    /// Compiles the module, and copies it, because all are built from one package and have the same name.
    pub(crate) fn compile(&self, shell: &Shell, compiler: &Compiler) -> Result<()> {
        let module = compile(shell, compiler, "evenstep-web", "evenstep_web", self.features)?;
        Ok(shell.copy_file(module, self.file())?)
    }

    /// Writes the JavaScript of the module. The programs must be built.
    pub(crate) fn bind(&self, shell: &Shell) -> Result<()> {
        bind(shell, &self.file(), self.name, &Path::new(OUT).join(self.name))
    }

    fn file(&self) -> PathBuf {
        PathBuf::from(format!("{TARGET_DIR}/{}.wasm", self.name))
    }
}

/// Writes a module and its JavaScript into a folder. The programs must be built.
pub(crate) fn bind(shell: &Shell, module: &Path, name: &str, out: &Path) -> Result<()> {
    let program = built("debug/evenstep-bindings")?;
    Ok(cmd!(shell, "{program} {module} {name} {out}").quiet().run()?)
}

/// Compiles a package to a module with a name.
pub(crate) fn compile(
    shell: &Shell,
    compiler: &Compiler,
    package: &str,
    name: &str,
    features: &str,
) -> Result<PathBuf> {
    let arguments = [
        "--package",
        package,
        "--profile",
        "web",
        "--target-dir",
        TARGET_DIR,
        "--no-default-features",
        "--features",
        features,
    ];
    compiler.build(shell, TARGET, &arguments).run()?;
    Ok(PathBuf::from(format!("{TARGET_DIR}/{TARGET}/web/{name}.wasm")))
}

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

/// All of them. First the one that takes long, so that other work fills the cores beside it.
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
        name: "peers",
        features: "ggrs",
    },
];

/// Where all are built, so that they share the standard library and the engines.
const TARGET_DIR: &str = "target/page/wasm";

/// Where their JavaScript goes, into folders of their names.
const OUT: &str = "lab/page/src/wasm";

/// How a module is optimised.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// Fast and small, for the page.
    Web,
    /// As small as it gets, for the npm package.
    Npm,
}

impl Module {
    /// Compiles it, and puts it aside: all are of one package, and so have one name.
    pub(crate) fn compile(&self, shell: &Shell, compiler: &Compiler) -> Result<()> {
        let module = compile(
            shell,
            compiler,
            Profile::Web,
            "evenstep-web",
            "evenstep_web",
            self.features,
        )?;
        Ok(shell.copy_file(module, self.file())?)
    }

    /// Writes its JavaScript. The programs must be built.
    pub(crate) fn bind(&self, shell: &Shell) -> Result<()> {
        bind(shell, &self.file(), self.name, &Path::new(OUT).join(self.name))
    }

    fn file(&self) -> PathBuf {
        PathBuf::from(format!("{TARGET_DIR}/{}.wasm", self.name))
    }
}

/// Writes a module and its JavaScript into a folder. The programs must be built.
pub(crate) fn bind(shell: &Shell, module: &Path, name: &str, out: &Path) -> Result<()> {
    let program = built(shell, "debug/evenstep-bindings")?;
    Ok(cmd!(shell, "{program} {module} {name} {out}").quiet().run()?)
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

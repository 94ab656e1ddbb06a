//! The targets, and how each is built and run.

use std::env::consts;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use super::emulator::{ANY, Cross};
use crate::built::built;
use crate::compiler::Compiler;
use crate::setup::version;
use crate::{programs, setup, wasm};

/// The folder of all builds, recordings and outputs.
pub(super) const FOLDER: &str = "target/same-bits";

/// A processor, or a way to compile for one.
pub(super) struct Target {
    pub(super) name: &'static str,
    triple: &'static str,
    /// Additional options of the compiler.
    flags: &'static str,
    /// Additional options of the C compiler.
    c_flags: &'static str,
    engines: &'static str,
    /// What runs the program; `None` on this machine's own processor.
    runner: Option<Runner>,
}

#[derive(Clone, Copy)]
enum Runner {
    Foreign(Cross),
    Node,
    Chromium,
}

const X86: &str = "x86_64-unknown-linux-gnu";
const PACKAGE: &str = "evenstep-determinism";
const ALL: &str = "box2d,rapier2d,rapier3d";
const RAPIER: &str = "rapier2d,rapier3d";

/// All targets. The first is that of a usual machine; the others replay its recordings.
pub(super) const TARGETS: &[Target] = &[
    native("x86-64", "", ""),
    // With AVX2 and fused multiply-add.
    native("x86-64-v3", "-Ctarget-cpu=x86-64-v3", "-march=x86-64-v3"),
    Target {
        name: "aarch64",
        triple: "aarch64-unknown-linux-gnu",
        flags: STATIC,
        c_flags: "",
        engines: ALL,
        runner: Some(Runner::Foreign(Cross {
            emulator: Some("qemu-aarch64"),
            since: ANY,
            prefix: "aarch64-linux-gnu",
            library: "libc6-dev-arm64-cross",
        })),
    },
    module("wasm32", Runner::Node),
    module("chromium", Runner::Chromium),
    Target {
        name: "i686",
        triple: "i686-unknown-linux-gnu",
        flags: STATIC,
        c_flags: "",
        engines: RAPIER,
        runner: Some(Runner::Foreign(Cross {
            emulator: None,
            since: ANY,
            prefix: "i686-linux-gnu",
            library: "libc6-dev-i386-cross",
        })),
    },
    Target {
        name: "armhf",
        triple: "armv7-unknown-linux-gnueabihf",
        flags: STATIC,
        c_flags: "",
        engines: RAPIER,
        runner: Some(Runner::Foreign(Cross {
            emulator: Some("qemu-arm"),
            since: ANY,
            prefix: "arm-linux-gnueabihf",
            library: "libc6-dev-armhf-cross",
        })),
    },
    // Big-endian, which the engines do not support.
    Target {
        name: "s390x",
        triple: "s390x-unknown-linux-gnu",
        flags: STATIC,
        c_flags: "",
        engines: "",
        runner: Some(Runner::Foreign(Cross {
            emulator: Some("qemu-s390x"),
            // 7.2 takes the first factor of MDEBR, f32 × f32 = f64, for an f64.
            since: (8, 1),
            prefix: "s390x-linux-gnu",
            library: "libc6-dev-s390x-cross",
        })),
    },
];

/// The compiler option that links statically, so that an emulator needs no libraries of the other system.
const STATIC: &str = "-Ctarget-feature=+crt-static";

const fn native(name: &'static str, flags: &'static str, c_flags: &'static str) -> Target {
    Target {
        name,
        triple: X86,
        flags,
        c_flags,
        engines: ALL,
        runner: None,
    }
}

/// WebAssembly, without Box2D, because its binding does not build for it.
const fn module(name: &'static str, runner: Runner) -> Target {
    Target {
        name,
        triple: wasm::TARGET,
        flags: "",
        c_flags: "",
        engines: RAPIER,
        runner: Some(runner),
    }
}

/// How a target is compiled.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Build {
    Optimised,
    /// At opt-level 1, which compiles in half the time. WebAssembly is optimised nevertheless.
    Quick,
    /// The build of this machine's tests.
    OfTests,
}

impl Build {
    fn level(self) -> &'static str {
        match self {
            Self::Optimised => "3",
            Self::Quick | Self::OfTests => "1",
        }
    }
}

/// The tools that build a target.
pub(super) struct Tools {
    compiler: Compiler,
    versions: Vec<String>,
}

/// The program, and the command that runs it.
pub(super) struct Program {
    command: Vec<String>,
    pub(super) tools: String,
}

impl Target {
    /// Whether it is this machine without special options.
    pub(super) fn is_own(&self) -> bool {
        self.name == TARGETS[0].name
    }

    fn is_module(&self) -> bool {
        matches!(self.runner, Some(Runner::Node | Runner::Chromium))
    }

    /// Finds the tools, and installs missing ones. Fails if that is not possible.
    pub(super) fn find_tools(&self, shell: &Shell) -> Result<Tools> {
        let is_here = consts::ARCH == "x86_64" && consts::OS == "linux";
        if self.runner.is_none() && !is_here {
            bail!("it needs Linux on x86-64");
        }
        let mut versions = Vec::new();
        match self.runner {
            Some(Runner::Foreign(cross)) => versions.extend(cross.find(shell)?),
            Some(Runner::Node) => {
                setup::node(shell)?;
                versions.push(format!("Node.js {}", version(shell, "node")?));
            }
            Some(Runner::Chromium) => {
                setup::node(shell)?;
                let chromium = setup::chromium(shell)?;
                setup::packages(shell, "lab/page")?;
                versions.push(version(shell, &chromium)?);
                shell.set_var("CHROMIUM", chromium);
            }
            None => versions.push(version(shell, "cc")?),
        }
        let compiler = Compiler::find(shell, self.triple)?;
        versions.insert(0, compiler.version(shell)?);
        Ok(Tools { compiler, versions })
    }

    /// Builds the program and copies it, since another target may have the same triple.
    pub(super) fn build(&self, shell: &Shell, tools: &Tools, build: Build) -> Result<Program> {
        let folder = self.folder();
        shell.create_dir(&folder)?;
        match (self.runner, build) {
            _ if self.is_module() => {
                match build {
                    Build::Optimised => programs::build_writers(shell)?,
                    Build::Quick | Build::OfTests => programs::build(shell)?,
                }
                let module = wasm::compile(
                    shell,
                    &tools.compiler,
                    wasm::Profile::Web,
                    PACKAGE,
                    "determinism",
                    self.engines,
                )?;
                wasm::bind(shell, &module, "determinism", &folder)?;
            }
            (None, Build::OfTests) => {
                programs::build(shell)?;
                shell.copy_file(built(shell, "debug/determinism")?, folder.join("determinism"))?;
            }
            _ => {
                self.compile(shell, &tools.compiler, build)?;
                shell.copy_file(
                    format!("{FOLDER}/{}/release/determinism", self.triple),
                    folder.join("determinism"),
                )?;
            }
        }
        let mut program = self.built();
        let level = if self.is_module() { Build::Optimised } else { build }.level();
        program.tools = format!("{}, opt-level {level}", tools.versions.join(", "));
        Ok(program)
    }

    fn compile(&self, shell: &Shell, compiler: &Compiler, build: Build) -> Result<()> {
        let package = ["--package", PACKAGE, "--release", "--target-dir", FOLDER];
        let features = ["--no-default-features", "--features", self.engines];
        let in_c = |what: &str| format!("{what}_{}", self.triple.replace('-', "_"));
        let mut command = compiler
            .build(shell, self.triple, &[&package[..], &features].concat())
            .env(setup::cargo_variable(self.triple, "RUSTFLAGS"), self.flags)
            .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
            .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", build.level());
        if !self.c_flags.is_empty() {
            command = command.env(in_c("CFLAGS"), self.c_flags);
        }
        if let Some(Runner::Foreign(Cross { prefix, .. })) = self.runner {
            let gcc = format!("{prefix}-gcc");
            command = command
                .env(setup::cargo_variable(self.triple, "LINKER"), &gcc)
                .env(in_c("CC"), gcc)
                .env(in_c("AR"), format!("{prefix}-ar"));
        }
        Ok(command.run()?)
    }

    fn folder(&self) -> PathBuf {
        PathBuf::from(format!("{FOLDER}/{}", self.name))
    }

    /// The program that was built before.
    pub(super) fn built(&self) -> Program {
        let folder = self.folder();
        let program = folder.join("determinism").to_string_lossy().into_owned();
        let command = match self.runner {
            None => vec![program],
            Some(Runner::Foreign(cross)) => cross.runner().into_iter().chain([program]).collect(),
            Some(Runner::Node) => in_javascript("node", &folder),
            Some(Runner::Chromium) => in_javascript("chromium", &folder),
        };
        Program {
            command,
            tools: String::new(),
        }
    }
}

/// The command that runs a WebAssembly module in Node.js or Chromium.
fn in_javascript(place: &str, folder: &Path) -> Vec<String> {
    ["node", "lab/determinism/run.mjs", place, &folder.to_string_lossy()]
        .map(str::to_owned)
        .to_vec()
}

impl Program {
    /// Runs the program. Returns its output.
    pub(super) fn run(&self, shell: &Shell, arguments: &[&str]) -> Result<String> {
        let command = &self.command;
        let (program, before) = (&command[0], &command[1..]);
        Ok(cmd!(shell, "{program} {before...} {arguments...}").quiet().read()?)
    }
}

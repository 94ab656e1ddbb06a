//! The npm package: writes it, and tests it as installed by a program.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::compiler::Compiler;
use crate::{programs, setup, snippets, wasm};

/// The crate with the sources.
const CRATE: &str = "bindings/evenstep-js";

/// Its WebAssembly modules, which are features of the crate: one for each entry that has a module.
const MODULES: [&str; 1] = ["poses"];

/// The folder to which they are copied, because all are built from one crate and have the same name.
const COMPILED: &str = "target/npm/modules";

/// The folder in which the package is built for the page and for tests.
pub(crate) const OUT: &str = "target/npm/package";

/// An empty project, into which the package is installed.
const PROJECT: &str = "target/npm/project";

/// The file with the gzipped sizes: a line for each entry, and one for the whole package.
const SIZES: &str = "stored/npm-sizes.txt";

/// The pages whose JavaScript code is run.
const PAGES: [&str; 4] = [
    "docs/pages/javascript.md",
    "docs/pages/javascript-engines.md",
    "docs/pages/adopting.md",
    "bindings/evenstep-js/README.md",
];

/// Options of `cargo xtask npm`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder to write; its content is replaced.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
}

/// Writes the package as a folder, for `npm install DIR` or `npm publish DIR`.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    write(shell, &options.out, build_binder)?;
    println!("npm package: {}", options.out.display());
    Ok(())
}

/// Builds only the program that the package needs.
fn build_binder(shell: &Shell) -> Result<()> {
    Ok(cmd!(shell, "cargo build --quiet --package evenstep-bindings")
        .quiet()
        .run()?)
}

/// Writes the package into a folder. The third argument builds the programs that do so.
fn write(shell: &Shell, out: &Path, programs: fn(&Shell) -> Result<()>) -> Result<()> {
    setup::node(shell)?;
    setup::packages(shell, "lab/page")?;
    programs(shell)?;
    compile(shell, &Compiler::find(shell, wasm::TARGET)?)?;
    pack(shell, out)
}

/// Compiles the modules of the package.
pub(crate) fn compile(shell: &Shell, compiler: &Compiler) -> Result<()> {
    shell.create_dir(COMPILED)?;
    for name in MODULES {
        let module = wasm::compile(shell, compiler, wasm::Profile::Npm, "evenstep-js", "evenstep_js", name)?;
        shell.copy_file(module, format!("{COMPILED}/{name}.wasm"))?;
    }
    Ok(())
}

/// Writes the package with the compiled modules into a folder. The programs must be built, and the npm packages of the page must be
/// installed.
pub(crate) fn pack(shell: &Shell, out: &Path) -> Result<()> {
    let sources = shell.current_dir().join("target/npm/sources");
    shell.remove_path(&sources)?;
    for name in MODULES {
        let module = format!("{COMPILED}/{name}.wasm");
        wasm::bind(
            shell,
            Path::new(&module),
            "bindings",
            &sources.join("generated").join(name),
        )?;
    }
    // The version is written once, in the workspace.
    let write = |file: &Path, folder: &Path| -> Result<()> {
        let name = file.file_name().context("a file has a name")?;
        let text = shell.read_file(file)?;
        Ok(shell.write_file(
            folder.join(name),
            text.replace("0.0.0-cargo", env!("CARGO_PKG_VERSION")),
        )?)
    };
    for file in shell.read_dir(format!("{CRATE}/js"))? {
        write(&file, &sources)?;
    }
    let out = std::path::absolute(shell.current_dir().join(out))?;
    shell.remove_path(&out)?;
    for file in [
        "LICENSE-APACHE",
        "LICENSE-MIT",
        &format!("{CRATE}/README.md"),
        &format!("{CRATE}/package.json"),
    ] {
        write(Path::new(file), &out)?;
    }
    let _web = shell.push_dir("lab/page");
    Ok(cmd!(shell, "node npm.mjs {sources} {out}").quiet().run()?)
}

/// Measures the size of the package and stores it.
pub(crate) fn store_sizes(shell: &Shell) -> Result<()> {
    write(shell, Path::new(OUT), build_binder)?;
    install(shell)?;
    let sizes = cmd!(shell, "node {PROJECT}/sizes.mjs").quiet().read()?;
    Ok(shell.write_file(SIZES, sizes + "\n")?)
}

/// Installs the built package into an empty project, with its tests beside it.
fn install(shell: &Shell) -> Result<()> {
    let (package, project) = (shell.current_dir().join(OUT), shell.current_dir().join(PROJECT));
    shell.remove_path(&project)?;
    shell.create_dir(&project)?;
    let packed = {
        let _package = shell.push_dir(&package);
        cmd!(shell, "npm pack --silent --pack-destination {project}")
            .quiet()
            .read()?
    };
    for file in shell.read_dir(format!("{CRATE}/tests"))? {
        shell.copy_file(&file, project.join(file.file_name().context("a file has a name")?))?;
    }
    shell.copy_file("stored/conformance.txt", project.join("conformance.txt"))?;
    snippets::write(shell, &project.join("snippets"), ("js", "js", "//"), &PAGES)?;
    if shell.path_exists(SIZES) {
        shell.copy_file(SIZES, project.join("npm-sizes.txt"))?;
    }
    let _project = shell.push_dir(&project);
    Ok(cmd!(shell, "npm install --silent --no-audit --no-fund ./{packed}")
        .quiet()
        .run()?)
}

/// The step of `cargo ci`: checks the package with other tools, and runs its tests in an empty project in which it is installed: with
/// Node.js, in a browser without a bundler, in a worker and bundled by Vite. Also runs `evenstep analyze` on a recording of a page.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    write(shell, Path::new(OUT), programs::build)?;
    let (package, project) = (shell.current_dir().join(OUT), shell.current_dir().join(PROJECT));
    let tools = shell.current_dir().join("lab/page/node_modules/.bin");
    let (publint, attw) = (tools.join("publint"), tools.join("attw"));
    cmd!(shell, "{publint} run {package} --strict --pack npm")
        .quiet()
        .run()?;
    cmd!(shell, "{attw} --pack {package} --profile esm-only --quiet --no-color")
        .quiet()
        .run()?;
    install(shell)?;
    let chromium = setup::chromium(shell)?;
    {
        let _project = shell.push_dir(&project);
        let tests: Vec<_> = shell.read_dir(".")?.into_iter().filter(|file| is_test(file)).collect();
        if tests.is_empty() {
            bail!("{CRATE}/tests has no tests");
        }
        cmd!(shell, "node --expose-gc --test --test-reporter=spec {tests...}")
            .quiet()
            .run()?;
    }
    let _web = shell.push_dir("lab/page");
    // The strictest type checks, without a browser's types.
    let typed = project.join("tsconfig.json");
    cmd!(shell, "node_modules/.bin/tsc --project {typed}").quiet().run()?;
    for program in ["installed.mjs", "recorded.mjs"] {
        cmd!(shell, "node {program} {project}")
            .env("CHROMIUM", &chromium)
            .quiet()
            .run()?;
    }
    Ok(())
}

/// The step of `cargo ci`: runs third-party games and demos, with `fixed-raf` in front of their scripts, in Chromium at three refresh
/// rates.
pub(crate) fn games(shell: &Shell) -> Result<()> {
    // Seventeen seconds at eight rates take half an hour: `node games/games.mjs PROJECT` without `--quick` makes the book's table.
    in_chromium(shell, "games", &["--quick"])
}

/// The step of `cargo ci`: runs the code that the book shows for an engine's own loop, with the engine's own package, and `fixed-raf`
/// beside other loops.
pub(crate) fn adapters(shell: &Shell) -> Result<()> {
    in_chromium(shell, "adapters", &[])
}

/// Installs the packages of a folder of the page and the npm package, and runs the folder's program.
fn in_chromium(shell: &Shell, name: &str, options: &[&str]) -> Result<()> {
    let chromium = setup::chromium(shell)?;
    write(shell, Path::new(OUT), programs::build_writers)?;
    let package = shell.current_dir().join(OUT);
    let project = shell.current_dir().join("target/npm").join(name);
    shell.create_dir(&project)?;
    shell.copy_file(format!("lab/page/{name}/package.json"), project.join("package.json"))?;
    {
        let _project = shell.push_dir(&project);
        cmd!(
            shell,
            "npm install --silent --no-audit --no-fund --no-save --ignore-scripts --legacy-peer-deps {package}"
        )
        .quiet()
        .run()?;
    }
    let _web = shell.push_dir("lab/page");
    Ok(cmd!(shell, "node {name}/{name}.mjs {project} {options...}")
        .env("CHROMIUM", chromium)
        .quiet()
        .run()?)
}

fn is_test(file: &Path) -> bool {
    file.to_str().is_some_and(|name| name.ends_with(".test.mjs"))
}

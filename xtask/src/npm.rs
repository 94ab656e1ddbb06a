//! The npm package: writes it, and tests it as a program that installs it has it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::compiler::Compiler;
use crate::{programs, setup, snippets, wasm};

/// The crate with the sources.
const CRATE: &str = "bindings/evenstep-js";

/// Its modules of WebAssembly, which are features of the crate: one for each entry that has one.
const MODULES: [&str; 2] = ["poses", "display"];

/// Where they are put aside: all are of one crate, and so have one name.
const COMPILED: &str = "target/npm/modules";

/// Where the package is built for the page and for tests.
pub(crate) const OUT: &str = "target/npm/package";

/// An empty project, into which the package is installed.
const PROJECT: &str = "target/npm/project";

/// What the package weighs, gzipped: a line for each entry, and one for all.
const SIZES: &str = "stored/npm-sizes.txt";

/// The pages whose code of JavaScript is run.
const PAGES: [&str; 4] = [
    "docs/pages/javascript.md",
    "docs/pages/javascript-engines.md",
    "docs/pages/accumulator.md",
    "bindings/evenstep-js/README.md",
];

/// Options of `cargo xtask npm`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder to write; what is in it is replaced.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
}

/// Writes the package as a folder, for `npm install DIR` or `npm publish DIR`.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    write(shell, &options.out, build_binder)?;
    println!("npm package: {}", options.out.display());
    Ok(())
}

/// Builds the one of these programs that the package alone needs.
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

/// Compiles its modules.
pub(crate) fn compile(shell: &Shell, compiler: &Compiler) -> Result<()> {
    shell.create_dir(COMPILED)?;
    for name in MODULES {
        let module = wasm::compile(shell, compiler, wasm::Profile::Npm, "evenstep-js", "evenstep_js", name)?;
        shell.copy_file(module, format!("{COMPILED}/{name}.wasm"))?;
    }
    Ok(())
}

/// Writes the package of the compiled modules into a folder. The programs must be built, and the npm packages of the page be
/// there.
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

/// Weighs the package anew and stores what it weighs.
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

/// The step of `cargo ci`: what others say of the package, and its tests in an empty project that has it installed, with
/// Node.js, in a browser without a bundler, in a worker and bundled by Vite; and `evenstep analyze` of a page that it recorded.
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
    // Types as strict as a user can ask for, without those of a browser.
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

/// The step of `cargo ci`: games and demos by others, with `fixed-raf` in front of their scripts, in Chromium at the rates of four
/// displays.
pub(crate) fn games(shell: &Shell) -> Result<()> {
    // Seventeen seconds at eight rates take half an hour: `node games/games.mjs PROJECT` without `--quick` makes the book's table.
    in_chromium(shell, "games", &["--quick"])
}

/// The step of `cargo ci`: the lines that the book shows for the loops of engines, with the engines' own packages.
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

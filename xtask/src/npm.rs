//! The npm package: writes it, and tests it as installed by a program.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::{book, programs, setup, snippets, workflows};

/// The package. `npm pack` builds it there, with nothing of this workspace.
const PACKAGE: &str = "bindings/js";

/// An empty project, into which the package is installed.
const PROJECT: &str = "target/npm/project";

/// The file with the gzipped sizes: a line for each entry, and one for the whole package.
const SIZES: &str = "stored/npm-sizes.txt";

/// The pages whose JavaScript code is run.
const PAGES: [&str; 6] = [
    book::WHICH_CALL,
    "docs/pages/input.md",
    "docs/pages/javascript.md",
    "docs/pages/javascript-engines.md",
    "docs/pages/follow-a-song.md",
    "bindings/js/README.md",
];

/// Builds the package where it is.
pub(crate) fn build(shell: &Shell) -> Result<()> {
    prepare(shell)?;
    let _package = shell.push_dir(PACKAGE);
    Ok(cmd!(shell, "npm run --silent build").quiet().run()?)
}

/// Makes sure that the package's tools are installed.
fn prepare(shell: &Shell) -> Result<()> {
    setup::node(shell)?;
    setup::packages(shell, PACKAGE)
}

/// Builds the package and returns the file that `npm pack` makes of it.
pub(crate) fn pack(shell: &Shell, folder: &Path) -> Result<PathBuf> {
    prepare(shell)?;
    shell.create_dir(folder)?;
    let _package = shell.push_dir(PACKAGE);
    let name = cmd!(shell, "npm pack --silent --pack-destination {folder}")
        .quiet()
        .read()?;
    Ok(folder.join(name))
}

/// Measures the size of the package and stores it.
pub(crate) fn store_sizes(shell: &Shell) -> Result<()> {
    install(shell)?;
    let sizes = cmd!(shell, "node {PROJECT}/sizes.mjs").quiet().read()?;
    Ok(shell.write_file(SIZES, sizes + "\n")?)
}

/// Installs the package into an empty project. Returns the packed file.
fn install_into(shell: &Shell, project: &Path) -> Result<PathBuf> {
    let packed = pack(shell, project)?;
    let _project = shell.push_dir(project);
    cmd!(shell, "npm install --silent --no-audit --no-fund {packed}")
        .quiet()
        .run()?;
    Ok(packed)
}

/// Installs the package into an empty project, with its tests beside it. Returns the packed file.
fn install(shell: &Shell) -> Result<PathBuf> {
    let project = shell.current_dir().join(PROJECT);
    shell.remove_path(&project)?;
    shell.create_dir(&project)?;
    for file in shell
        .read_dir(format!("{PACKAGE}/tests"))?
        .iter()
        .filter(|path| path.is_file())
    {
        shell.copy_file(file, &project)?;
    }
    for file in ["conformance.txt", "random-scripts.txt", "npm-sizes.txt"] {
        shell.copy_file(Path::new("stored").join(file), &project)?;
    }
    snippets::write(shell, &project.join("snippets"), ("js", "js", "//"), &PAGES)?;
    install_into(shell, &project)
}

/// The step of `cargo ci`: checks the jobs of the forge, which needs a package of npm. Checks our package with other tools, and runs its
/// tests in an empty project in which it is installed: with Node.js, in a browser without a bundler, in a worker and bundled by Vite, hidden
/// and touched. Also runs `evenstep analyze` on a recording of a page.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    workflows::lint(shell)?;
    programs::build(shell)?;
    let (packed, project) = (install(shell)?, shell.current_dir().join(PROJECT));
    let tools = shell.current_dir().join("lab/page/node_modules/.bin");
    let (publint, attw) = (tools.join("publint"), tools.join("attw"));
    cmd!(shell, "{publint} run {packed} --strict").quiet().run()?;
    cmd!(
        shell,
        "{attw} {packed} --profile esm-only --exclude-entrypoints cjs --quiet --no-color"
    )
    .quiet()
    .run()?;
    let chromium = setup::chromium(shell)?;
    {
        let _project = shell.push_dir(&project);
        let is_test = |file: &PathBuf| file.to_string_lossy().ends_with(".test.mjs");
        let tests: Vec<_> = shell.read_dir(&project)?.into_iter().filter(is_test).collect();
        ensure!(!tests.is_empty(), "{}: no file is called *.test.mjs", project.display());
        cmd!(shell, "node --expose-gc --test --test-reporter=spec {tests...}")
            .quiet()
            .run()?;
    }
    let _web = shell.push_dir("lab/page");
    // The strictest type checks, without a browser's types.
    let typed = project.join("tsconfig.json");
    cmd!(shell, "node_modules/.bin/tsc --project {typed}").quiet().run()?;
    let tests = format!("../../{PACKAGE}/tests");
    for program in [
        "installed.mjs",
        "recorded.mjs",
        &format!("{tests}/hidden.mjs"),
        &format!("{tests}/touch.mjs"),
    ] {
        // Node.js 20 has a WebSocket only with this option.
        cmd!(shell, "node --experimental-websocket {program} {project}")
            .env("CHROMIUM", &chromium)
            .env("EVENSTEP", built("debug/evenstep")?)
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
/// in a worker and in an iframe.
pub(crate) fn adapters(shell: &Shell) -> Result<()> {
    in_chromium(shell, "adapters", &[])
}

/// Installs the packages of a folder of the tests and the npm package, and runs the folder's program.
fn in_chromium(shell: &Shell, name: &str, options: &[&str]) -> Result<()> {
    let chromium = setup::headless_chromium(shell)?;
    let project = shell.current_dir().join("target/npm").join(name);
    let package = pack(shell, &project)?;
    shell.copy_file(
        format!("{PACKAGE}/tests/{name}/package.json"),
        project.join("package.json"),
    )?;
    {
        let _project = shell.push_dir(&project);
        cmd!(
            shell,
            "npm install --silent --no-audit --no-fund --no-save --ignore-scripts --legacy-peer-deps {package}"
        )
        .quiet()
        .run()?;
    }
    let _tests = shell.push_dir(format!("{PACKAGE}/tests"));
    Ok(cmd!(shell, "node {name}/{name}.mjs {project} {options...}")
        .env("CHROMIUM", chromium)
        .quiet()
        .run()?)
}

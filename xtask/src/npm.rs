//! The npm package: writes it, and tests it as installed by a program.

use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::built::built;
use crate::setup::NPM;
use crate::{programs, setup, workflows};

/// The package. `npm pack` builds it there, with nothing of this workspace.
const PACKAGE: &str = "bindings/js";

/// An empty project, into which the package is installed.
const PROJECT: &str = "target/npm/project";

/// The file with the gzipped sizes: a line for each entry, and one for the whole package.
const SIZES: &str = "stored/npm-sizes.txt";

/// Builds the package where it is.
pub(crate) fn build(shell: &Shell) -> Result<()> {
    prepare(shell)?;
    let _package = shell.push_dir(PACKAGE);
    Ok(cmd!(shell, "{NPM} run --silent build").quiet().run()?)
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
    let name = cmd!(shell, "{NPM} pack --silent --pack-destination {folder}")
        .quiet()
        .read()?;
    Ok(folder.join(name))
}

/// Measures the size of the package and stores it.
pub(crate) fn store_sizes(shell: &Shell) -> Result<()> {
    build(shell)?;
    let sizes = cmd!(shell, "node {PACKAGE}/tests/sizes.mjs").quiet().read()?;
    Ok(shell.write_file(SIZES, sizes + "\n")?)
}

/// Installs the package into [`PROJECT`], which is empty before. Returns the packed file.
fn install(shell: &Shell) -> Result<PathBuf> {
    let project = &shell.current_dir().join(PROJECT);
    shell.remove_path(project)?;
    let packed = pack(shell, project)?;
    let _project = shell.push_dir(project);
    cmd!(shell, "{NPM} install --silent --no-audit --no-fund {packed}")
        .quiet()
        .run()?;
    Ok(packed)
}

/// The step of the quick tier: builds the package and runs its tests with Node.js, where they are.
pub(crate) fn test(shell: &Shell) -> Result<()> {
    prepare(shell)?;
    let _package = shell.push_dir(PACKAGE);
    Ok(cmd!(shell, "{NPM} test --silent").quiet().run()?)
}

/// The step of `cargo ci`: checks the jobs of the forge, which needs a package of npm. Checks our package with other tools, and runs its
/// tests: with Node.js, and as installed in an empty project, in a browser without a bundler, in a worker and bundled by Vite, hidden and
/// touched, with the keys of each kind of element.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    workflows::lint(shell)?;
    test(shell)?;
    let packed = install(shell)?;
    let tools = shell.current_dir().join("lab/page/node_modules/.bin");
    let (publint, attw) = (tools.join("publint"), tools.join("attw"));
    cmd!(shell, "{publint} run {packed} --strict").quiet().run()?;
    cmd!(
        shell,
        "{attw} {packed} --profile esm-only --exclude-entrypoints cjs --quiet --no-color"
    )
    .quiet()
    .run()?;
    let tests = format!("../../{PACKAGE}/tests");
    in_browser(
        shell,
        &[
            "installed.mjs",
            &format!("{tests}/hidden.mjs"),
            &format!("{tests}/touch.mjs"),
            &format!("{tests}/keys.mjs"),
            &format!("{tests}/thumbs.mjs"),
        ],
    )
}

/// The step of `cargo ci`: runs `evenstep analyze` on a recording of a page, which the package as installed has made in a browser. It is apart
/// from [`check`] because the command has to be built, and no other test of the package needs anything of cargo's.
pub(crate) fn record(shell: &Shell) -> Result<()> {
    programs::build(shell)?;
    setup::packages(shell, "lab/page")?;
    install(shell)?;
    in_browser(shell, &["recorded.mjs"])
}

/// Runs programs of Node.js that drive a browser with the installed package.
fn in_browser(shell: &Shell, programs: &[&str]) -> Result<()> {
    let chromium = setup::chromium(shell)?;
    let project = shell.current_dir().join(PROJECT);
    let _web = shell.push_dir("lab/page");
    for program in programs {
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
            "{NPM} install --silent --no-audit --no-fund --no-save --ignore-scripts --legacy-peer-deps {package}"
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

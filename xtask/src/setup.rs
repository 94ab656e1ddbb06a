//! Finds the programs that steps need, installs them if possible, or says how to.

use std::fs::{self, File};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use xshell::{Cmd, Shell, cmd};

use crate::built::{built, folder};

/// Lets one process install at a time, until the returned value is dropped, because package managers refuse a second one.
fn installing() -> Result<File> {
    let folder = folder()?;
    fs::create_dir_all(&folder)?;
    let lock = File::create(folder.join("installing.lock"))?;
    lock.lock()?;
    Ok(lock)
}

fn runs(command: Cmd<'_>) -> bool {
    command.quiet().ignore_stdout().ignore_stderr().run().is_ok()
}

/// Installs Debian packages unless they are installed. Needs Debian and the permission to install; the error names the packages.
pub(crate) fn debian(shell: &Shell, packages: &[&str]) -> Result<()> {
    let are_installed = || packages.iter().all(|package| is_installed(shell, package));
    if are_installed() {
        return Ok(());
    }
    let _one = installing()?;
    if are_installed() {
        return Ok(());
    }
    let install = || {
        cmd!(shell, "apt-get install --yes --no-install-recommends {packages...}")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .quiet()
            .ignore_stdout()
            .run()
    };
    install()
        .or_else(|_| {
            cmd!(shell, "apt-get update").quiet().ignore_stdout().run()?;
            install()
        })
        .with_context(|| format!("this needs Debian's packages {}", packages.join(", ")))
}

fn is_installed(shell: &Shell, package: &str) -> bool {
    let format = "--showformat=${Status}";
    cmd!(shell, "dpkg-query --show {format} {package}")
        .quiet()
        .ignore_stderr()
        .read()
        .is_ok_and(|status| status.ends_with(" installed"))
}

/// Installs the standard library for a target unless it is installed.
pub(crate) fn rust_target(shell: &Shell, target: &str) -> Result<()> {
    let sysroot = PathBuf::from(cmd!(shell, "rustc --print sysroot").quiet().read()?);
    if sysroot.join("lib/rustlib").join(target).exists() {
        return Ok(());
    }
    let _one = installing()?;
    let add = cmd!(shell, "rustup target add {target}").run();
    add.with_context(|| format!("no standard library for {target}; install it with: rustup target add {target}"))
}

/// The path of a program of cargo's in a version, from its package on PyPI: compiling it takes a minute or more.
pub(crate) fn cargo_tool(shell: &Shell, name: &str, version: &str) -> Result<PathBuf> {
    let folder = built(&format!("tools/{name}-{version}"))?;
    let program = folder.join("bin").join(name);
    if !program.exists() {
        python(shell)?;
        cmd!(shell, "python3 -m venv --clear {folder}").quiet().run()?;
        cmd!(
            shell,
            "{folder}/bin/python -m pip install --quiet --disable-pip-version-check astral-dev-toolchain-{name}=={version}"
        )
        .run()
        .with_context(|| format!("{name} {version} cannot be installed"))?;
    }
    Ok(program)
}

/// Makes sure that valgrind is installed.
pub(crate) fn valgrind(shell: &Shell) -> Result<()> {
    let is_there = || runs(cmd!(shell, "valgrind --version"));
    unless(is_there, shell, &["valgrind"]).context("counting instructions needs valgrind")
}

/// Makes sure that Node.js and npm are installed.
pub(crate) fn node(shell: &Shell) -> Result<()> {
    let is_there = || runs(cmd!(shell, "node --version")) && runs(cmd!(shell, "npm --version"));
    unless(is_there, shell, &["nodejs", "npm"]).context("the page needs Node.js 20 or later with npm")
}

/// Makes sure that there is a new enough Python with venv.
pub(crate) fn python(shell: &Shell) -> Result<()> {
    let check = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
    let is_there = || runs(cmd!(shell, "python3 -c {check}"));
    unless(is_there, shell, &["python3-venv"]).context("this needs Python 3.11 or later with venv")
}

/// Installs Debian packages unless what they are for is there already.
fn unless(is_there: impl Fn() -> bool, shell: &Shell, packages: &[&str]) -> Result<()> {
    if is_there() {
        return Ok(());
    }
    debian(shell, packages)?;
    match is_there() {
        true => Ok(()),
        false => bail!("Debian's packages {} are too old", packages.join(", ")),
    }
}

/// Installs the npm packages of a folder, unless they are installed.
pub(crate) fn packages(shell: &Shell, folder: &str) -> Result<()> {
    let _folder = shell.push_dir(folder);
    let written = |file: &str| fs::metadata(shell.current_dir().join(file)).and_then(|data| data.modified());
    let fresh = match (written("package-lock.json"), written("node_modules/.package-lock.json")) {
        (Ok(wanted), Ok(installed)) => wanted <= installed,
        _ => false,
    };
    if !fresh {
        cmd!(shell, "npm ci --silent --no-audit --no-fund").quiet().run()?;
    }
    Ok(())
}

/// The path of an installed Chromium: the one that `CHROMIUM` names, or the first on the path.
pub(crate) fn chromium(shell: &Shell) -> Result<String> {
    if let Ok(named) = shell.var("CHROMIUM") {
        return Ok(named);
    }
    let find = || {
        let programs = ["chromium", "chromium-browser", "google-chrome"];
        programs
            .iter()
            .find_map(|program| cmd!(shell, "which {program}").quiet().ignore_stderr().read().ok())
    };
    let found = find().or_else(|| debian(shell, &["chromium"]).ok().and_then(|()| find()));
    found.context("the page's tests need Chromium; install it, or name one: CHROMIUM=/path/to/chromium")
}

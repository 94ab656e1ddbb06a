//! Finds the programs that the page and its tests need, installs them if possible, or says how to.

use std::fs::{self, File};

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::built::folder;

/// Lets one process install at a time, until the returned value is dropped, because package managers refuse a second one.
pub(crate) fn installing() -> Result<File> {
    let folder = folder()?;
    fs::create_dir_all(&folder)?;
    let lock = File::create(folder.join("installing.lock"))?;
    lock.lock()?;
    Ok(lock)
}

/// Installs Debian packages unless they are installed. Needs Debian and the permission to install; the error names the packages.
pub(crate) fn debian(shell: &Shell, packages: &[&str]) -> Result<()> {
    let install = install_debian(shell, packages);
    install.with_context(|| format!("this needs Debian's packages {}", packages.join(", ")))
}

fn install_debian(shell: &Shell, packages: &[&str]) -> Result<()> {
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
    install().or_else(|_| {
        cmd!(shell, "apt-get update").quiet().ignore_stdout().run()?;
        install()
    })?;
    Ok(())
}

fn is_installed(shell: &Shell, package: &str) -> bool {
    let format = "--showformat=${Status}";
    cmd!(shell, "dpkg-query --show {format} {package}")
        .quiet()
        .ignore_stderr()
        .read()
        .is_ok_and(|status| status.ends_with(" installed"))
}

/// Makes sure that programs are installed, from Debian packages if necessary.
pub(crate) fn programs(shell: &Shell, programs: &[&str], packages: &[&str]) -> Result<()> {
    if debian(shell, packages).is_ok() {
        return Ok(());
    }
    let is_missing = |program: &&&str| cmd!(shell, "which {program}").quiet().ignore_stderr().read().is_err();
    if let Some(missing) = programs.iter().find(is_missing) {
        let packages = packages.join(" ");
        bail!("{missing} is missing; install what Debian has as: {packages}");
    }
    Ok(())
}

/// The name of the environment variable that sets something for a target in cargo.
pub(crate) fn cargo_variable(target: &str, what: &str) -> String {
    let target = target.to_uppercase().replace('-', "_");
    format!("CARGO_TARGET_{target}_{what}")
}

/// The path of a program of a Debian package.
pub(crate) fn debian_program(shell: &Shell, package: &str, program: &str) -> Result<String> {
    let files = cmd!(shell, "dpkg -L {package}").quiet().read()?;
    let found = files.lines().find(|file| file.ends_with(&format!("/bin/{program}")));
    found
        .map(str::to_owned)
        .with_context(|| format!("package {package} has no {program}"))
}

/// Makes sure that Node.js and npm are installed.
pub(crate) fn node(shell: &Shell) -> Result<()> {
    let is_there = |program: &str| {
        let version = cmd!(shell, "{program} --version").quiet().ignore_stderr();
        version.read().is_ok()
    };
    if (is_there("node") && is_there("npm")) || debian(shell, &["nodejs", "npm"]).is_ok() {
        return Ok(());
    }
    bail!("the page needs Node.js 20 or later with npm; install it from your system's packages")
}

/// Installs the npm packages of a folder, unless they are installed.
pub(crate) fn packages(shell: &Shell, folder: &str) -> Result<()> {
    let _folder = shell.push_dir(folder);
    let written = |file: &str| std::fs::metadata(shell.current_dir().join(file)).and_then(|data| data.modified());
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
    let runs = |program: &str| {
        let version = cmd!(shell, "{program} --version").quiet().ignore_stderr();
        version.read().is_ok()
    };
    if let Ok(named) = shell.var("CHROMIUM") {
        if runs(&named) {
            return Ok(named);
        }
        bail!("CHROMIUM={named} does not run; give the path of a Chromium, or unset it");
    }
    let find = || {
        let programs = ["chromium", "chromium-browser", "google-chrome"];
        let program = programs.into_iter().find(|program| runs(program))?;
        cmd!(shell, "which {program}").quiet().read().ok()
    };
    if let Some(found) = find() {
        return Ok(found);
    }
    if debian(shell, &["chromium"]).is_ok()
        && let Some(found) = find()
    {
        return Ok(found);
    }
    bail!("the page's tests need Chromium; install it, or name one: CHROMIUM=/path/to/chromium")
}

/// The first line of a program's version.
pub(crate) fn version(shell: &Shell, program: &str) -> Result<String> {
    let output = cmd!(shell, "{program} --version").quiet().read()?;
    Ok(output.lines().next().context("no version")?.to_owned())
}

/// Makes sure that there is a new enough Python with venv.
pub(crate) fn python(shell: &Shell) -> Result<()> {
    let check = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
    let is_there = || {
        let run = cmd!(shell, "python3 -c {check}")
            .quiet()
            .ignore_stdout()
            .ignore_stderr();
        run.run().is_ok()
    };
    if is_there() || (debian(shell, &["python3-venv"]).is_ok() && is_there()) {
        return Ok(());
    }
    bail!("the Python package needs Python 3.11 or later with venv; install python3-venv")
}

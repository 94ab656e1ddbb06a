//! The programs that steps need: `cargo xtask setup` installs the Debian packages and the oldest compiler, and a step says what it misses.

use std::fs::{self, File};
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use xshell::{Cmd, Shell, cmd};

use crate::built::{built, folder};
use crate::oldest_rust::{self, IN_THE_GATE};

/// Whether a command is there and succeeds.
pub(crate) fn runs(command: Cmd<'_>) -> bool {
    command.quiet().ignore_stdout().ignore_stderr().run().is_ok()
}

/// The Debian packages that `cargo ci --all` needs, one a line.
const PACKAGES: &str = include_str!("../../.ci/packages");

/// `cargo xtask setup`: installs the compiler and packages that are missing.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    compilers(shell, IN_THE_GATE)?;
    install(shell, &missing(shell)?)
}

/// Fails unless everything that `cargo ci --all` needs is installed.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    // Another system has them by its own means.
    let mut missing: Vec<_> = missing(shell)
        .unwrap_or_default()
        .into_iter()
        .map(str::to_owned)
        .collect();
    let compilers = oldest_rust::missing(shell, IN_THE_GATE)?.into_iter();
    missing.extend(compilers.map(|rust| format!("Rust {rust}")));
    let missing = missing.join(", ");
    ensure!(
        missing.is_empty(),
        "these are missing: {missing}; install them: cargo xtask setup"
    );
    node(shell)?;
    python(shell)
}

/// Installs as many of the oldest compilers that packages for users name.
pub(crate) fn compilers(shell: &Shell, compilers: usize) -> Result<()> {
    for rust in oldest_rust::missing(shell, compilers)? {
        cmd!(shell, "rustup toolchain install {rust} --profile minimal").run()?;
    }
    Ok(())
}

/// The packages that are not installed.
fn missing(shell: &Shell) -> Result<Vec<&'static str>> {
    let packages = PACKAGES.lines().filter_map(|line| line.split(' ').next());
    let mut packages: Vec<_> = packages.filter(|name| !name.is_empty() && *name != "#").collect();
    let names = &packages;
    let format = "--showformat=${Package} ${db:Status-Status}\\n";
    let status = cmd!(shell, "dpkg-query --show {format} {names...}")
        .quiet()
        .ignore_status()
        .ignore_stderr();
    let status = status
        .read()
        .context("this system has no dpkg; .ci/packages is the list")?;
    packages.retain(|name| !status.lines().any(|line| line == format!("{name} installed")));
    Ok(packages)
}

/// Installs Debian packages, as root or by sudo.
fn install(shell: &Shell, packages: &[&str]) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    let sudo = (cmd!(shell, "id -u").quiet().read()? != "0").then_some("sudo");
    for arguments in [
        &["update"][..],
        &[&["install", "--yes", "--no-install-recommends"], packages].concat(),
    ] {
        let apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
        cmd!(shell, "env {sudo...} {apt...} {arguments...}").run()?;
    }
    Ok(())
}

/// Installs the standard library for a target unless it is installed.
pub(crate) fn rust_target(shell: &Shell, target: &str) -> Result<()> {
    let sysroot = PathBuf::from(cmd!(shell, "rustc --print sysroot").quiet().read()?);
    if sysroot.join("lib/rustlib").join(target).exists() {
        return Ok(());
    }
    // Steps beside one another may need another target at the same time, and rustup installs one at a time.
    let lock = File::create(folder()?.join("rustup.lock"))?;
    lock.lock()?;
    let add = cmd!(shell, "rustup target add {target}").run();
    add.with_context(|| format!("no standard library for {target}; install it with: rustup target add {target}"))
}

/// The Python of an environment that has packages, and beside which their programs are.
pub(crate) fn python_tools(shell: &Shell, name: &str, packages: &[&str]) -> Result<String> {
    let folder = built(&format!("tools/{name}"))?;
    let (python, done) = (folder.join("bin/python"), folder.join("installed"));
    let wanted = packages.join("\n");
    if shell.read_file(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(python.display().to_string());
    }
    self::python(shell)?;
    cmd!(shell, "python3 -m venv --clear {folder}").quiet().run()?;
    cmd!(
        shell,
        "{python} -m pip install --quiet --disable-pip-version-check {packages...}"
    )
    .run()
    .with_context(|| format!("{wanted} cannot be installed"))?;
    shell.write_file(done, wanted)?;
    Ok(python.display().to_string())
}

/// The path of a program that cargo installs in a version, `NAME@VERSION`, with the dependencies that its authors tested, unless it is installed.
pub(crate) fn installed_by_cargo(shell: &Shell, program: &str, options: &[&str]) -> Result<PathBuf> {
    let folder = built("tools")?;
    cmd!(
        shell,
        "cargo install --quiet --locked {program} {options...} --root {folder}"
    )
    .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
    .run()?;
    let (name, _) = program.split_once('@').context("a program has a version")?;
    Ok(folder.join("bin").join(name))
}

/// The command of Node.js's packages, which is a script on Windows.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Fails unless there is a new enough Node.js with npm.
pub(crate) fn node(shell: &Shell) -> Result<()> {
    let check = "process.exit(process.versions.node.split('.')[0] < 20 ? 1 : 0)";
    match runs(cmd!(shell, "node -e {check}")) && runs(cmd!(shell, "{NPM} --version")) {
        true => Ok(()),
        false => bail!("this needs Node.js 20 or later with npm; install it, for example: apt-get install nodejs npm"),
    }
}

/// Installs Node.js and npm unless they are there.
pub(crate) fn install_node(shell: &Shell) -> Result<()> {
    node(shell).or_else(|missing| {
        install(shell, &["nodejs", "npm"]).context(missing)?;
        node(shell)
    })
}

/// Fails unless there is a new enough Python with venv.
pub(crate) fn python(shell: &Shell) -> Result<()> {
    let check = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
    match runs(cmd!(shell, "python3 -c {check}")) {
        true => Ok(()),
        false => {
            bail!("this needs Python 3.11 or later with venv; install it, for example: apt-get install python3-venv")
        }
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
        cmd!(shell, "{NPM} ci --silent --no-audit --no-fund").quiet().run()?;
    }
    Ok(())
}

/// The path of an installed Chromium: the one that `CHROMIUM` names, or the first on the path.
pub(crate) fn chromium(shell: &Shell) -> Result<String> {
    first_browser(shell, &["chromium", "chromium-browser", "google-chrome"])
}

/// The path of Chromium without tabs and windows, in which the page's tests take half the processor time. Where it is not installed, or
/// `CHROMIUM` names another one, that of [`chromium`].
pub(crate) fn headless_chromium(shell: &Shell) -> Result<String> {
    first_browser(shell, &["chromium-headless-shell"]).or_else(|_| chromium(shell))
}

fn first_browser(shell: &Shell, programs: &[&str]) -> Result<String> {
    if let Ok(named) = shell.var("CHROMIUM") {
        return Ok(named);
    }
    // `which` names all that it finds, in this order, and fails if it misses one.
    let found = cmd!(shell, "which {programs...}")
        .quiet()
        .ignore_status()
        .ignore_stderr()
        .read()?;
    let first = found.lines().next().map(str::to_owned);
    first.context("the page's tests need Chromium; install it, or name one: CHROMIUM=/path/to/chromium")
}

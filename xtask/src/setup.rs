//! The programs that steps need: `cargo xtask setup` installs the Debian packages and the oldest compiler, and a step says what it misses.

use std::fs::{self, File};
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use xshell::{Cmd, Shell, cmd};

use crate::built::{built, folder};
use crate::oldest_rust::{self, IN_THE_GATE};

/// Lets one process install at a time, until the returned value is dropped, because package managers refuse a second one.
fn installing() -> Result<File> {
    let folder = folder()?;
    fs::create_dir_all(&folder)?;
    let lock = File::create(folder.join("installing.lock"))?;
    lock.lock()?;
    Ok(lock)
}

/// Whether a command is there and succeeds.
pub(crate) fn runs(command: Cmd<'_>) -> bool {
    command.quiet().ignore_stdout().ignore_stderr().run().is_ok()
}

/// Whether the user of this run is root.
pub(crate) fn is_root(shell: &Shell) -> Result<bool> {
    Ok(cmd!(shell, "id -u").quiet().read()? == "0")
}

/// The Debian packages that `cargo ci --all` needs, one a line.
const PACKAGES: &str = include_str!("../../.ci/packages");

/// Those that `cargo xtask same-bits` needs, to compile for other processors and to emulate them.
const PROCESSORS: &str = include_str!("../../.ci/processors");

/// Options of `cargo xtask setup`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Install the packages of .ci/processors, which `cargo xtask same-bits` needs, in place of those.
    #[arg(long)]
    processors: bool,
}

/// `cargo xtask setup`: installs the compilers and packages that are missing, and says what it did.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    if !options.processors {
        compilers(shell, IN_THE_GATE)?;
    }
    let (list, file) = match options.processors {
        true => (PROCESSORS, ".ci/processors"),
        false => (PACKAGES, ".ci/packages"),
    };
    match missing(shell, list) {
        Some(packages) if !packages.is_empty() => install(shell, &packages),
        Some(_) => {
            println!("setup: all packages of {file} are installed");
            Ok(())
        }
        None => bail!("this system has no dpkg; install what {file} names by its own means"),
    }
}

/// Fails unless everything that `cargo ci --all` needs is installed.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let missing = missing(shell, PACKAGES).unwrap_or_default().join(", ");
    ensure!(
        missing.is_empty(),
        "Debian packages are missing: {missing}; install them: cargo xtask setup"
    );
    let compilers = oldest_rust::missing(shell, IN_THE_GATE)?.join(", ");
    ensure!(
        compilers.is_empty(),
        "Rust {compilers} is missing, too; install it: cargo xtask setup"
    );
    node(shell)?;
    python(shell)
}

/// Installs as many of the oldest compilers that packages for users name.
pub(crate) fn compilers(shell: &Shell, compilers: usize) -> Result<()> {
    for rust in oldest_rust::missing(shell, compilers)? {
        let _one = installing()?;
        cmd!(shell, "rustup toolchain install {rust} --profile minimal").run()?;
    }
    Ok(())
}

/// The packages of a list that are missing. `None` where they cannot be told, because the system has no dpkg.
fn missing(shell: &Shell, list: &'static str) -> Option<Vec<&'static str>> {
    let has_dpkg = runs(cmd!(shell, "dpkg-query --version"));
    let packages = list.lines().filter_map(|line| line.split(' ').next());
    let packages = packages.filter(|name| !name.is_empty() && !name.starts_with('#'));
    has_dpkg.then(|| packages.filter(|package| !is_installed(shell, package)).collect())
}

/// Installs Debian packages with the rights of the user: as root, or by sudo if it asks for no password.
fn install(shell: &Shell, packages: &[&str]) -> Result<()> {
    let by_hand = format!("apt-get install --no-install-recommends {}", packages.join(" "));
    let sudo = match is_root(shell)? {
        true => None,
        false if runs(cmd!(shell, "sudo --non-interactive true")) => Some("sudo"),
        false => bail!("Debian packages are missing, and you may not install them; as root: {by_hand}"),
    };
    let _one = installing()?;
    let apt = |arguments: &[&str]| {
        let words: Vec<_> = sudo
            .into_iter()
            .chain(["apt-get"])
            .chain(arguments.iter().copied())
            .collect();
        let (program, words) = (words[0], &words[1..]);
        cmd!(shell, "{program} {words...}")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .run()
    };
    apt(&["update"])?;
    let options = ["install", "--yes", "--no-install-recommends"];
    apt(&[&options, packages].concat()).with_context(|| format!("not installed; by hand: {by_hand}"))
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

/// The path of a program that cargo installs in a version, `NAME@VERSION`, with the dependencies that its authors tested: the user's, or one of
/// this checkout.
pub(crate) fn installed_by_cargo(shell: &Shell, program: &str, options: &[&str]) -> Result<PathBuf> {
    let (name, version) = program.split_once('@').context("a program has a version")?;
    let users = cmd!(shell, "{name} --version").quiet().ignore_stderr().read();
    if users.is_ok_and(|users| users == format!("{name} {version}")) {
        return Ok(name.into());
    }
    let folder = built("tools")?.join(program);
    let path = folder.join("bin").join(name);
    if !path.exists() {
        println!("installing {program}, which is compiled once");
        cmd!(
            shell,
            "cargo install --quiet --locked {program} {options...} --root {folder}"
        )
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .run()?;
    }
    Ok(path)
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
    let found = programs
        .iter()
        .find_map(|program| cmd!(shell, "which {program}").quiet().ignore_stderr().read().ok());
    found.context("the page's tests need Chromium; install it, or name one: CHROMIUM=/path/to/chromium")
}

//! Packs a release into a folder: crates, npm package, wheels, header, the command, and what they promise. Programs in empty folders are built
//! from this folder alone.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use super::crates::{self, VERSION};
use super::first::{self, Lines};
use super::{contract, tools};
use crate::built::built;
use crate::ordinary_user::User;
use crate::{npm, same_bits, setup};

/// The targets of wheels and of the command that are compiled here: any Linux with this version of its C library or a later one.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];
const GLIBC: &str = "2.17";

/// The file with the sums of all other files.
const SUMS: &str = "SHA256SUMS";

/// The folder of a packed release.
pub(super) fn folder() -> Result<PathBuf> {
    built(&format!("release-{VERSION}"))
}

/// The commit of the checkout.
fn commit(shell: &Shell) -> Result<String> {
    let changed = cmd!(shell, "git status --porcelain").quiet().read()?;
    ensure!(
        changed.is_empty(),
        "a release is a commit, and these files are not in it:\n{changed}"
    );
    Ok(cmd!(shell, "git rev-parse HEAD").quiet().read()?)
}

/// The packed release of this commit. Fails if there is none, or if a file is not what was packed.
pub(super) fn packed(shell: &Shell) -> Result<PathBuf> {
    let (folder, commit) = (folder()?, commit(shell)?);
    let contract = shell.read_file(folder.join("CONTRACT.md")).unwrap_or_default();
    ensure!(
        contract.contains(&commit),
        "{} is not packed from {commit}; run: cargo xtask release --pack",
        folder.display()
    );
    let _folder = shell.push_dir(&folder);
    cmd!(shell, "sha256sum --check --quiet {SUMS}").quiet().run()?;
    Ok(folder)
}

/// The packed wheels.
pub(super) fn wheels(shell: &Shell, folder: &Path) -> Result<Vec<PathBuf>> {
    let wheels = shell.read_dir(folder.join("wheels"))?;
    ensure!(!wheels.is_empty(), "{} has no wheels", folder.display());
    Ok(wheels)
}

/// Packs the checkout's commit, with wheels that were compiled on other systems.
pub(super) fn run(shell: &Shell, others: Option<&Path>) -> Result<PathBuf> {
    let (folder, commit) = (folder()?, commit(shell)?);
    shell.remove_path(&folder)?;
    for part in ["crates", "wheels"] {
        shell.create_dir(folder.join(part))?;
    }
    println!("release: packing the crates, and compiling each from its package");
    shell.remove_path(built("package")?)?;
    crates::forget(shell)?;
    crates::pack(shell, &[])?;
    let mut patches = String::from("[patch.crates-io]\n");
    for name in crates::published(shell)? {
        let name_of = format!("{name}-{VERSION}");
        shell.copy_file(
            built(&format!("package/{name_of}.crate"))?,
            folder.join(format!("crates/{name_of}.crate")),
        )?;
        patches += &format!("{name} = {{ path = \"crates/{name_of}\" }}\n");
    }
    shell.write_file(folder.join("crates/patches.toml"), patches)?;
    println!("release: packing the npm package");
    npm::pack(shell, &folder)?;
    for target in TARGETS {
        println!("release: the wheel and the command for {target}");
        compile(shell, &folder, target)?;
    }
    for wheel in others
        .map(|folder| shell.read_dir(folder))
        .transpose()?
        .unwrap_or_default()
    {
        shell.copy_file(wheel, folder.join("wheels"))?;
    }
    let (python, wheels) = (tools::python(shell)?, &wheels(shell, &folder)?);
    cmd!(shell, "{python} -m twine check --strict {wheels...}")
        .quiet()
        .ignore_stdout()
        .run()?;
    for wheel in wheels {
        ensure!(
            wheel.display().to_string().contains("-cp311-abi3-"),
            "{} is not for every Python since 3.11",
            wheel.display()
        );
    }
    shell.copy_file("bindings/c/evenstep.h", &folder)?;
    let contract = contract::text(shell)?;
    let (title, contract) = contract.split_once('\n').context("the contract has lines")?;
    let day = cmd!(shell, "git show --no-patch --format=%cs").quiet().read()?;
    let contract = format!("{title} {VERSION}\n\nCommit {commit} of {day}.\n{contract}");
    shell.write_file(folder.join("CONTRACT.md"), contract)?;
    let _folder = shell.push_dir(&folder);
    let files = cmd!(shell, "find . -type f").quiet().read()?;
    let files = files.lines();
    let sums = cmd!(shell, "sha256sum {files...}").quiet().read()?;
    shell.write_file(SUMS, sums + "\n")?;
    Ok(folder)
}

/// Compiles the wheel and the command for a target.
fn compile(shell: &Shell, folder: &Path, target: &str) -> Result<()> {
    setup::rust_target(shell, target)?;
    let python = tools::python(shell)?;
    let programs = Path::new(&python).parent().context("Python is in a folder")?;
    let path = format!("{}:{}", programs.display(), shell.var("PATH")?);
    let _path = shell.push_env("PATH", path);
    let options = ["--release", "--zig", "--compatibility", "manylinux2014"];
    cmd!(
        shell,
        "{python} -m maturin build --quiet {options...} --target {target} --manifest-path bindings/py/Cargo.toml --out {folder}/wheels"
    )
    .run()?;
    cmd!(
        shell,
        "cargo-zigbuild zigbuild --quiet --release --package evenstep-cli --bin evenstep --target {target}.{GLIBC}"
    )
    .env("CARGO_PROFILE_RELEASE_STRIP", "true")
    .run()?;
    Ok(shell.copy_file(
        built(&format!("{target}/release/evenstep"))?,
        folder.join(format!("evenstep-{target}")),
    )?)
}

/// Builds first programs from the packed folder alone as an ordinary user; cargo looks for optional crates of others in its source. The command
/// of another processor runs where QEMU and that processor's C library are.
pub(super) fn try_out(shell: &Shell, folder: &Path) -> Result<()> {
    let user = User::new(shell, "pack")?;
    let release = user.home().join("release");
    user.give(shell, folder, &release)?;
    let [x86, arm] = TARGETS.map(|target| format!("~/release/evenstep-{target}"));
    let line = |line: &str| vec![line.to_owned()];
    let lines = Lines {
        rust: vec![
            format!("tar --extract --file ~/release/crates/evenstep-{VERSION}.crate --directory ~"),
            format!("cargo add evenstep --path ~/evenstep-{VERSION}"),
        ],
        javascript: line(&format!("npm install --offline ~/release/evenstep-{VERSION}.tgz")),
        c: line("cp ~/release/evenstep.h ."),
        python: line("pip install --no-index --find-links ~/release/wheels evenstep"),
        command: line(&format!("cp {x86} evenstep")),
    };
    first::rust(shell, &user, &lines)?;
    first::others(shell, &user, &lines)?;
    first::command(shell, &user, &lines, "./evenstep")?;
    match same_bits::on_aarch64(shell) {
        Some(emulator) => first::command(shell, &user, &lines, &format!("{emulator} {arm}")),
        None => {
            println!(
                "release: the command for aarch64 was not run; what runs it is installed by: cargo xtask setup --processors"
            );
            Ok(())
        }
    }
}

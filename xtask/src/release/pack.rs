//! Packs a release into a folder: a folder for each registry, and the files of the release's page. Programs in empty folders are built from it
//! alone.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use super::{TARGETS, VERSION, contract, first, texts};
use crate::built::built;
use crate::{npm, same_bits, setup};

/// They run on any Linux with this version of its C library or a later one.
const GLIBC: &str = "2.17";

/// The packages of the environment that has maturin, zig as a linker for any Linux, and twine.
const TOOLS: [&str; 4] = [
    "maturin==1.16.0",
    "ziglang==0.17.1",
    "cargo-zigbuild==0.24.1",
    "twine==7.0.0",
];

/// The Python package, and the file that its licences and those of the command name: the notices of what they contain.
const PYTHON: &str = "bindings/py";
const NOTICES: &str = "LICENSE-THIRD-PARTY";

/// Packs the checkout's commit, with wheels that were compiled on other systems, and tries what is packed.
pub(super) fn run(shell: &Shell, wheels: Option<&Path>, tag: Option<&str>) -> Result<()> {
    let changed = cmd!(shell, "git status --porcelain").quiet().read()?;
    ensure!(
        changed.is_empty(),
        "a release is a commit, and these files are not in it:\n{changed}"
    );
    let commit = cmd!(shell, "git rev-parse HEAD").quiet().read()?;
    let of_version = format!("v{VERSION}");
    ensure!(
        tag.is_none_or(|tag| tag == of_version),
        "the tag would publish version {VERSION}, which Cargo.toml has: raise it there, or call the tag {of_version}"
    );
    same_bits::check_fresh(shell)?;
    texts::check(shell)?;
    let folder = built(&format!("release-{VERSION}"))?;
    shell.remove_path(&folder)?;
    for part in ["crates", "npm", "python", "page"] {
        shell.create_dir(folder.join(part))?;
    }
    println!("release: the crates, each compiled from its package");
    // Cargo takes a version for one that never changes, and would compile a crate with an older package of another.
    let build = built(&format!("packing/{commit}"))?;
    cmd!(
        shell,
        "cargo publish --quiet --dry-run --workspace --target-dir {build}"
    )
    .run()?;
    for name in super::names(shell)? {
        let file = format!("{name}-{VERSION}.crate");
        shell.copy_file(build.join("package/tmp-crate").join(file), folder.join("crates"))?;
    }
    println!("release: the npm package");
    let package = npm::pack(shell, &folder.join("npm"))?;
    cmd!(shell, "npm publish --silent --dry-run --access public {package}").run()?;
    {
        let python = setup::python_tools(shell, "release", &TOOLS)?;
        let programs = Path::new(&python).parent().context("Python is in a folder")?;
        let _path = shell.push_env("PATH", format!("{}:{}", programs.display(), shell.var("PATH")?));
        pack_python(shell, &folder.join("python"), wheels)?;
        pack_page(shell, &folder.join("page"), &commit)?;
    }
    first::try_out(shell, &folder)?;
    println!(
        "release: {} is packed; docs/pages/releasing.md says how it is uploaded",
        folder.display()
    );
    Ok(())
}

/// The source of the Python package, the wheels of [`TARGETS`], and those that were compiled on other systems.
fn pack_python(shell: &Shell, folder: &Path, wheels: Option<&Path>) -> Result<()> {
    write_notices(shell, PYTHON)?;
    let maturin = |subcommand: &str| {
        cmd!(
            shell,
            "maturin {subcommand} --manifest-path {PYTHON}/Cargo.toml --out {folder}"
        )
    };
    println!("release: the source of the Python package");
    maturin("sdist").run()?;
    for target in TARGETS {
        println!("release: the wheel for {target}");
        setup::rust_target(shell, target)?;
        let options = [
            "--quiet",
            "--release",
            "--zig",
            "--compatibility",
            "manylinux2014",
            "--target",
        ];
        maturin("build").args(options).arg(target).run()?;
    }
    if let Some(wheels) = wheels {
        for wheel in shell.read_dir(wheels)? {
            shell.copy_file(wheel, folder)?;
        }
    }
    let files = &shell.read_dir(folder)?;
    for file in files.iter().map(|file| file.display().to_string()) {
        let is_for_all = file.ends_with(".tar.gz") || file.contains("-cp311-abi3-");
        ensure!(is_for_all, "{file} is not for every Python since 3.11");
    }
    Ok(cmd!(shell, "twine check --strict {files...}")
        .quiet()
        .ignore_stdout()
        .run()?)
}

/// The files of the release's page: those that are used alone, the command, the contract, and their sums by the names that they have there.
fn pack_page(shell: &Shell, folder: &Path, commit: &str) -> Result<()> {
    texts::check_alone(shell, &texts::BUILT)?;
    for file in texts::ALONE.iter().chain(&texts::BUILT) {
        shell.copy_file(file, folder)?;
    }
    for target in TARGETS {
        println!("release: the command for {target}");
        let options = ["--package", "evenstep-cli", "--bin", "evenstep"];
        cmd!(
            shell,
            "cargo-zigbuild zigbuild --quiet --release {options...} --target {target}.{GLIBC}"
        )
        .env("CARGO_PROFILE_RELEASE_STRIP", "true")
        .run()?;
        shell.copy_file(
            built(&format!("{target}/release/evenstep"))?,
            folder.join(format!("evenstep-{target}")),
        )?;
    }
    let notices = write_notices(shell, "tools/evenstep-cli")?;
    shell.copy_file(notices, folder.join("evenstep-third-party-licences.txt"))?;
    let contract = shell.read_file(contract::PAGE)?;
    let (title, contract) = contract.split_once('\n').context("the contract has lines")?;
    let day = cmd!(shell, "git show --no-patch --format=%cs").quiet().read()?;
    let contract = format!("{title} {VERSION}\n\nCommit {commit} of {day}.\n{contract}");
    shell.write_file(folder.join("CONTRACT.md"), contract)?;
    let _folder = shell.push_dir(folder);
    let files = cmd!(shell, "ls").quiet().read()?;
    let files = files.lines();
    let sums = cmd!(shell, "sha256sum {files...}").quiet().read()?;
    Ok(shell.write_file("SHA256SUMS", sums + "\n")?)
}

/// Writes the notices of all that a program contains into the folder of its package, where git ignores them.
fn write_notices(shell: &Shell, package: &str) -> Result<PathBuf> {
    let about = setup::installed_by_cargo(shell, "cargo-about@0.9.3", &["--features", "cli"])?;
    let file = shell.current_dir().join(package).join(NOTICES);
    cmd!(
        shell,
        "{about} generate --fail --config xtask/notices/about.toml --manifest-path {package}/Cargo.toml --output-file {file} xtask/notices/about.hbs"
    )
    .quiet()
    .run()?;
    Ok(file)
}

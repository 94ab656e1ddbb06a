//! What is published: packs it by cargo's, npm's and maturin's own commands, installs it from the packed files into empty projects, and
//! runs a first program of each. Nothing is uploaded.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::{book, npm, python, setup, snippets};

/// The folder of the empty projects.
const OUT: &str = "target/packed";

/// The changelog, whose newest section is that of the version.
const CHANGELOG: &str = "CHANGELOG.md";

/// Where the documentation of a published crate is.
const DOCS: &str = "https://docs.rs/";

/// The files that every package must have.
const REQUIRED: [&str; 2] = ["Cargo.toml", "README.md"];

/// What a program does first with the crates that need no other program: the code of their READMEs is run.
const IN_RUST: [(&str, &str); 4] = [
    ("evenstep", r#""derive""#),
    ("evenstep-derive", ""),
    ("evenstep-physics", r#""rapier2d""#),
    ("evenstep-trace", ""),
];

/// What a program does first in JavaScript and in Python.
const IN_JAVASCRIPT: &str = r#"import { FixedTimestep } from "evenstep";

const timestep = new FixedTimestep(60);
timestep.beginFrame(0);
let steps = 0;
for (const step of timestep.beginFrame(100)) steps++;
if (steps !== 6) throw new Error(`${steps} steps in 100 ms, not 6`);
"#;
const IN_PYTHON: &str = "import evenstep

timestep = evenstep.FixedTimestep(60)
timestep.begin_frame(0)
steps = sum(1 for _ in timestep.begin_frame(100_000_000))
assert steps == 6, f'{steps} steps in 100 ms, not 6'
";

/// Options of `cargo xtask release`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Pack, install and try everything, and upload nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Packs, installs and tries everything that is published.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    if !options.dry_run {
        bail!(
            "a release is uploaded by the commands of docs/pages/releasing.md; --dry-run tries everything before them"
        );
    }
    check_texts(shell)?;
    let root = shell.current_dir().join(OUT);
    shell.remove_path(&root)?;
    println!("release: packing the crates, and compiling each from its package");
    let crates = pack(shell, &root, &[])?;
    println!("release: the code of the crates' READMEs");
    in_rust(shell, &root, &crates)?;
    println!("release: the command");
    command(shell, &root, &crates)?;
    println!("release: the npm package");
    let project = root.join("npm");
    npm::install_into(shell, &project)?;
    shell.write_file(project.join("first.mjs"), IN_JAVASCRIPT)?;
    cmd!(shell, "node {project}/first.mjs").quiet().run()?;
    println!("release: the wheel");
    let interpreter = python::installed(shell, "release")?;
    shell.write_file(root.join("first.py"), IN_PYTHON)?;
    cmd!(shell, "{interpreter} {root}/first.py").quiet().run()?;
    println!("release: the header");
    header(shell, &root)?;
    println!(
        "release: {} crates, an npm package, a wheel and a header are ready",
        crates.len()
    );
    Ok(())
}

/// The step of `cargo ci`: packs all crates, and compiles from their packages those that have almost no dependencies.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    check_texts(shell)?;
    pack(shell, &shell.current_dir().join(OUT), &["--no-verify"])?;
    Ok(cmd!(
        shell,
        "cargo package --quiet --allow-dirty --package evenstep-derive --package evenstep"
    )
    .run()?)
}

/// Fails if versions differ, if the changelog lacks the version, or if a link leads to the documentation of a crate that is not published.
fn check_texts(shell: &Shell) -> Result<()> {
    let version = version(shell, "Cargo.toml", "version = ")?;
    let npm = self::version(shell, "bindings/js/package.json", "\"version\": ")?;
    if npm != version {
        bail!("bindings/js/package.json has version {npm}, but Cargo.toml has {version}");
    }
    let changelog = shell.read_file(CHANGELOG)?;
    let newest = changelog.lines().find_map(|line| line.strip_prefix("## "));
    let newest = newest.with_context(|| format!("{CHANGELOG} has no section"))?;
    if newest.split([',', ' ']).next() != Some(&version) {
        bail!("the newest section of {CHANGELOG} is {newest:?}, but the version is {version}");
    }
    let published: Vec<_> = manifests(shell)?.into_iter().filter(|one| one.is_published).collect();
    for page in book::pages(shell)? {
        let text = shell.read_file(&page)?;
        for link in text.split(DOCS).skip(1) {
            let end = link.find(|char: char| !(char.is_alphanumeric() || "-_".contains(char)));
            let name = &link[..end.unwrap_or(link.len())];
            if name.contains("evenstep") && !published.iter().any(|one| one.name == name) {
                bail!(
                    "{}: {DOCS}{name} will not exist: no package of this name is published",
                    page.display()
                );
            }
        }
    }
    Ok(())
}

/// The version in the first line of a file that begins with `key`.
fn version(shell: &Shell, file: &str, key: &str) -> Result<String> {
    let text = shell.read_file(file)?;
    let line = text.lines().find_map(|line| line.trim().strip_prefix(key));
    let version = line.and_then(|rest| {
        rest.split('"')
            .find(|part| part.starts_with(|first: char| first.is_ascii_digit()))
    });
    Ok(version.with_context(|| format!("{file} has no {key}"))?.to_owned())
}

/// A package of the workspace.
struct Manifest {
    name: String,
    is_published: bool,
}

fn manifests(shell: &Shell) -> Result<Vec<Manifest>> {
    let files = cmd!(shell, "git ls-files -- */Cargo.toml").quiet().read()?;
    let mut manifests = Vec::new();
    for file in files.lines() {
        let text = shell.read_file(file)?;
        // Packages outside the workspace have versions of their own.
        if text.contains("version.workspace = true") {
            let name = text.lines().find_map(|line| line.strip_prefix("name = "));
            manifests.push(Manifest {
                name: name
                    .with_context(|| format!("{file} has no name"))?
                    .trim_matches('"')
                    .to_owned(),
                is_published: !text.contains("publish = false"),
            });
        }
    }
    Ok(manifests)
}

/// Packs all published crates and unpacks them into a folder each. Returns their names and folders.
fn pack(shell: &Shell, root: &Path, options: &[&str]) -> Result<Vec<(String, PathBuf)>> {
    let (published, others): (Vec<_>, Vec<_>) = manifests(shell)?.into_iter().partition(|one| one.is_published);
    let exclude = others.iter().flat_map(|one| ["--exclude", &one.name]);
    cmd!(
        shell,
        "cargo package --quiet --allow-dirty --workspace {exclude...} {options...}"
    )
    .run()?;
    let version = version(shell, "Cargo.toml", "version = ")?;
    let folder = root.join("crates");
    shell.remove_path(&folder)?;
    shell.create_dir(&folder)?;
    let mut crates = Vec::new();
    for Manifest { name, .. } in published {
        let packed = built(&format!("package/{name}-{version}.crate"))?;
        cmd!(shell, "tar -xzf {packed} -C {folder}").quiet().run()?;
        let unpacked = folder.join(format!("{name}-{version}"));
        if let Some(file) = REQUIRED.iter().find(|file| !unpacked.join(file).exists()) {
            bail!("the package of {name} has no {file}");
        }
        crates.push((name, unpacked));
    }
    Ok(crates)
}

/// Runs the code of the packed READMEs in a project that has the packed crates.
fn in_rust(shell: &Shell, root: &Path, crates: &[(String, PathBuf)]) -> Result<()> {
    let mut manifest =
        String::from("[package]\nname = \"first\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n");
    let mut code = String::new();
    for (name, features) in IN_RUST {
        let folder = folder(crates, name)?;
        manifest += &format!("{name} = {{ version = \"*\", features = [{features}] }}\n");
        code += &format!(
            "#[doc = include_str!(\"{}/README.md\")]\npub struct Readme{};\n",
            folder.display(),
            code.len()
        );
    }
    manifest += &patches(crates);
    let project = root.join("first");
    shell.write_file(project.join("Cargo.toml"), manifest)?;
    shell.write_file(project.join("src/lib.rs"), code)?;
    let target = built("")?;
    Ok(cmd!(
        shell,
        "cargo test --quiet --doc --manifest-path {project}/Cargo.toml --target-dir {target}"
    )
    .run()?)
}

/// The folder of a packed crate.
fn folder<'a>(crates: &'a [(String, PathBuf)], name: &str) -> Result<&'a Path> {
    let found = crates.iter().find(|(other, _)| other == name);
    let (_, folder) = found.with_context(|| format!("{name} is not packed"))?;
    Ok(folder)
}

/// What makes cargo take the packed crates.
fn patches(crates: &[(String, PathBuf)]) -> String {
    let lines = crates
        .iter()
        .map(|(name, folder)| format!("{name} = {{ path = \"{}\" }}\n", folder.display()));
    format!("\n[patch.crates-io]\n{}", lines.collect::<String>())
}

/// Installs the packed command, and measures the recording of the book.
fn command(shell: &Shell, root: &Path, crates: &[(String, PathBuf)]) -> Result<()> {
    let folder = folder(crates, "evenstep-cli")?;
    let config = root.join("config.toml");
    shell.write_file(&config, patches(crates))?;
    cmd!(
        shell,
        "cargo install --quiet --path {folder} --root {root}/installed --config {config} --debug"
    )
    .run()?;
    Ok(cmd!(shell, "{root}/installed/bin/evenstep analyze docs/my-game.csv").run()?)
}

/// Compiles and runs the first program of the page with nothing but the header beside it.
fn header(shell: &Shell, root: &Path) -> Result<()> {
    setup::debian(shell, &["gcc"])?;
    let folder = root.join("header");
    shell.create_dir(&folder)?;
    shell.copy_file("bindings/c/evenstep.h", &folder)?;
    let code = snippets::of(shell, "c", &["docs/pages/c.md"])?;
    shell.write_file(folder.join("game.c"), &code[0].code)?;
    cmd!(shell, "cc {folder}/game.c -o {folder}/game").quiet().run()?;
    Ok(cmd!(shell, "{folder}/game").quiet().run()?)
}

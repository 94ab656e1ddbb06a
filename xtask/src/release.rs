//! What is published: packs it by cargo's, npm's and maturin's own commands, installs it from the packed files into empty projects, and
//! runs a first program of each. Nothing is uploaded.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::{book, npm, packages, python, snippets};

/// The version of all packages, also of this one.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The folder of the empty projects.
const OUT: &str = "target/packed";

/// Where the documentation of a published crate is.
const DOCS: &str = "https://docs.rs/";

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
    pack(shell, &[])?;
    let patches = patches(shell)?;
    println!("release: the code of the crates' READMEs");
    in_rust(shell, &root.join("first"), &patches)?;
    println!("release: the command");
    let config = root.join("config.toml");
    shell.write_file(&config, &patches)?;
    let command = packed("evenstep-cli")?;
    cmd!(
        shell,
        "cargo install --quiet --path {command} --root {root}/installed --config {config} --debug"
    )
    .run()?;
    cmd!(shell, "{root}/installed/bin/evenstep analyze docs/my-game.csv").run()?;
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
    header(shell, &root.join("header"))?;
    println!("release: the crates, the npm package, the wheel and the header are ready");
    Ok(())
}

/// The step of `cargo ci`: packs all crates, and compiles from their packages those that have almost no dependencies.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    check_texts(shell)?;
    pack(shell, &["--no-verify"])?;
    Ok(cmd!(
        shell,
        "cargo package --quiet --allow-dirty --package evenstep-derive --package evenstep"
    )
    .run()?)
}

/// Fails if versions differ, if the changelog lacks the version, or if a link leads to the documentation of a crate that is not published.
fn check_texts(shell: &Shell) -> Result<()> {
    let (package, version) = ("bindings/js/package.json", format!("\n  \"version\": \"{VERSION}\",\n"));
    if !shell.read_file(package)?.contains(&version) {
        bail!("{package} has no line {:?}, the version of Cargo.toml", version.trim());
    }
    let changes = shell.read_file("CHANGELOG.md")?;
    let newest = changes.lines().find(|line| line.starts_with("## ")).unwrap_or_default();
    if !newest.starts_with(&format!("## {VERSION}, ")) {
        bail!("CHANGELOG.md: the newest version is {newest:?}, but Cargo.toml has {VERSION}");
    }
    let published = names(shell, true)?;
    for page in book::pages(shell)? {
        let text = shell.read_file(&page)?;
        for link in text.split(DOCS).skip(1) {
            let end = link.find(|char: char| !(char.is_alphanumeric() || "-_".contains(char)));
            let name = &link[..end.unwrap_or(link.len())];
            if name.contains("evenstep") && !published.iter().any(|one| one == name) {
                bail!(
                    "{}: {DOCS}{name} will not exist: no package of this name is published",
                    page.display()
                );
            }
        }
    }
    Ok(())
}

/// The names of the workspace's published packages; of its other packages if `is_published` is false.
fn names(shell: &Shell, is_published: bool) -> Result<Vec<String>> {
    let packages = packages::of_workspace(shell)?;
    let packages = packages
        .iter()
        .filter(|package| package["publish"].is_null() == is_published);
    Ok(packages
        .filter_map(|package| package["name"].as_str().map(str::to_owned))
        .collect())
}

/// Packs all published crates.
fn pack(shell: &Shell, options: &[&str]) -> Result<()> {
    let others = names(shell, false)?;
    let exclude = others.iter().flat_map(|name| ["--exclude", name]);
    Ok(cmd!(
        shell,
        "cargo package --quiet --allow-dirty --workspace {exclude...} {options...}"
    )
    .run()?)
}

/// The folder into which cargo has unpacked a packed crate to compile it.
fn packed(name: &str) -> Result<PathBuf> {
    built(&format!("package/{name}-{VERSION}"))
}

/// What makes cargo take the packed crates.
fn patches(shell: &Shell) -> Result<String> {
    let mut patches = String::from("\n[patch.crates-io]\n");
    for name in names(shell, true)? {
        patches += &format!("{name} = {{ path = \"{}\" }}\n", packed(&name)?.display());
    }
    Ok(patches)
}

/// Runs the code of the packed READMEs in a project that has the packed crates.
fn in_rust(shell: &Shell, project: &Path, patches: &str) -> Result<()> {
    let mut manifest =
        String::from("[package]\nname = \"first\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n");
    let mut code = String::new();
    for (number, (name, features)) in IN_RUST.iter().enumerate() {
        manifest += &format!("{name} = {{ version = \"*\", features = [{features}] }}\n");
        let folder = packed(name)?;
        code += &format!(
            "#[doc = include_str!(\"{}/README.md\")]\npub struct Readme{number};\n",
            folder.display()
        );
    }
    shell.write_file(project.join("Cargo.toml"), manifest + patches)?;
    shell.write_file(project.join("src/lib.rs"), code)?;
    let target = built("")?;
    Ok(cmd!(
        shell,
        "cargo test --quiet --doc --manifest-path {project}/Cargo.toml --target-dir {target}"
    )
    .run()?)
}

/// Compiles and runs the first program of the page with nothing but the header beside it.
fn header(shell: &Shell, folder: &Path) -> Result<()> {
    shell.create_dir(folder)?;
    shell.copy_file("bindings/c/evenstep.h", folder)?;
    let code = snippets::of(shell, "c", &["docs/pages/c.md"])?;
    shell.write_file(folder.join("game.c"), &code[0].code)?;
    cmd!(shell, "cc {folder}/game.c -o {folder}/game").quiet().run()?;
    Ok(cmd!(shell, "{folder}/game").quiet().run()?)
}

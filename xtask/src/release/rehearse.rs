//! The release, rehearsed: uploads the packed packages to registries on this machine, with interruptions, and then gets each of them as
//! README says, as an ordinary user in empty folders.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use xshell::{Shell, cmd};

use super::crates::{VERSION, published, unpacked};
use super::first::{self, Lines};
use super::registries::{AS_SOMEBODY, NEW_NAMES, Registries};
use super::{pack, texts};
use crate::built::{built, folder};
use crate::ordinary_user::User;
use crate::{book, packages, page_code};

/// The name that cargo's configuration gives to the registry of the rehearsal.
const NAME: &str = "rehearsal";

/// Where the repository of the rehearsal is said to be hosted.
const ADDRESS: &str = "https://forge.invalid/evenstep";

/// Rehearses the release of the checkout's commit, with the texts that say that it is published.
pub(super) fn run(shell: &Shell, is_held: bool) -> Result<()> {
    let start = Instant::now();
    let root = built("rehearsal")?;
    shell.remove_path(&root)?;
    shell.create_dir(&root)?;
    let clone = root.join("clone");
    let commit = as_published(shell, &clone)?;
    let clone_shell = Shell::new()?;
    clone_shell.change_dir(&clone);
    clone_shell.set_var("CARGO_TARGET_DIR", folder()?);
    if let Ok(folder) = pack::packed(&clone_shell) {
        pack::try_out(&clone_shell, &folder)?;
    } else {
        ensure!(
            child(&clone, &["--pack"], &[], None)?,
            "{} cannot be packed",
            clone.display()
        );
    }
    let folder = pack::packed(&clone_shell)?;
    let crates = published(&clone_shell)?;
    let packed = start.elapsed();

    let seed = seed(&clone_shell, &root.join("seed"), &crates)?;
    let registries = Registries::start(shell, &root.join("registries"), &[clone.clone(), seed])?;
    let source = format!(
        "[source.crates-io]\nreplace-with = \"{NAME}\"\n\n[source.{NAME}]\nregistry = \"{}\"\n",
        registries.crates
    );
    shell.write_file(root.join(".cargo/config.toml"), &source)?;
    interrupted(shell, &registries, &clone, &crates)?;
    let sums = shell.read_file(folder.join("SHA256SUMS"))?;
    for name in &crates {
        let line = format!("{}  ./crates/{name}-{VERSION}.crate", registries.sum(shell, name)?);
        ensure!(sums.contains(&line), "the registry has another {name} than was packed");
    }
    let uploaded = start.elapsed();

    let user = User::new(shell, "rehearsal")?;
    let home = user.home().display();
    user.write(
        shell,
        ".cargo/config.toml",
        &format!("{source}\n[build]\ntarget-dir = \"{home}/target\"\n\n[profile.dev]\ndebug = false\n"),
    )?;
    user.write(shell, ".npmrc", &format!("registry={}\n", registries.npm))?;
    user.write(
        shell,
        ".config/pip/pip.conf",
        &format!("[global]\nindex-url = {}simple/\n", registries.python),
    )?;
    user.give(shell, &folder.join("evenstep.h"), &user.home().join("evenstep.h"))?;
    let readme = shell.read_file(clone.join("README.md"))?;
    let lines = Lines {
        rust: row(&readme, "Rust")?,
        javascript: row(&readme, "JavaScript")?,
        c: vec!["cp ~/evenstep.h .".to_owned()],
        python: row(&readme, "Python 3.11")?,
        command: row(&readme, "the command")?,
    };
    first::others(&clone_shell, &user, &lines)?;
    first::rust(&clone_shell, &user, &lines)?;
    first::command(&clone_shell, &user, &lines, "evenstep")?;
    readmes(shell, &user, &crates)?;
    first::bevy(shell, &user, &row(&readme, "Bevy 0.19")?)?;
    println!(
        "release: {commit} was rehearsed with {} crates, {} files in all: packed after {} s, uploaded after {} s, tried after {} s",
        crates.len(),
        sums.lines().count(),
        packed.as_secs(),
        uploaded.as_secs(),
        start.elapsed().as_secs()
    );
    if is_held {
        println!(
            "release: the registries run, and the configuration in {home} has their addresses; press Ctrl-C to end"
        );
        loop {
            thread::park();
        }
    }
    Ok(())
}

/// Clones the checkout, and commits there the texts that say that it is published. Returns the commit of the checkout.
fn as_published(shell: &Shell, clone: &Path) -> Result<String> {
    let commit = cmd!(shell, "git rev-parse HEAD").quiet().read()?;
    cmd!(shell, "git clone --quiet . {clone}").quiet().run()?;
    let _clone = shell.push_dir(clone);
    texts::rewrite(shell, ADDRESS)?;
    book::check_links(shell)?;
    let day = cmd!(shell, "git show --no-patch --format=%cI").quiet().read()?;
    // The same commit each time, so that what is packed of it is used again.
    cmd!(
        shell,
        "git {AS_SOMEBODY...} commit --quiet --all --allow-empty --message published"
    )
    .env("GIT_AUTHOR_DATE", &day)
    .env("GIT_COMMITTER_DATE", &day)
    .quiet()
    .run()?;
    Ok(commit)
}

/// A package that depends on everything that a user may get, so that cargo chooses the newest versions of others, as for a user.
fn seed(shell: &Shell, folder: &Path, crates: &[String]) -> Result<PathBuf> {
    let mut manifest =
        String::from("[package]\nname = \"seed\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n");
    manifest += "bevy = \"0.19\"\n";
    let mut patches = String::from("\n[patch.crates-io]\n");
    let all = packages::of_workspace(shell)?;
    for name in crates {
        let package = all.iter().find(|package| package["name"] == **name);
        let features = package.and_then(|package| package["features"].as_object());
        let features: Vec<_> = features.into_iter().flat_map(|features| features.keys()).collect();
        manifest += &format!("{name} = {{ version = \"*\", features = {features:?} }}\n");
        patches += &format!("{name} = {{ path = \"{}\" }}\n", unpacked(name)?.display());
    }
    shell.write_file(folder.join("Cargo.toml"), manifest + &patches)?;
    shell.write_file(folder.join("src/lib.rs"), "")?;
    Ok(folder.to_owned())
}

/// Uploads everything, and is killed twice and refused once on the way.
fn interrupted(shell: &Shell, registries: &Registries, clone: &Path, crates: &[String]) -> Result<()> {
    let variables = [
        ("CARGO_REGISTRIES_REHEARSAL_INDEX", registries.crates.clone()),
        ("CARGO_REGISTRIES_REHEARSAL_TOKEN", registries.token.clone()),
        ("npm_config_registry", registries.npm.clone()),
        ("NODE_AUTH_TOKEN", registries.npm_token(shell)?),
        ("TWINE_REPOSITORY_URL", registries.python.clone()),
        ("TWINE_USERNAME", "releaser".to_owned()),
        ("TWINE_PASSWORD", "rehearsal".to_owned()),
        ("PIP_INDEX_URL", format!("{}simple/", registries.python)),
    ];
    let upload = |kill_after: Option<&str>| child(clone, &["--registry", NAME], &variables, kill_after);
    let there = || crates.iter().filter(|name| registries.sum(shell, name).is_ok()).count();
    let second = format!("{} {VERSION} is uploaded", crates[1]);
    for (what, kill_after, expected) in [
        ("killed after npm", Some("for npm is uploaded"), 0),
        ("killed after the second crate", Some(&*second), 2),
        (
            "until the registry takes no more new names",
            None,
            NEW_NAMES.min(crates.len()),
        ),
    ] {
        println!("release: uploading, {what}");
        let is_done = upload(kill_after)?;
        let (is_all, there) = (expected == crates.len(), there());
        ensure!(
            is_done == is_all && there == expected,
            "{there} crates are there, not {expected}"
        );
    }
    registries.take_names();
    for what in ["the rest", "once more"] {
        println!("release: uploading, {what}");
        ensure!(upload(None)?, "the upload did not go on");
    }
    ensure!(there() == crates.len(), "not all crates are there");
    Ok(())
}

/// Runs `cargo xtask release` with options in another checkout. Kills it with all its programs once it has printed a line, and returns whether
/// it succeeded.
fn child(clone: &Path, options: &[&str], variables: &[(&str, String)], kill_after: Option<&str>) -> Result<bool> {
    // It is the first of a group of processes.
    let mut child = Command::new("setsid")
        .arg(env::current_exe()?)
        .arg("release")
        .args(options)
        .env("CARGO_MANIFEST_DIR", clone.join("xtask"))
        .env("CARGO_TARGET_DIR", folder()?)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::piped())
        .spawn()?;
    let output = BufReader::new(child.stdout.take().context("its output is a pipe")?);
    for line in output.lines() {
        let line = line?;
        println!("    {line}");
        if kill_after.is_some_and(|end| line.ends_with(end)) {
            let shell = Shell::new()?;
            let group = format!("-{}", child.id());
            cmd!(shell, "kill -KILL -- {group}").quiet().run()?;
            println!("    killed");
        }
    }
    Ok(child.wait()?.success())
}

/// The lines that a row of README's table of installation says to type.
fn row(readme: &str, what: &str) -> Result<Vec<String>> {
    let row = readme
        .lines()
        .find_map(|line| line.strip_prefix(&format!("| {what} | ")));
    let row = row.with_context(|| format!("README.md has no row about {what}"))?;
    let (cell, _) = row.split_once(" |").context("a row has cells")?;
    let quoted = cell.split('`').skip(1).step_by(2);
    let typed = quoted.filter(|line| {
        ["cargo ", "npm ", "pip "]
            .iter()
            .any(|program| line.starts_with(program))
    });
    let typed: Vec<_> = typed.map(str::to_owned).collect();
    match typed.is_empty() || typed.iter().any(|line| line.contains("../")) {
        true => bail!("README.md: the row about {what} gets nothing from a registry: {cell}"),
        false => Ok(typed),
    }
}

/// Runs the code of the published crates' READMEs, from the packages that cargo fetched, with what each says to add.
fn readmes(shell: &Shell, user: &User, crates: &[String]) -> Result<()> {
    let mut code = String::new();
    user.line(shell, "", "cargo new --quiet --vcs none --lib readmes")?;
    for name in crates {
        let readme = shell.read_file(unpacked(name)?.join("README.md"))?;
        if !readme.contains("```rust\n") {
            continue;
        }
        // A README that names nothing to add is about its crate alone.
        for line in page_code::added(&readme).iter().chain([name]) {
            user.line(shell, "readmes", &format!("cargo add --quiet {line}"))?;
        }
        let ident = name.replace('-', "_");
        code += &format!(
            "#[doc = include_str!(concat!(env!(\"REGISTRY\"), \"/{name}-{VERSION}/README.md\"))]\npub struct {ident};\n"
        );
    }
    user.write(shell, "readmes/src/lib.rs", &code)?;
    let find = "REGISTRY=$(ls --directory ~/.cargo/registry/src/*) cargo test --quiet --doc";
    let printed = user.line(shell, "readmes", &format!("cargo fetch --quiet; {find}"))?;
    let passed = printed.matches("test result: ok").count();
    ensure!(passed == 1, "the code of the READMEs:\n{printed}");
    Ok(())
}

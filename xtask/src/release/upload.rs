//! Uploads a packed release: what can be withdrawn first, and crates last, of which each version stays for ever. It asks each registry what
//! is already there, so that the same command goes on after an interruption.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use xshell::{Cmd, Shell, cmd};

use super::crates::{VERSION, published};
use super::tools;
use crate::built::built;

/// Uploads what the folder has, the crates to a registry of cargo's configuration. The other registries are those of the configurations of
/// pip, twine and npm.
pub(super) fn run(shell: &Shell, folder: &Path, registry: &str) -> Result<()> {
    let mut count = 0;
    for wheel in super::pack::wheels(shell, folder)? {
        count += wheels(shell, &wheel)?;
    }
    count += npm(shell, &folder.join(format!("evenstep-{VERSION}.tgz")))?;
    for name in published(shell)? {
        count += a_crate(shell, folder, &name, registry)?;
    }
    println!("release: {VERSION} is published; {count} packages were uploaded now");
    Ok(())
}

/// Says that a package is in its registry, and whether this run uploaded it.
fn there(what: &str, is_new: bool) -> Result<usize> {
    println!(
        "release: {what} is {}",
        if is_new { "uploaded" } else { "already there" }
    );
    Ok(usize::from(is_new))
}

/// What a question to a registry answers: `None` if it says that it has no such package.
fn answer(question: Cmd<'_>, none: &str) -> Result<Option<String>> {
    let output = question.quiet().ignore_status().output()?;
    let error = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(Some(String::from_utf8(output.stdout)?.trim().to_owned())),
        false if error.contains(none) => Ok(None),
        false => bail!("the registry gave no answer: {}", error.trim()),
    }
}

fn wheels(shell: &Shell, wheel: &Path) -> Result<usize> {
    let name = wheel
        .file_name()
        .and_then(|name| name.to_str())
        .context("a wheel has a name")?;
    let tags = name.trim_end_matches(".whl").rsplit('-').next().unwrap_or_default();
    let platforms = tags.split('.').flat_map(|tag| ["--platform", tag]);
    let python = tools::python(shell)?;
    let found = built("release-found")?;
    shell.remove_path(&found)?;
    let options = [
        "--no-deps",
        "--no-cache-dir",
        "--only-binary=:all:",
        "--python-version=3.11",
        "--abi=abi3",
    ];
    let question = cmd!(
        shell,
        "{python} -m pip download --quiet {options...} {platforms...} --dest {found} evenstep=={VERSION}"
    );
    if answer(question, "No matching distribution")?.is_some() {
        same(shell, &found.join(name), wheel)?;
        return there(name, false);
    }
    cmd!(
        shell,
        "{python} -m twine upload --non-interactive --disable-progress-bar {wheel}"
    )
    .run()
    .with_context(|| again(name))?;
    there(name, true)
}

fn npm(shell: &Shell, packed: &Path) -> Result<usize> {
    let name = format!("evenstep@{VERSION} for npm");
    let question = cmd!(shell, "npm view evenstep@{VERSION} dist.shasum");
    let found = answer(question, "E404")?.filter(|sum| !sum.is_empty());
    if let Some(found) = found {
        let sum = cmd!(shell, "sha1sum {packed}").quiet().read()?;
        ensure!(
            sum.starts_with(&found),
            "the registry has another {name}: raise the version"
        );
        return there(&name, false);
    }
    // Its scripts ran when it was packed. npm takes a token by the registry's address alone.
    let registry = cmd!(shell, "npm config get registry").quiet().read()?;
    let key = registry.split_once(':').map_or(&*registry, |(_, address)| address);
    let publish = cmd!(shell, "npm publish --silent --ignore-scripts --access public {packed}");
    match shell.var("NODE_AUTH_TOKEN") {
        Ok(token) => publish.env(format!("npm_config_{key}:_authToken"), token).run(),
        Err(_) => publish.run(),
    }
    .with_context(|| again(&name))?;
    there(&name, true)
}

fn a_crate(shell: &Shell, folder: &Path, name: &str, registry: &str) -> Result<usize> {
    let question = cmd!(shell, "cargo info --quiet {name}@{VERSION} --registry {registry}");
    let is_there = answer(question, "could not find")?.is_some();
    if !is_there {
        // It was compiled from its package when that was packed.
        cmd!(shell, "cargo package --quiet --no-verify --package {name}")
            .quiet()
            .run()?;
        let file = format!("{name}-{VERSION}.crate");
        same(
            shell,
            &built(&format!("package/{file}"))?,
            &folder.join("crates").join(file),
        )?;
        cmd!(
            shell,
            "cargo publish --quiet --no-verify --package {name} --registry {registry}"
        )
        .run()
        .with_context(|| again(name))?;
    }
    there(&format!("{name} {VERSION}"), !is_there)
}

/// Fails unless two files have the same bytes.
fn same(shell: &Shell, found: &Path, packed: &Path) -> Result<()> {
    let difference = cmd!(shell, "cmp {found} {packed}").quiet().ignore_stderr().run();
    difference.with_context(|| format!("not what was packed: {}", found.display()))
}

fn again(name: &str) -> String {
    format!("{name} was refused. What is uploaded stays; wait if a limit is the reason, and run the same command again")
}

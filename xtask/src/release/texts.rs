//! How pages and manifests read once a version is published: packages come from registries and no longer from a clone, and say where the
//! repository is.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use xshell::Shell;

use super::crates;
use crate::{book, packages};

/// The beginning of what a page says until the packages are published, and of what replaces it, which is in a comment up to [`END`].
const UNTIL: &str = "<!-- until published -->\n";
const ONCE: &str = "<!-- once published\n";
const END: &str = "-->\n";

/// The options of cargo that name a crate in a clone.
const PATH: &str = " --path ../evenstep/";

/// The folders with packages. Registries show their READMEs without the repository beside them.
const PACKAGES: [&str; 4] = ["crates", "integrations", "bindings", "tools"];

/// Rewrites all pages and manifests into those of published packages, whose repository has this address.
pub(super) fn rewrite(shell: &Shell, address: &str) -> Result<()> {
    for (file, published) in published(shell, address)? {
        shell.write_file(file, published)?;
    }
    Ok(())
}

/// Fails unless all pages and manifests are those of published packages.
pub(super) fn check(shell: &Shell) -> Result<()> {
    const COMMAND: &str = "cargo xtask release --as-published ADDRESS";
    let packages = packages::of_workspace(shell)?;
    let address = packages.iter().find_map(|package| package["repository"].as_str());
    let address =
        address.with_context(|| format!("Cargo.toml says of no repository where it is hosted; run: {COMMAND}"))?;
    let other = published(shell, address)?.into_iter().next();
    let name = other.map(|(file, _)| file.display().to_string()).unwrap_or_default();
    ensure!(
        name.is_empty(),
        "{name} reads as if nothing were published; run: {COMMAND}"
    );
    Ok(())
}

/// The pages and manifests that read otherwise once packages are published, and how.
fn published(shell: &Shell, address: &str) -> Result<Vec<(PathBuf, String)>> {
    let (crates, root) = (crates::published(shell)?, shell.current_dir());
    let mut files = Vec::new();
    for page in book::pages(shell)? {
        let text = as_published(&shell.read_file(&page)?, &crates).with_context(|| page.display().to_string())?;
        let is_package = PACKAGES
            .iter()
            .any(|folder| page.starts_with(root.join(folder)) || page.starts_with(folder));
        let text = if is_package {
            text.replace("](../../", &format!("]({address}/blob/HEAD/"))
        } else {
            text
        };
        files.push((page, text));
    }
    let mut manifests = ["Cargo.toml", "bindings/js/package.json", "bindings/py/pyproject.toml"]
        .map(PathBuf::from)
        .to_vec();
    manifests.extend(crates::folders(shell)?.iter().map(|folder| folder.join("Cargo.toml")));
    for manifest in manifests {
        let text = with_address(&shell.read_file(&manifest)?, address);
        files.push((manifest, text));
    }
    let mut changed = Vec::new();
    for (file, text) in files {
        if shell.read_file(&file)? != text {
            changed.push((file, text));
        }
    }
    Ok(changed)
}

/// A manifest with the address of the repository, behind its licence.
fn with_address(manifest: &str, address: &str) -> String {
    let lines = [
        (
            "license-files = [\"LICENSE-*\"]\n",
            format!("urls.Repository = \"{address}\"\n"),
        ),
        (
            "license = \"MIT OR Apache-2.0\"\n",
            format!("repository = \"{address}\"\n"),
        ),
        ("license.workspace = true\n", "repository.workspace = true\n".to_owned()),
        (
            "  \"license\": \"MIT OR Apache-2.0\",\n",
            format!(
                "  \"repository\": {{ \"type\": \"git\", \"url\": \"git+{address}.git\", \"directory\": \"bindings/js\" }},\n"
            ),
        ),
    ];
    let place = lines.iter().find(|(licence, _)| manifest.contains(licence));
    match place {
        Some((licence, line)) if !manifest.contains(line) => manifest.replacen(licence, &format!("{licence}{line}"), 1),
        _ => manifest.to_owned(),
    }
}

/// A page as it reads once these crates are published.
pub(super) fn as_published(page: &str, crates: &[String]) -> Result<String> {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once(UNTIL) {
        let (_, after) = after
            .split_once(ONCE)
            .with_context(|| format!("{UNTIL:?} without {ONCE:?}"))?;
        let (once, after) = after
            .split_once(END)
            .with_context(|| format!("{ONCE:?} without {END:?}"))?;
        text += before;
        text += once;
        rest = after;
    }
    text += rest;
    let parts: Vec<_> = text.split(PATH).collect();
    let names = parts[1..]
        .iter()
        .map(|part| path(part).rsplit('/').next().unwrap_or_default());
    // A crate of a clone needs that clone's other crates.
    if names.clone().any(|name| !crates.iter().any(|one| one == name)) {
        return Ok(text);
    }
    let mut published = parts[0].to_owned();
    for (part, name) in parts[1..].iter().zip(names) {
        if published.ends_with("cargo install") {
            published += &format!(" {name}");
        }
        published += &part[path(part).len()..];
    }
    Ok(published)
}

/// What a text begins with, up to the end of a path.
fn path(text: &str) -> &str {
    let end = text.find(|char: char| char.is_whitespace() || char == '`');
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_adds_published_crates_alone_names_no_clone() {
        let crates = ["evenstep".to_owned(), "evenstep-cli".to_owned()];
        let page = "`cargo add evenstep --path ../evenstep/crates/evenstep`\n\
                    cargo add evenstep --path ../evenstep/crates/evenstep --features follow\n\
                    cargo install --path ../evenstep/tools/evenstep-cli\n";
        let published = "`cargo add evenstep`\ncargo add evenstep --features follow\ncargo install evenstep-cli\n";
        assert_eq!(as_published(page, &crates).unwrap(), published);
        let other = format!("{page}cargo add evenstep-net --path ../evenstep/integrations/evenstep-net\n");
        assert_eq!(as_published(&other, &crates).unwrap(), other);
    }

    #[test]
    fn a_manifest_gets_the_address_once() {
        let manifest = "[workspace.package]\nlicense = \"MIT OR Apache-2.0\"\n";
        let hosted = with_address(manifest, "https://example.org/a");
        assert_eq!(hosted, format!("{manifest}repository = \"https://example.org/a\"\n"));
        assert_eq!(with_address(&hosted, "https://example.org/a"), hosted);
    }

    #[test]
    fn what_a_page_says_until_then_is_replaced() {
        let page = "a\n<!-- until published -->\nb\n\n<!-- once published\nc\n-->\nd\n";
        assert_eq!(as_published(page, &[]).unwrap(), "a\nc\nd\n");
        assert!(as_published("<!-- until published -->\nb\n", &[]).is_err());
    }
}

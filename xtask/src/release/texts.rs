//! How pages and manifests read once a version is published: packages come from registries and no longer from a clone, and say where the
//! repository is.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use xshell::Shell;

use super::VERSION;
use crate::{book, packages};

/// The beginning of what a page says until the packages are published, and of what replaces it, which is in a comment up to [`END`].
const UNTIL: &str = "<!-- until published -->\n";
const ONCE: &str = "<!-- once published\n";
const END: &str = "-->\n";

/// The options of cargo that name a crate in a clone.
const PATH: &str = " --path ../evenstep/";

/// What a page has for the address of the hosted page, with the book beside it.
const SITE: &str = "<SITE>";

/// The folders with packages. Registries show their READMEs without the repository beside them.
const PACKAGES: [&str; 4] = ["crates", "integrations", "bindings", "tools"];

/// Files that are used alone, and those of the npm package, which are built. Their first lines say what they are.
pub(super) const ALONE: [&str; 4] = [
    "bindings/c/evenstep.h",
    "bindings/lua/evenstep.lua",
    "bindings/lua/evenstep_defold.lua",
    "bindings/lua/evenstep_love.lua",
];
pub(super) const BUILT: [&str; 2] = ["bindings/js/dist/evenstep.global.js", "bindings/js/dist/fixed-raf.js"];

/// The address that files and packages have until the repository's is known.
const UNTIL_HOSTED: &str = "https://docs.rs/evenstep";

/// Fails unless the first lines of files have their licence, the version and an address.
pub(super) fn check_alone(shell: &Shell, files: &[&str]) -> Result<()> {
    for file in files {
        let text = shell.read_file(file)?;
        let first = text.lines().take(3).collect::<String>();
        for part in [
            "SPDX-License-Identifier: MIT OR Apache-2.0",
            &format!("evenstep {VERSION}"),
            "https://",
        ] {
            ensure!(
                first.contains(part),
                "{file}: the first three lines do not have {part:?}"
            );
        }
    }
    for file in ALONE {
        let stated = match file.ends_with(".lua") {
            true => format!("VERSION = \"{VERSION}\""),
            false => format!("#define ES_VERSION \"{VERSION}\"\n"),
        };
        let text = shell.read_file(file)?;
        ensure!(text.contains(&stated), "{file} has no {:?}", stated.trim());
    }
    Ok(())
}

/// Rewrites all pages and manifests into those of published packages, whose repository has this address, and whose page has that one.
pub(super) fn rewrite(shell: &Shell, address: &str, site: &str) -> Result<()> {
    let crates = super::names(shell)?;
    let book = format!("{}/book", site.trim_end_matches('/'));
    for page in book::pages(shell)? {
        let text = as_published(&shell.read_file(&page)?, &crates).with_context(|| page.display().to_string())?;
        let inside = page.strip_prefix(shell.current_dir()).unwrap_or(&page);
        let text = match PACKAGES.iter().any(|tier| inside.starts_with(tier)) {
            true => hosted(&text, address, &book),
            false => text.replace(SITE, &format!("<{site}>")),
        };
        shell.write_file(&page, text)?;
    }
    let packages = super::crates(shell)?;
    let manifests = packages
        .iter()
        .filter_map(packages::folder_of)
        .map(|folder| folder.join("Cargo.toml"));
    let others = ["Cargo.toml", "bindings/js/package.json", "bindings/py/pyproject.toml"].map(PathBuf::from);
    for manifest in manifests.chain(others) {
        let text = with_addresses(&shell.read_file(&manifest)?, address, &book);
        shell.write_file(manifest, text)?;
    }
    for file in ALONE {
        let text = shell.read_file(file)?.replacen(UNTIL_HOSTED, address, 1);
        shell.write_file(file, text)?;
    }
    Ok(())
}

/// Fails if a page reads as if nothing were published, or if the manifests do not say where the repository is.
pub(super) fn check(shell: &Shell) -> Result<()> {
    const COMMAND: &str = "cargo xtask release --as-published ADDRESS --site ADDRESS";
    let mut packages = packages::of_workspace(shell)?.into_iter();
    let is_hosted = packages.any(|package| package["repository"].is_string());
    ensure!(
        is_hosted,
        "Cargo.toml says of no repository where it is hosted; run: {COMMAND}"
    );
    for page in book::pages(shell)? {
        let text = shell.read_file(&page)?;
        let is_unpublished = text.contains(UNTIL) || text.contains("not published yet");
        ensure!(
            !is_unpublished,
            "{} reads as if nothing were published; run: {COMMAND}",
            page.display()
        );
    }
    Ok(())
}

/// A package's page with addresses in place of links to the repository: those to pages of the book lead to the hosted book.
fn hosted(page: &str, address: &str, book: &str) -> String {
    let mut parts = page.split("](../../");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (link, rest) = part.split_once(')').unwrap_or((part, ""));
        let link = match link.strip_prefix("docs/pages/") {
            Some(page) if page.contains(".md") => format!("{book}/{}", page.replacen(".md", ".html", 1)),
            _ => format!("{address}/blob/HEAD/{link}"),
        };
        text += &format!("]({link}){rest}");
    }
    text
}

/// A manifest with the addresses of the repository and of the book, behind its licence.
fn with_addresses(manifest: &str, address: &str, book: &str) -> String {
    let lines = [
        (
            "license-files = [\"LICENSE-*\"]\n",
            format!("urls.Repository = \"{address}\"\nurls.Documentation = \"{book}/python.html\"\n"),
        ),
        (
            "license = \"MIT OR Apache-2.0\"\n",
            format!("repository = \"{address}\"\nhomepage = \"{book}/\"\n"),
        ),
        (
            "license.workspace = true\n",
            "repository.workspace = true\nhomepage.workspace = true\n".to_owned(),
        ),
        (
            "  \"license\": \"MIT OR Apache-2.0\",\n",
            format!(
                "  \"homepage\": \"{book}/javascript.html\",\n  \"repository\": {{ \"type\": \"git\", \"url\": \"git+{address}.git\", \"directory\": \"bindings/js\" }},\n"
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
    fn a_manifest_gets_the_addresses_once() {
        let manifest = "[workspace.package]\nlicense = \"MIT OR Apache-2.0\"\n";
        let (address, book) = ("https://example.org/a", "https://example.org/a/book");
        let hosted = with_addresses(manifest, address, book);
        assert_eq!(
            hosted,
            format!("{manifest}repository = \"{address}\"\nhomepage = \"{book}/\"\n")
        );
        assert_eq!(with_addresses(&hosted, address, book), hosted);
    }

    #[test]
    fn a_page_that_leaves_links_to_the_hosted_book_and_the_repository() {
        let page = "[a](../../docs/pages/loop.md#b) [c](../../bindings/c/evenstep.h) [d](https://e.org) [f](#g)";
        assert_eq!(
            hosted(page, "https://r.org", "https://s.org/book"),
            "[a](https://s.org/book/loop.html#b) [c](https://r.org/blob/HEAD/bindings/c/evenstep.h) [d](https://e.org) [f](#g)"
        );
    }

    #[test]
    fn what_a_page_says_until_then_is_replaced() {
        let page = "a\n<!-- until published -->\nb\n\n<!-- once published\nc\n-->\nd\n";
        assert_eq!(as_published(page, &[]).unwrap(), "a\nc\nd\n");
        assert!(as_published("<!-- until published -->\nb\n", &[]).is_err());
    }
}

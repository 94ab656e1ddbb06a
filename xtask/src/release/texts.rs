//! How pages and manifests read once a version is published: packages come from registries and no longer from a clone, and say where the
//! repository is.

use anyhow::{Result, ensure};
use regex_lite::Regex;
use xshell::{Shell, cmd};

use super::VERSION;

/// What files have until then for the address of the repository, and for that of the hosted page, with the book beside it.
const REPOSITORY: &str = "https://repository.invalid/owner/evenstep";
const SITE: &str = "https://site.invalid";

/// What differs until then: pages, manifests, and the first lines of files that are used alone, which have this address.
const FILES: [&str; 5] = ["*.md", "*.toml", "*.json", "*.h", "*.lua"];
const DOCS: &str = ", https://docs.rs/evenstep\n";

/// The folders with packages. Registries show their READMEs without the repository beside them.
const PACKAGES: [&str; 4] = ["crates/", "integrations/", "bindings/", "tools/"];

/// Files that are used alone, and those of the npm package, which are built. Their first lines say what they are.
pub(super) const ALONE: [&str; 4] = [
    "bindings/c/evenstep.h",
    "bindings/lua/evenstep.lua",
    "bindings/lua/evenstep_defold.lua",
    "bindings/lua/evenstep_love.lua",
];
pub(super) const BUILT: [&str; 2] = ["bindings/js/dist/evenstep.global.js", "bindings/js/dist/fixed-raf.js"];

/// Fails unless the first lines of files have their licence, the version and an address, and files that are not built a constant with the version.
pub(super) fn check_alone(shell: &Shell, files: &[&str]) -> Result<()> {
    let constant = Regex::new(&format!("VERSION (= )?\"{VERSION}\""))?;
    for file in files {
        let text = shell.read_file(file)?;
        let first = text.lines().take(3).collect::<String>();
        for part in [
            "SPDX-License-Identifier: MIT OR Apache-2.0",
            &format!("evenstep {VERSION}, https://"),
        ] {
            ensure!(first.contains(part), "{file}: its first lines do not have {part:?}");
        }
        let has_constant = BUILT.contains(file) || constant.is_match(&text);
        ensure!(has_constant, "{file}: its VERSION is not {VERSION}");
    }
    Ok(())
}

/// Rewrites all pages and manifests into those of published packages, whose repository has this address, and whose page has that one.
pub(super) fn rewrite(shell: &Shell, repository: &str, site: &str) -> Result<()> {
    let crates = super::names(shell)?;
    for file in cmd!(shell, "git ls-files {FILES...}").quiet().read()?.lines() {
        let before = shell.read_file(file)?;
        let is_packed = file.ends_with(".md") && PACKAGES.iter().any(|tier| file.starts_with(tier));
        let mut text = as_published(&before, &crates)?;
        if is_packed {
            text = hosted(&text)?;
        }
        let text = text
            .replace(REPOSITORY, repository)
            .replace(SITE, site.trim_end_matches('/'))
            .replace(DOCS, &format!(", {repository}\n"));
        if text != before {
            shell.write_file(file, text)?;
        }
    }
    Ok(())
}

/// Fails if a page or a manifest reads as if nothing were published.
pub(super) fn check(shell: &Shell) -> Result<()> {
    let words = ["until published -->", "not published yet", REPOSITORY, SITE];
    let words = words.iter().flat_map(|words| ["-e", words]);
    let found = cmd!(shell, "git grep --line-number --fixed-strings {words...} -- {FILES...}");
    let found = found.quiet().ignore_status().read()?;
    ensure!(
        found.is_empty(),
        "these read as if nothing were published; run cargo xtask release --as-published ADDRESS --site ADDRESS:\n{found}"
    );
    Ok(())
}

/// A package's page with addresses in place of links to the repository: those to pages of the book lead to the hosted book.
fn hosted(page: &str) -> Result<String> {
    let page =
        Regex::new(r"\]\(\.\./\.\./docs/pages/([\w-]+)\.md")?.replace_all(page, format!("]({SITE}/book/$1.html"));
    Ok(page.replace("](../../", &format!("]({REPOSITORY}/blob/HEAD/")))
}

/// A page as it reads once these crates are published.
pub(super) fn as_published(page: &str, crates: &[String]) -> Result<String> {
    let until = Regex::new(r"(?s)<!-- until published -->\n.*?<!-- once published\n(.*?)-->\n")?;
    let page = until.replace_all(page, "$1");
    let path = Regex::new(r" --path \.\./evenstep/(?:[\w-]+/)*([\w-]+)")?;
    // A crate of a clone needs that clone's other crates.
    let is_published = |name: &str| crates.iter().any(|one| one == name);
    if !path.captures_iter(&page).all(|path| is_published(&path[1])) {
        return Ok(page.into_owned());
    }
    let install = Regex::new(&format!("cargo install{path}"))?.replace_all(&page, "cargo install $1");
    Ok(path.replace_all(&install, "").into_owned())
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
    fn a_page_that_leaves_links_to_the_hosted_book_and_the_repository() {
        let page = "[a](../../docs/pages/loop.md#b) [c](../../bindings/c/evenstep.h) [d](https://e.org) [f](#g)";
        assert_eq!(
            hosted(page).unwrap(),
            format!(
                "[a]({SITE}/book/loop.html#b) [c]({REPOSITORY}/blob/HEAD/bindings/c/evenstep.h) [d](https://e.org) [f](#g)"
            )
        );
    }

    #[test]
    fn what_a_page_says_until_then_is_replaced() {
        let page = "a\n<!-- until published -->\nb\n\n<!-- once published\nc\n-->\nd\n";
        assert_eq!(as_published(page, &[]).unwrap(), "a\nc\nd\n");
    }
}

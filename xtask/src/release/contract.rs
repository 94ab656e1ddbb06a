//! The contract that a release carries: a page of the book, whose figures are those of other pages.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use xshell::Shell;

const PAGES: &str = "docs/pages";
pub(super) const PAGE: &str = "docs/pages/contract.md";

/// Fails if the contract says in bold what the page beside it does not say.
pub(super) fn check(shell: &Shell) -> Result<()> {
    let contract = shell.read_file(PAGE)?;
    let rows = contract
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains("**"));
    for row in rows {
        let (row, link) = row
            .rsplit_once("](")
            .with_context(|| format!("{PAGE}: no page is beside {row:?}"))?;
        let (page, _) = link.split_once(')').context("a link ends")?;
        let said = plain(&shell.read_file(Path::new(PAGES).join(page))?);
        for words in row.split("**").skip(1).step_by(2) {
            ensure!(said.contains(&plain(words)), "{PAGE}: {page} does not say {words:?}");
        }
    }
    Ok(())
}

/// Words without the lines of their page, and without emphasis.
fn plain(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace("**", "")
}

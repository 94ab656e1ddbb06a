//! The contract that a release carries: a page of the book, whose figures are those of other pages.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use xshell::Shell;

const PAGES: &str = "docs/pages";
const PAGE: &str = "contract.md";

/// The directive that includes part of another page.
const INCLUDE: &str = "{{#include ";

/// The text of the contract. Fails if it says in bold what the page beside it does not say.
pub(super) fn text(shell: &Shell) -> Result<String> {
    let pages = Path::new(PAGES);
    let contract = shell.read_file(pages.join(PAGE))?;
    for row in contract
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains("**"))
    {
        let (row, link) = row
            .rsplit_once("](")
            .with_context(|| format!("{PAGE}: no page is beside {row:?}"))?;
        let (page, _) = link.split_once(')').context("a link ends")?;
        let said = plain(&shell.read_file(pages.join(page))?);
        for words in row.split("**").skip(1).step_by(2) {
            ensure!(said.contains(&plain(words)), "{PAGE}: {page} does not say {words:?}");
        }
    }
    let mut text = String::new();
    for line in contract.lines() {
        match line
            .strip_prefix(INCLUDE)
            .and_then(|rest| rest.strip_suffix("}}")?.split_once(':'))
        {
            Some((page, name)) => {
                let page = shell.read_file(pages.join(page))?;
                let part = page.split_once(&format!("<!-- ANCHOR: {name} -->\n"));
                let part = part.and_then(|(_, rest)| rest.split_once("<!-- ANCHOR_END"));
                text += part.with_context(|| format!("{line}: there is no such part"))?.0;
            }
            None => text += &format!("{line}\n"),
        }
    }
    Ok(text)
}

/// Words without the lines of their page, and without emphasis.
fn plain(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace("**", "")
}

//! How the pages say to get a package: from a clone until it is published, and from its registry then.

use anyhow::{Context, Result};

/// The beginning of what a page says until the packages are published, and of what replaces it, which is in a comment up to [`END`].
const UNTIL: &str = "<!-- until published -->\n";
const ONCE: &str = "<!-- once published\n";
const END: &str = "-->\n";

/// The options of cargo that name a crate in a clone.
const PATH: &str = " --path ../evenstep/";

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
    fn what_a_page_says_until_then_is_replaced() {
        let page = "a\n<!-- until published -->\nb\n\n<!-- once published\nc\n-->\nd\n";
        assert_eq!(as_published(page, &[]).unwrap(), "a\nc\nd\n");
        assert!(as_published("<!-- until published -->\nb\n", &[]).is_err());
    }
}

//! Checks the links of Markdown files within the repository. Nothing is fetched.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Fails if a link of a Markdown file leads to a missing file, folder or heading.
pub(crate) fn check(files: &[PathBuf]) -> Result<()> {
    let mut dead = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).with_context(|| format!("{}: cannot be read", file.display()))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (path, place) = target.split_once('#').unwrap_or((target, ""));
            // The settings of a figure.
            let path = path.split('?').next().unwrap_or(path);
            let to = if path.is_empty() {
                file.clone()
            } else {
                folder.join(path)
            };
            let is_page = to.extension().is_some_and(|extension| extension == "md");
            let has_place = |text: &str| headings(text).any(|heading| heading == place);
            if !to.exists() || (is_page && !place.is_empty() && !has_place(&fs::read_to_string(&to)?)) {
                dead.push(format!("{}: {target}", file.display()));
            }
        }
    }
    if !dead.is_empty() {
        bail!("links that lead nowhere:\n{}", dead.join("\n"));
    }
    Ok(())
}

/// The anchors of the headings of a page.
fn headings(page: &str) -> impl Iterator<Item = String> {
    let texts = page.lines().filter_map(|line| line.strip_prefix('#'));
    texts.map(|text| {
        let text = text.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        text.chars()
            .filter(|char| char.is_alphanumeric() || "-_".contains(*char))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_markdown_are_followed_from_the_folder_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let pages = [folder.path().join("page.md")];
        fs::create_dir(folder.path().join("docs")).unwrap();
        fs::write(
            &pages[0],
            "[1](docs?a=1#b) [2](https://example.org) [3](#here) ![4](page.md#the-loops-x)\n## Here\n### The loop's `x`\n",
        )
        .unwrap();
        check(&pages).unwrap();
        for gone in ["docs/gone.md", "page.md#there", "#there"] {
            fs::write(&pages[0], format!("# Here\n[1]({gone})")).unwrap();
            let complaint = check(&pages).unwrap_err().to_string();
            assert!(complaint.ends_with(&format!("page.md: {gone}")), "{complaint}");
        }
    }
}

//! Checks that the prose of Markdown files can be read as text.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

/// The most characters of a line. Rows of tables are as wide as they are, and the address of a link cannot be broken.
const MAX_WIDTH: usize = 160;

/// Fails if a line of prose or code is too wide.
pub(crate) fn check(files: &[PathBuf]) -> Result<()> {
    let mut wide = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).with_context(|| format!("{}: cannot be read", file.display()))?;
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, line)| width(line) > MAX_WIDTH && !line.trim_start().starts_with('|'));
        wide.extend(lines.map(|(index, _)| format!("{}:{}", file.display(), index + 1)));
    }
    if !wide.is_empty() {
        bail!(
            "lines of more than {MAX_WIDTH} characters; break them:\n{}",
            wide.join("\n")
        );
    }
    Ok(())
}

/// The characters of a line without the addresses of its links.
fn width(line: &str) -> usize {
    let mut parts = line.split("](https://");
    let first = parts.next().unwrap_or_default().chars().count();
    let rest = parts.map(|part| part.split_once(')').map_or(0, |(_, rest)| rest.chars().count()));
    first + rest.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_line_is_named_and_a_wide_row_of_a_table_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let pages = [folder.path().join("page.md")];
        fs::write(
            &pages[0],
            format!("| {} |\n{}[](https://e.org)\n", "a".repeat(200), "é".repeat(159)),
        )
        .unwrap();
        check(&pages).unwrap();
        fs::write(&pages[0], format!("\n{}\n", "é".repeat(161))).unwrap();
        let complaint = check(&pages).unwrap_err().to_string();
        assert!(complaint.ends_with("page.md:2"), "{complaint}");
    }
}

//! The changelog is a list by version.

use std::fs;

#[test]
fn each_version_has_headings_of_its_own_and_a_line_for_each_change() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../CHANGELOG.md")).unwrap();
    let mut heading = None;
    for (number, line) in text.lines().enumerate() {
        let is_heading = ["### Added", "### Changed", "### Removed", "### Fixed"].contains(&line);
        if line.starts_with('#') {
            heading = is_heading.then_some(line);
            assert!(
                is_heading || line.starts_with("## ") || number == 0,
                "CHANGELOG.md:{}: {line}",
                number + 1
            );
        } else if heading.is_some() {
            let is_item = line.is_empty() || line.starts_with("- ") || line.starts_with("  ");
            assert!(is_item, "CHANGELOG.md:{}: no item of {heading:?}: {line}", number + 1);
        }
    }
}

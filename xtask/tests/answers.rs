//! What the page of answers names is there.

use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/pages/answers.md";

/// The text between the backticks of a paragraph or a row of a table.
fn code(paragraph: &str) -> impl Iterator<Item = &str> {
    paragraph.split('`').skip(1).step_by(2)
}

#[test]
fn every_file_and_test_that_the_answers_name_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join(PAGE)).unwrap();
    let mut tests = 0;
    // A paragraph or a row is a unit: its tests are in its files.
    let rows = page.split("\n\n").flat_map(|block| match block.starts_with('|') {
        true => block.lines().collect(),
        false => vec![block],
    });
    for row in rows {
        let is_path = |name: &&str| name.contains('/') && !name.contains(' ');
        let paths: Vec<_> = code(row).filter(is_path).map(|name| root.join(name)).collect();
        for path in &paths {
            assert!(path.exists(), "{PAGE}: {} is not there", path.display());
        }
        // A test's name is a sentence, and longer than any other name.
        let is_test = |name: &&str| name.matches('_').count() > 3 && !name.contains(['/', ' ', '(']);
        for name in code(row).filter(is_test) {
            let has_it = |path: &&PathBuf| {
                let text = fs::read_to_string(path).unwrap_or_default();
                text.contains(&format!("fn {name}(")) || text.contains(&format!("fn {name}<"))
            };
            assert!(
                paths.iter().any(|path| has_it(&path)),
                "{PAGE}: no file beside it has the test {name}"
            );
            tests += 1;
        }
    }
    assert!(tests > 20);
}

/// The names between two marks that follow a word, or its plural.
fn after<'p>(page: &'p str, word: &str, mark: char) -> impl Iterator<Item = &'p str> {
    let rests = page.split(word).skip(1);
    rests.filter_map(move |rest| {
        rest.trim_start_matches('s')
            .strip_prefix([' ', '\n'])?
            .trim_start_matches('[')
            .strip_prefix(mark)?
            .split(mark)
            .next()
    })
}

#[test]
fn every_figure_and_window_that_the_answers_name_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join(PAGE)).unwrap();
    let named = |word, mark, folder: &str, end: &str| {
        let names: Vec<_> = after(&page, word, mark).map(|name| name.replace(' ', "_")).collect();
        for name in &names {
            let file = root.join(folder).join(format!("{name}.{end}"));
            assert!(file.exists(), "{PAGE}: {} is not there", file.display());
        }
        names.len()
    };
    assert!(named("figure", '*', "lab/page/src/figures", "ts") > 10);
    assert!(named("window", '`', "examples/native/src/bin", "rs") > 5);
}

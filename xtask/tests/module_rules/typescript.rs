//! The modules of the page, and the imports between them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::graph::Graph;

/// The imports of TypeScript files, including types and workers.
pub(crate) fn imports(files: &[PathBuf]) -> Graph {
    let of = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let named = named(&text).filter_map(|name| find(file, name)).collect();
        (file.clone(), named)
    };
    files.iter().map(of).collect()
}

/// The names of files in a text: quoted strings that begin with a dot, in lines that are not comments.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let quoted = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    quoted.filter(|name| name.starts_with("./") || name.starts_with("../"))
}

/// The file that a name in another file refers to; `None` if it is not a module.
fn find(from: &Path, name: &str) -> Option<PathBuf> {
    let mut path = from.parent()?.to_owned();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => _ = path.pop(),
            part => path.push(part),
        }
    }
    let with_ending = PathBuf::from(format!("{}.ts", path.display()));
    let of_script = path.with_extension("ts");
    [path, with_ending, of_script].into_iter().find(|path| path.is_file())
}

#[test]
fn the_page_imports_by_names_with_and_without_endings() {
    let text =
        "import { a } from \"./a\";\n// import \"./no\"\nnew URL(\"../b.ts\", import.meta.url);\nimport \"vite\";\n";
    assert_eq!(named(text).collect::<BTreeSet<_>>(), BTreeSet::from(["./a", "../b.ts"]));
}

//! How the whole tree is cut up: few names at the roots of crates, imports that lead one way, and no file that is too long.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

mod graph;
mod rust;
mod tokens;
mod typescript;

use graph::{Graph, circles};

/// A file that is longer has a second noun inside.
const MOST_LINES: usize = 400;

/// Folders with source files of ours.
const FOLDERS: &[&str] = &["crates", "examples", "xtask", "benches", "fuzz", "web/src", "web/tests"];

fn tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// All files of ours with one of these endings.
fn sources(endings: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&tree().join(folder), endings, &mut files);
    }
    assert!(files.len() > 20, "only {} files", files.len());
    files.sort();
    files
}

fn collect(folder: &Path, endings: &[&str], files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_ours =
            |name: &str| !name.starts_with('.') && !["target", "node_modules", "dist", "wasm"].contains(&name);
        if path.is_dir() {
            if path.file_name().and_then(|name| name.to_str()).is_some_and(is_ours) {
                collect(&path, endings, files);
            }
        } else if path
            .extension()
            .and_then(|ending| ending.to_str())
            .is_some_and(|ending| endings.contains(&ending))
        {
            files.push(path);
        }
    }
}

/// Whether a crate begins with this file.
fn is_root(file: &Path) -> bool {
    let name = |path: &Path| {
        path.file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default()
            .to_owned()
    };
    let folders: Vec<String> = file.ancestors().skip(1).take(2).map(name).collect();
    let is_target = |folder: &str| ["tests", "examples", "benches", "fuzz_targets", "bin"].contains(&folder);
    match name(file).as_str() {
        "lib.rs" => folders[0] == "src",
        "build.rs" => file.with_file_name("Cargo.toml").exists(),
        "main.rs" => ["src", "counted"].contains(&folders[0].as_str()) || is_target(&folders[1]),
        _ => is_target(&folders[0]),
    }
}

fn assert_one_way(graph: Graph) {
    let circles = circles(graph);
    let lines = circles
        .iter()
        .flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
    let lines = lines.map(|(from, to)| format!("{} imports {}", within(from), within(to)));
    assert!(circles.is_empty(), "{}", lines.collect::<Vec<_>>().join("\n"));
}

/// The path of a file within the tree.
fn within(file: &Path) -> String {
    file.strip_prefix(tree()).unwrap_or(file).display().to_string()
}

#[test]
fn no_rust_file_imports_one_that_imports_it() {
    let files = sources(&["rs"]);
    let mut graph = Graph::new();
    for root in files.iter().filter(|file| is_root(file)) {
        for (file, imports) in rust::imports(root) {
            graph.entry(file).or_default().extend(imports);
        }
    }
    let is_for_tests = |file: &PathBuf| ["tests.rs", "thread/model.rs"].iter().any(|name| file.ends_with(name));
    let is_missing = |file: &&PathBuf| !graph.contains_key(*file) && !is_for_tests(file);
    let missing: Vec<_> = files.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "no crate has {missing:#?}");
    assert_one_way(graph);
}

#[test]
fn no_module_of_the_page_imports_one_that_imports_it() {
    let graph = typescript::imports(&sources(&["ts"]));
    assert!(graph.values().map(BTreeSet::len).sum::<usize>() > 20, "{graph:#?}");
    assert_one_way(graph);
}

#[test]
fn no_file_is_longer_than_400_lines() {
    let lines = |file: &PathBuf| fs::read_to_string(file).unwrap().lines().count();
    let files = sources(&["rs", "ts", "mjs", "wgsl"]);
    let long = files.iter().map(|file| (within(file), lines(file)));
    let long = long.filter(|(_, lines)| *lines > MOST_LINES);
    let long: Vec<_> = long.collect();
    assert!(long.is_empty(), "{long:#?}");
}

/// Games to copy from are read as a whole.
#[test]
fn each_game_in_a_window_is_one_file_of_at_most_200_lines_and_the_smallest_one_of_40() {
    let folder = tree().join("examples/native/src/bin");
    let mut lines = BTreeMap::new();
    for program in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        let mut files = Vec::new();
        if program.is_dir() {
            collect(&program, &["rs"], &mut files);
        } else {
            files.push(program.clone());
        }
        let [file] = files.as_slice() else { panic!("{files:#?}") };
        let name = program.file_stem().unwrap().to_string_lossy().into_owned();
        lines.insert(name, fs::read_to_string(file).unwrap().lines().count());
    }
    assert!(
        ["arena", "falling_blocks", "hockey", "window"].iter().eq(lines.keys()),
        "{lines:#?}"
    );
    assert!(
        lines["window"] <= 40 && lines.values().all(|lines| *lines <= 200),
        "{lines:#?}"
    );
}

/// The names that a file re-exports, each once whatever its features. Whole crates are no names of ours.
fn public_names(text: &str) -> BTreeSet<String> {
    let uses = text
        .split("\npub use ")
        .skip(1)
        .filter_map(|rest| rest.split(';').next());
    let names = uses.filter(|path| !path.starts_with("::")).flat_map(|path| {
        let list = path.split_once('{').map_or_else(
            || path.rsplit("::").next().unwrap_or(path),
            |(_, list)| list.trim_end_matches('}'),
        );
        list.split(',')
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
    });
    names.collect()
}

#[test]
fn few_names_stand_at_the_root_of_a_crate() {
    for (name, most) in [("evenstep", 24), ("evenstep-physics", 20), ("evenstep-trace", 20)] {
        let root = fs::read_to_string(tree().join("crates").join(name).join("src/lib.rs")).unwrap();
        let names = public_names(&root);
        assert!(
            (5..=most).contains(&names.len()),
            "{} names in {name}: {names:?}",
            names.len()
        );
    }
}

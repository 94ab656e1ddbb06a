//! The rules between modules and packages: imports have no cycles, and no package that users depend on depends on the lab.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

mod graph;
mod rust;
mod tokens;
mod typescript;

use graph::{Graph, circles};

/// The folders with our source files.
const FOLDERS: &[&str] = &[
    "crates",
    "integrations",
    "bindings",
    "tools",
    "lab",
    "examples",
    "xtask",
    "benches",
    "fuzz",
];

fn tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// All our source files with one of these extensions.
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

/// The folders of packages that users depend on.
const TIERS: [&str; 4] = ["crates", "integrations", "bindings", "tools"];

/// The manifests of the packages in a folder.
fn manifests(tier: &str) -> Vec<PathBuf> {
    let folders = fs::read_dir(tree().join(tier)).unwrap();
    let manifests = folders.map(|folder| folder.unwrap().path().join("Cargo.toml"));
    manifests.filter(|manifest| manifest.exists()).collect()
}

/// Whether this file is the root of a crate.
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
        "main.rs" => ["src", "instruction_count"].contains(&folders[0].as_str()) || is_target(&folders[1]),
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

/// Packages of the lab that all tests may use: random worlds and networks with a known truth. They do not depend on scenes
/// or engines, and users do not compile dev-dependencies.
const FOR_TESTS: &[&str] = &["evenstep-evaluation", "simulated-network"];

#[test]
fn nothing_that_users_depend_on_depends_on_the_lab() {
    let package = |manifest: &Path| {
        let text = fs::read_to_string(manifest).unwrap();
        let name = text.lines().find_map(|line| line.strip_prefix("name = \""));
        name.unwrap().trim_end_matches('"').to_owned()
    };
    let lab: BTreeSet<String> = manifests("lab").iter().map(|manifest| package(manifest)).collect();
    assert!(lab.len() > 2, "{lab:?}");
    assert!(FOR_TESTS.iter().all(|name| lab.contains(*name)), "{lab:?}");
    for tier in TIERS {
        for manifest in manifests(tier) {
            let text = fs::read_to_string(&manifest).unwrap();
            let mut table = "";
            for line in text.lines() {
                if line.starts_with('[') {
                    table = line;
                }
                let Some(name) = line.split([' ', '.', '=']).next().filter(|name| lab.contains(*name)) else {
                    continue;
                };
                let is_for_tests = table.ends_with("dev-dependencies]") && FOR_TESTS.contains(&name);
                assert!(is_for_tests, "{} depends on {name}", within(&manifest));
            }
        }
    }
}

#[test]
fn every_file_of_tests_is_part_of_a_test_program() {
    let listed = |manifest: &PathBuf| fs::read_to_string(manifest).unwrap().contains("autotests = false");
    let listed: Vec<PathBuf> = TIERS.iter().flat_map(|tier| manifests(tier)).filter(listed).collect();
    assert!(!listed.is_empty());
    for manifest in listed {
        let mut files = Vec::new();
        collect(&manifest.with_file_name("tests"), &["rs"], &mut files);
        files.retain(|file| is_root(file));
        let programs: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
        let targets = fs::read_to_string(&manifest).unwrap();
        for file in files {
            // A program with several files has the name of its folder.
            let is_folder = file.ends_with("main.rs");
            let named = if is_folder { file.parent().unwrap() } else { &file };
            let name = named.file_stem().unwrap().to_str().unwrap();
            let is_part = programs.contains(&format!("\nmod {name};\n"));
            let is_target = targets.contains(&format!("name = \"{name}\""));
            assert!(is_part || is_target, "no program has {}", within(&file));
        }
    }
}

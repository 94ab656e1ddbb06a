//! The rules between files and packages: imports have no cycles, no package that users depend on depends on the lab, and every file of
//! tests runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use syn::{Item, UseTree};

/// The folders of packages that users depend on.
const TIERS: [&str; 4] = ["crates", "integrations", "bindings", "tools"];

/// Packages of the lab that all tests may use: recordings and networks with a known truth. They do not depend on scenes or engines,
/// and users do not compile dev-dependencies.
const FOR_TESTS: [&str; 2] = ["evenstep-evaluation", "simulated-network"];

/// The files of our source code that git tracks and whose names match a pattern.
fn sources(pattern: &str) -> Vec<PathBuf> {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", pattern])
        .current_dir(&tree)
        .output()
        .unwrap();
    let names = String::from_utf8(listed.stdout).unwrap();
    names
        .lines()
        .map(|name| tree.join(name))
        .filter(|file| file.exists())
        .collect()
}

/// What Cargo says of the workspace's packages.
fn metadata() -> Value {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let metadata = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version=1"])
        .current_dir(tree)
        .output()
        .unwrap();
    serde_json::from_slice(&metadata.stdout).unwrap()
}

/// The packages that are published, by their names.
fn published(metadata: &Value) -> BTreeMap<&str, &Value> {
    let packages = metadata["packages"].as_array().unwrap();
    let published = packages.iter().filter(|package| package["publish"].is_null());
    let published: BTreeMap<_, _> = published
        .map(|package| (package["name"].as_str().unwrap(), package))
        .collect();
    assert!(published.contains_key("evenstep-cli") && !published.contains_key("evenstep-net"));
    published
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

type Names = Vec<String>;

/// The `use` items of a module, as the path of each name.
fn imports(items: &[Item]) -> BTreeMap<String, Names> {
    fn flatten(tree: &UseTree, mut prefix: Names, into: &mut BTreeMap<String, Names>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                flatten(&path.tree, prefix, into);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, prefix.clone(), into)),
            UseTree::Name(name) if name.ident == "self" => _ = into.insert(prefix.last().unwrap().clone(), prefix),
            UseTree::Name(name) => {
                prefix.push(name.ident.to_string());
                into.insert(name.ident.to_string(), prefix);
            }
            UseTree::Rename(rename) => {
                prefix.push(rename.ident.to_string());
                into.insert(rename.rename.to_string(), prefix);
            }
            UseTree::Glob(_) => _ = into.insert(format!("{}::*", prefix.join("::")), prefix),
        }
    }
    let mut names = BTreeMap::new();
    for item in items {
        if let Item::Use(item) = item {
            flatten(&item.tree, Names::new(), &mut names);
        }
    }
    names
}

/// The modules of a crate by their paths, each with its imports.
type Modules = BTreeMap<Names, BTreeMap<String, Names>>;

/// The module that defines the item of a path in a module; `None` if it is in another crate.
fn resolve(modules: &Modules, from: &Names, path: &[String], depth: usize) -> Option<Names> {
    let (first, rest) = path.split_first()?;
    let mut at = match first.as_str() {
        "crate" => Names::new(),
        "self" => from.clone(),
        "super" => from.split_last()?.1.to_vec(),
        child => [from.clone(), vec![child.to_owned()]].concat(),
    };
    let _ = modules.get(&at)?;
    for name in rest {
        let child = [at.clone(), vec![name.clone()]].concat();
        if name == "super" {
            at.pop();
        } else if modules.contains_key(&child) {
            at = child;
        } else {
            // Not a module: an item of this one, or a name that it re-exports.
            let exported = modules[&at].get(name).filter(|_| depth < 8);
            return exported.map_or(Some(at.clone()), |path| {
                resolve(modules, &at, path, depth + 1).or(Some(at.clone()))
            });
        }
    }
    Some(at)
}

/// The modules that each module imports from.
fn graph(modules: &Modules) -> BTreeMap<Names, BTreeSet<Names>> {
    let imported = |(from, names): (&Names, &BTreeMap<String, Names>)| {
        let to = names.values().filter_map(|path| resolve(modules, from, path, 0));
        (from.clone(), to.collect())
    };
    modules.iter().map(imported).collect()
}

/// Removes the files that lie on no cycle.
fn cycles<T: Ord + Clone>(mut graph: BTreeMap<T, BTreeSet<T>>) -> BTreeMap<T, BTreeSet<T>> {
    graph.iter_mut().for_each(|(file, to)| _ = to.remove(file));
    loop {
        let (before, imported) = (graph.len(), graph.values().flatten().cloned().collect::<BTreeSet<T>>());
        graph.retain(|file, to| !to.is_empty() && imported.contains(file));
        let left: BTreeSet<T> = graph.keys().cloned().collect();
        graph.values_mut().for_each(|to| to.retain(|file| left.contains(file)));
        if graph.len() == before {
            return graph;
        }
    }
}

#[test]
fn no_rust_file_imports_one_that_imports_it() {
    let files = sources("*.rs");
    let roots: Vec<&PathBuf> = files
        .iter()
        .filter(|file| file.ends_with("src/lib.rs") || file.ends_with("src/main.rs"))
        .collect();
    assert!(roots.len() > 10, "only {} crates", roots.len());
    for root in roots {
        let source = root.parent().unwrap();
        let mut modules = Modules::new();
        for file in files.iter().filter(|file| file.starts_with(source)) {
            let within = file.strip_prefix(source).unwrap().with_extension("");
            let mut path: Names = within.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
            let is_root = path.last().is_some_and(|name| name == "lib" || name == "main");
            if is_root {
                path.pop();
            }
            let text = syn::parse_file(&read(file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            modules.entry(path).or_default().extend(imports(&text.items));
        }
        let cycles = cycles(graph(&modules));
        assert!(
            cycles.is_empty(),
            "{}: modules import each other: {cycles:#?}",
            source.display()
        );
    }
}

#[test]
fn a_cycle_through_a_re_export_is_found() {
    let module = |path: &str, uses: &str| {
        let names = path
            .split("::")
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        (names, imports(&syn::parse_file(uses).unwrap().items))
    };
    let modules = |table: &str| {
        Modules::from([
            module("", "pub use room::{Chair, table::{self as desk, Table}};"),
            module("room", "pub use chair::Chair;"),
            module("room::chair", "use super::table::Table;"),
            module("room::table", table),
        ])
    };
    let found = |modules: Modules| {
        let cycles = cycles(graph(&modules));
        cycles.into_keys().map(|path| path.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(found(modules("use std::fmt;")), [""; 0].map(str::to_owned));
    assert_eq!(found(modules("use crate::Chair;")), ["room::chair", "room::table"]);
}

#[test]
fn no_typescript_file_imports_one_that_imports_it() {
    let mut graph = BTreeMap::new();
    for file in sources("*.ts") {
        let text = read(&file);
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let quoted = lines
            .flat_map(|line| line.split('"').skip(1).step_by(2))
            .filter(|name| name.starts_with('.'));
        let found = quoted.filter_map(|name| {
            let path = file.parent().unwrap().join(name);
            let paths = [
                path.clone(),
                PathBuf::from(format!("{}.ts", path.display())),
                path.with_extension("ts"),
            ];
            paths
                .iter()
                .find_map(|path| path.canonicalize().ok().filter(|path| path.is_file()))
        });
        let found: BTreeSet<PathBuf> = found.collect();
        graph.insert(file.canonicalize().unwrap(), found);
    }
    assert!(graph.values().map(BTreeSet::len).sum::<usize>() > 20, "{graph:#?}");
    let cycles = cycles(graph);
    assert!(cycles.is_empty(), "files import each other: {cycles:#?}");
}

#[test]
fn nothing_that_users_depend_on_depends_on_the_lab() {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let of = |tiers: &[&str]| {
        let folder = |package: &&Value| PathBuf::from(package["manifest_path"].as_str().unwrap());
        let is_in = |package: &&Value| tiers.iter().any(|tier| folder(package).starts_with(tree.join(tier)));
        packages.iter().filter(is_in).collect::<Vec<_>>()
    };
    let name = |package: &Value| package["name"].as_str().unwrap().to_owned();
    let lab: BTreeSet<String> = of(&["lab"]).into_iter().map(name).collect();
    assert!(FOR_TESTS.iter().all(|name| lab.contains(*name)), "{lab:?}");
    for package in of(&TIERS) {
        for dependency in package["dependencies"].as_array().unwrap() {
            let dependency_name = name(dependency);
            let is_allowed = dependency["kind"] == "dev" && FOR_TESTS.contains(&dependency_name.as_str());
            assert!(
                is_allowed || !lab.contains(&dependency_name),
                "{} depends on {dependency_name}",
                name(package)
            );
        }
    }
}

#[test]
fn no_published_package_depends_on_one_that_is_not() {
    let metadata = metadata();
    let published = published(&metadata);
    for (name, package) in &published {
        let needed = package["dependencies"].as_array().unwrap().iter();
        // A development dependency without a version is left out of the packed crate.
        let needed = needed.filter(|of| of["path"].is_string() && (of["kind"] != "dev" || of["req"] != "*"));
        for needed in needed.map(|needed| needed["name"].as_str().unwrap()) {
            assert!(
                published.contains_key(needed),
                "{name} is published and depends on {needed}, which is not: publish it, or move what {name} needs"
            );
        }
    }
}

#[test]
fn a_published_package_does_not_ask_for_the_newest_patch_of_what_it_needs() {
    // Cargo keeps the versions of a game's lock file: with an older patch there, adding the package fails until `cargo update`.
    for (name, package) in published(&metadata()) {
        let needed = package["dependencies"].as_array().unwrap().iter();
        for needed in needed.filter(|of| of["source"].is_string() && of["kind"] != "dev") {
            let (needed, version) = (&needed["name"], needed["req"].as_str().unwrap());
            let patch = version.split('.').nth(2).unwrap_or("0");
            assert_eq!(
                patch, "0",
                "{name} asks for {needed} {version}: does no earlier patch do?"
            );
        }
    }
}

#[test]
fn every_file_of_tests_is_part_of_a_test_program() {
    for manifest in sources("*Cargo.toml")
        .iter()
        .filter(|manifest| read(manifest).contains("autotests = false"))
    {
        let folder = manifest.with_file_name("tests");
        let files = || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let programs: String = files().filter(|file| file.is_file()).map(|file| read(&file)).collect();
        for file in files() {
            let name = file.file_stem().unwrap().to_str().unwrap();
            let is_program = file.is_file() || file.join("main.rs").exists();
            let is_named =
                programs.contains(&format!("\nmod {name};")) || read(manifest).contains(&format!("name = \"{name}\""));
            assert!(!is_program || is_named, "no test program has {}", file.display());
        }
    }
}

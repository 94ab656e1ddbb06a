//! The files of a Rust crate, and their imports from each other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::graph::Graph;
use crate::tokens::tokens;

/// A module with a file of its own.
#[derive(Default)]
struct Module {
    file: PathBuf,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// The names that it imports or re-exports, with their paths.
    names: BTreeMap<String, Vec<String>>,
    /// All paths in its code.
    paths: Vec<Vec<String>>,
}

/// The modules of a crate, its root first.
struct Crate(Vec<Module>);

/// The imports between the files of a crate, from its root file on.
pub(crate) fn imports(root: &Path) -> Graph {
    let mut modules = Crate(Vec::new());
    modules.read(root.to_owned(), None);
    let mut graph = Graph::new();
    for (index, module) in modules.0.iter().enumerate() {
        let files = module.paths.iter().filter_map(|path| modules.resolve(index, path, 0));
        let files = files.map(|at| modules.0[at].file.clone());
        graph.entry(module.file.clone()).or_default().extend(files);
    }
    graph
}

impl Crate {
    fn read(&mut self, file: PathBuf, parent: Option<usize>) -> usize {
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let tokens = tokens(&text);
        let index = self.0.len();
        self.0.push(Module {
            file: file.clone(),
            parent,
            ..Module::default()
        });
        for (name, path) in declared(&tokens) {
            let child = match path {
                Some(path) => Some(file.with_file_name(path)),
                None => child_file(&file, name, parent.is_none()),
            };
            // Other modules are inline or do not exist.
            if let Some(child) = child {
                let child = self.read(child, Some(index));
                self.0[index].children.insert(name.to_owned(), child);
            }
        }
        let (names, paths) = named(&tokens);
        (self.0[index].names, self.0[index].paths) = (names, paths);
        index
    }

    /// The module that defines the item of a path in a module; `None` if it is in another crate.
    fn resolve(&self, from: usize, path: &[String], depth: usize) -> Option<usize> {
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => 0,
            "self" => from,
            "super" => self.0[from].parent?,
            name => *self.0[from].children.get(name)?,
        };
        while let Some((name, after)) = rest.split_first() {
            if name == "super" {
                at = self.0[at].parent?;
            } else if name == "self" {
                // `self` stays in the same file: it occurs in paths of inline modules.
            } else if let Some(child) = self.0[at].children.get(name) {
                at = *child;
            } else if let Some(path) = self.0[at].names.get(name).filter(|_| depth < 8) {
                return self.resolve(at, path, depth + 1);
            } else {
                return Some(at);
            }
            rest = after;
        }
        Some(at)
    }
}

/// The file of the module `name` that a file declares.
fn child_file(file: &Path, name: &str, is_root: bool) -> Option<PathBuf> {
    let folder = if is_root || file.ends_with("mod.rs") {
        file.parent()?.to_owned()
    } else {
        file.with_extension("")
    };
    let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
    files.into_iter().find(|file| file.exists())
}

/// The modules that a text declares, with the paths of their attributes.
fn declared<'a>(tokens: &[&'a str]) -> Vec<(&'a str, Option<&'a str>)> {
    let found = tokens
        .windows(3)
        .enumerate()
        .filter(|(_, at)| at[0] == "mod" && at[2] == ";");
    found
        .map(|(at, module)| (module[1], path_attribute(&tokens[..at])))
        .collect()
}

/// The path of `#[path = "…"]` directly before a module that is declared after these tokens.
fn path_attribute<'a>(before: &[&'a str]) -> Option<&'a str> {
    let is_visibility = |token: &&str| matches!(*token, "pub" | "(" | "crate" | "super" | ")");
    let end = before.iter().rposition(|token| !is_visibility(token))?;
    match before[..=end] {
        [.., "path", "=", path, "]"] => Some(path.trim_matches('"')),
        _ => None,
    }
}

/// The names of the `use` items of a text, and all its paths.
fn named(tokens: &[&str]) -> (BTreeMap<String, Vec<String>>, Vec<Vec<String>>) {
    let (mut names, mut paths) = (BTreeMap::new(), Vec::new());
    // Whether each open brace is that of a module.
    let mut braces = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let within = braces.iter().filter(|is_module| **is_module).count();
        match tokens[at] {
            "{" => braces.push(at > 1 && tokens[at - 2] == "mod"),
            "}" => _ = braces.pop(),
            "use" if tokens.get(at + 1).is_some_and(|next| *next != "<") => {
                at = tree(tokens, at + 1, &[], &mut |name, path| {
                    let path = from_file(path, within);
                    paths.push(path.clone());
                    names.insert(name, path);
                });
            }
            first if tokens.get(at + 1) == Some(&"::") => {
                let mut path = vec![first.to_owned()];
                while tokens.get(at + 1) == Some(&"::") {
                    path.extend(tokens.get(at + 2).map(|&name| name.to_owned()));
                    at += 2;
                }
                paths.push(from_file(path, within));
            }
            _ => {}
        }
        at += 1;
    }
    (names, paths)
}

/// Makes a path relative to the file. It was written within a number of nested inline modules.
fn from_file(mut path: Vec<String>, within: usize) -> Vec<String> {
    let up = path.iter().take_while(|name| *name == "super").count();
    for name in path.iter_mut().take(up.min(within)) {
        "self".clone_into(name);
    }
    path
}

/// Reads a tree of imports that begins at a token and follows a prefix. Returns the index of its end.
fn tree(tokens: &[&str], mut at: usize, prefix: &[String], take: &mut impl FnMut(String, Vec<String>)) -> usize {
    let mut path = prefix.to_vec();
    while let Some(&token) = tokens.get(at) {
        match token {
            "{" => {
                while tokens.get(at).is_some_and(|token| *token != "}") {
                    at = tree(tokens, at + 1, &path, take);
                }
                return at + 1;
            }
            "::" => {}
            "as" => {
                let name = tokens.get(at + 1).copied().unwrap_or_default();
                take(name.to_owned(), without_self(path));
                return at + 2;
            }
            "," | ";" | "}" => {
                if path.len() > prefix.len() {
                    let path = without_self(path);
                    take(path.last().cloned().unwrap_or_default(), path);
                }
                return at;
            }
            name => path.push(name.to_owned()),
        }
        at += 1;
    }
    at
}

/// `a::b` for `a::b::{self}`.
fn without_self(mut path: Vec<String>) -> Vec<String> {
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    path
}

#[test]
fn an_import_leads_to_the_file_that_defines_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "lib.rs",
        "mod room;\n#[path = \"elsewhere.rs\"]\nmod other;\npub use room::{Chair, table::{self as desk, Table}};\n",
    );
    write(
        "room.rs",
        "mod chair;\npub(crate) mod table;\npub use chair::Chair;\npub struct Lamp;\n",
    );
    write(
        "room/chair.rs",
        "use super::table::Table;\n\n#[cfg(test)]\nmod tests {\n    use crate::other;\n}\n",
    );
    write("room/table.rs", "use std::fmt; // crate::other\n");
    write(
        "elsewhere.rs",
        "use crate::{Chair, desk::Table};\nfn lamp() -> crate::room::Lamp { \"crate::no\" }\n",
    );
    let graph = imports(&folder.path().join("lib.rs"));
    let file = |path: &Path| path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned();
    let edges: Vec<_> = graph
        .iter()
        .flat_map(|(from, to)| to.iter().map(|to| (file(from), file(to))))
        .collect();
    let edges: Vec<_> = edges.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    assert_eq!(
        edges,
        [
            ("elsewhere.rs", "room/chair.rs"),
            ("elsewhere.rs", "room/table.rs"),
            ("elsewhere.rs", "room.rs"),
            ("lib.rs", "room/chair.rs"),
            ("lib.rs", "room/table.rs"),
            ("room/chair.rs", "room/table.rs"),
            ("room.rs", "room/chair.rs"),
        ]
    );
}

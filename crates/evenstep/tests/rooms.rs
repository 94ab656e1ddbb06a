//! How the crate is cut up: few names at the root, and rooms that lead one way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The names that a file re-exports, each once whatever its features.
fn public_names(text: &str) -> BTreeSet<String> {
    let uses = text
        .split("\npub use ")
        .skip(1)
        .filter_map(|rest| rest.split(';').next());
    let names = uses.flat_map(|path| {
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

/// The rooms that a room's files import: `use crate::ROOM…`, or a path in the code.
fn imports(path: &Path, into: &mut BTreeSet<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            imports(&entry.unwrap().path(), into);
        }
        return;
    }
    let text = fs::read_to_string(path).unwrap();
    // What tests use leads nowhere.
    let code = text.split("#[cfg(test)]").next().unwrap();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for rest in line.split("crate::").skip(1) {
            let name: String = rest
                .chars()
                .take_while(|char| char.is_alphanumeric() || *char == '_')
                .collect();
            assert!(
                name.chars().next().is_some_and(char::is_lowercase),
                "{} imports {name:?} from the root, not from its room",
                path.display()
            );
            into.insert(name);
        }
    }
}

#[test]
fn at_most_24_names_stand_at_the_root() {
    let names = public_names(&fs::read_to_string(source().join("lib.rs")).unwrap());
    assert!((10..=24).contains(&names.len()), "{} names: {names:?}", names.len());
}

#[test]
fn no_room_imports_one_that_imports_it() {
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in fs::read_dir(source()).unwrap() {
        let path = entry.unwrap().path();
        let room = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if room != "lib" {
            imports(&path, rooms.entry(room).or_default());
        }
    }
    assert!(
        rooms.len() > 8 && rooms.values().any(|imports| imports.len() > 1),
        "{rooms:?}"
    );
    for (room, imports) in &mut rooms {
        imports.remove(room);
    }
    // Take away what imports nothing that is left, until nothing is.
    while !rooms.is_empty() {
        let free: Vec<_> = rooms
            .iter()
            .filter(|(_, imports)| imports.is_empty())
            .map(|(room, _)| room.clone())
            .collect();
        assert!(!free.is_empty(), "these import each other: {rooms:?}");
        for room in &free {
            rooms.remove(room);
            for imports in rooms.values_mut() {
                imports.remove(room);
            }
        }
    }
}

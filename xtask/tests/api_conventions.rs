//! Checks conventions of the whole public API in its stored text: each setting can be set in two ways, and all types implement `Debug`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const CRATES: [&str; 3] = ["evenstep", "evenstep-physics", "evenstep-trace"];

/// Settings of objects that already run or that the program does not build itself, which therefore have no `with_`.
const LIVE: [&str; 9] = [
    "GameLoop",
    "SimRemote",
    "SimThread",
    "SavedStates",
    "World",
    "Engine",
    "Box2d",
    "Rapier2d",
    "Rapier3d",
];

/// Methods named `with_` that are not settings: they build from another value, or switch on something permanently.
const BUILDERS: [&str; 5] = [
    "with_input",
    "with_lookahead",
    "with_length_unit",
    "with_hooks",
    "with_pose",
];

fn stored(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../stored/api/{name}.txt"));
    fs::read_to_string(file).unwrap()
}

/// The type, the name and the arguments except `self` of a method.
fn method(line: &str) -> Option<(&str, &str, &str)> {
    let (head, rest) = line.split_once("fn ")?.1.split_once('(')?;
    let (path, name) = head
        .split('<')
        .next()?
        .rsplit_once("::")
        .or_else(|| head.rsplit_once("::"))?;
    let of = path.rsplit("::").next()?;
    let arguments = rest.rsplit_once(')').map_or(rest, |(arguments, _)| arguments);
    let arguments = arguments.split(") ->").next()?.split_once(", ")?.1;
    Some((of, name, arguments))
}

#[test]
fn every_setting_is_set_and_built_with_the_same_arguments() {
    for name in CRATES {
        let text = stored(name);
        // `Poses<S>::set_range(…)` has its type's parameters before the name.
        let text = text.replace("<N>", "").replace("<WINDOW>", "");
        let mut setters = BTreeMap::new();
        let mut builders = BTreeMap::new();
        for line in text.lines().filter(|line| line.starts_with("pub ")) {
            let Some((of, name, arguments)) = method(line) else {
                continue;
            };
            if line.contains("(&mut self") && name.starts_with("set_") {
                setters.insert((of, name.trim_start_matches("set_")), arguments);
            } else if line.contains("(self") && name.starts_with("with_") && !BUILDERS.contains(&name) {
                builders.insert((of, name.trim_start_matches("with_")), arguments);
            }
        }
        assert!(name != "evenstep" || setters.len() > 10, "{setters:?}");
        for (setting, arguments) in &setters {
            if LIVE.contains(&setting.0) || ["all", "range"].contains(&setting.1) {
                continue;
            }
            assert_eq!(
                builders.get(setting),
                Some(arguments),
                "{name}: {setting:?} has no `with_` like its `set_`"
            );
        }
        for (setting, arguments) in &builders {
            let is_field = text
                .lines()
                .any(|line| line.contains(&format!("::{}::{}: ", setting.0, setting.1)));
            let is_like = setters.get(setting) == Some(arguments);
            assert!(
                is_field || is_like || name != "evenstep",
                "{name}: {setting:?} has no `set_` like its `with_`"
            );
        }
    }
}

#[test]
fn every_public_type_can_be_printed() {
    for name in CRATES {
        let text = stored(name);
        let debug: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split_once("core::fmt::Debug for "))
            .filter_map(|(_, of)| of.split(['<', ' ']).next()?.rsplit("::").next())
            .collect();
        assert!(debug.len() > 20);
        for line in text.lines() {
            let line = line.trim_start_matches("#[non_exhaustive] ");
            let declared = line
                .strip_prefix("pub struct ")
                .or_else(|| line.strip_prefix("pub enum "));
            let Some(path) = declared.and_then(|rest| rest.split(['<', '(', ' ']).next()) else {
                continue;
            };
            let of = path.rsplit("::").next().unwrap();
            // Rapier's type has two names.
            assert!(debug.contains(&of) || of.starts_with("Rapier"), "{path} has no Debug");
        }
    }
}

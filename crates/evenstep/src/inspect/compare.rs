//! The values in which two dumps differ.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::inspect::dump::{Dump, DumpLine};
use crate::inspect::path;
use crate::time::Tick;

/// As many differences are written; of more, only the number.
const MAX_LINES: usize = 32;

/// The values in which two states of the same tick differ.
///
/// `Display` writes a line for each of the first 32: the tick, the path, and the value on either side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Desync {
    /// The tick of the first dump.
    pub tick: Tick,
    /// At least one, in the order of the state; values that only the second dump has come last.
    pub differences: Vec<Difference>,
}

/// A value that is not the same on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// Where it is, such as `players[2].weapon.cooldown`.
    pub path: String,
    /// Its text in the first dump; none if the first has nothing at this path.
    pub here: Option<String>,
    /// Its text in the second dump, likewise.
    pub there: Option<String>,
}

impl Dump {
    /// Where this dump and another one differ; none if all values are bit-identical.
    ///
    /// A value that only one of them has is named once, without its parts. Where the variants of an enum differ, their fields are not
    /// compared. Dumps of different ticks differ in `tick`.
    #[must_use]
    pub fn compare(&self, there: &Self) -> Option<Desync> {
        let mut differences = Differences::default();
        let tick = (self.tick.to_string(), there.tick.to_string());
        if tick.0 != tick.1 {
            differences.add("tick", Some(&tick.0), Some(&tick.1));
        }
        let both = || self.lines.iter().zip(&there.lines);
        if self.lines.len() == there.lines.len() && both().all(|(here, there)| here.path == there.path) {
            for (here, there) in both().filter(|(here, there)| here.value != there.value) {
                differences.add(&here.path, Some(&here.value), Some(&there.value));
            }
        } else {
            differences.add_unaligned(self, there);
        }
        (!differences.found.is_empty()).then_some(Desync {
            tick: self.tick,
            differences: differences.found,
        })
    }
}

/// The values of a dump by their paths, and the paths of all that they lie in.
struct Index<'a> {
    values: BTreeMap<&'a str, &'a str>,
    paths: BTreeSet<&'a str>,
}

impl<'a> Index<'a> {
    fn new(dump: &'a Dump) -> Self {
        Self {
            values: dump.values().collect(),
            paths: dump.values().flat_map(|(path, _)| path::prefixes(path)).collect(),
        }
    }

    /// The shallowest missing ancestor of a line, and its text.
    fn missing<'l>(&self, line: &'l DumpLine) -> (&'l str, &'l str) {
        match path::prefixes(&line.path).find(|path| !self.paths.contains(path)) {
            Some(path) if path != line.path => (path, "present"),
            _ => (&line.path, &line.value),
        }
    }
}

#[derive(Default)]
struct Differences<'a> {
    found: Vec<Difference>,
    paths: BTreeSet<&'a str>,
}

impl<'a> Differences<'a> {
    /// Compares by path: one side has values that the other has not.
    fn add_unaligned(&mut self, here: &'a Dump, there: &'a Dump) {
        let index = Index::new(there);
        for line in &here.lines {
            match index.values.get(line.path.as_str()) {
                Some(value) if *value == line.value => {}
                Some(value) => self.add(&line.path, Some(&line.value), Some(value)),
                None => {
                    let (path, value) = index.missing(line);
                    self.add(path, Some(value), None);
                }
            }
        }
        let index = Index::new(here);
        for line in &there.lines {
            if !index.values.contains_key(line.path.as_str()) {
                let (path, value) = index.missing(line);
                self.add(path, None, Some(value));
            }
        }
    }

    /// Adds a difference, unless it lies within one that was added.
    fn add(&mut self, path: &'a str, here: Option<&str>, there: Option<&str>) {
        let is_added = |path| self.paths.contains(path);
        if is_added(path::ROOT) || path::prefixes(path).any(is_added) {
            return;
        }
        self.paths.insert(path);
        self.found.push(Difference {
            path: path.to_string(),
            here: here.map(ToString::to_string),
            there: there.map(ToString::to_string),
        });
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [here, there] = [&self.here, &self.there].map(|side| side.as_deref().unwrap_or("missing"));
        write!(f, "{}: {here} here, {there} there", self.path)
    }
}

impl fmt::Display for Desync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tick = self.tick;
        for (index, difference) in self.differences.iter().take(MAX_LINES).enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}tick {tick}: {difference}")?;
        }
        match self.differences.len().saturating_sub(MAX_LINES) {
            0 => Ok(()),
            more => write!(f, "\ntick {tick}: {more} more differ"),
        }
    }
}

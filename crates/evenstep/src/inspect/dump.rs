//! A state as lines of text, each the path of a value and the value.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use core::str::FromStr;

use crate::inspect::path;
use crate::inspect::visit::{Inspect, Leaf, Visitor};
use crate::time::Tick;

/// The beginning of the first line of a dump.
const HEADER: &str = "evenstep state dump 1, ";

/// All values of the state before a tick, each with its path, as text, to be compared with another machine's.
///
/// `Display` writes it, one line per value, and `parse` reads it. A dump takes some 60 bytes of memory a value; make one when hashes
/// differ, and not in every tick. To write more than the state, such as the inputs since the last tick on which the machines agreed,
/// dump a tuple or a struct of both.
///
/// ```
/// use evenstep::inspect::Dump;
///
/// let dump = Dump::new(7, &("Ann", [0.5_f32, -0.0]));
/// let text = "\
/// evenstep state dump 1, tick 7, 3 values
/// 0 = \"Ann\"
/// 1[0] = 0.5 (0x3F000000)
/// 1[1] = -0.0 (0x80000000)
/// ";
/// assert_eq!(dump.to_string(), text);
/// assert_eq!(text.parse(), Ok(dump));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    pub(super) tick: Tick,
    pub(super) lines: Vec<DumpLine>,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DumpLine {
    pub(super) path: String,
    pub(super) value: String,
}

impl Dump {
    /// The dump of the state before `tick`, which is the state after `tick` steps.
    #[must_use]
    pub fn new(tick: Tick, state: &(impl Inspect + ?Sized)) -> Self {
        let mut writer = Writer::default();
        state.visit(&mut writer);
        Self {
            tick,
            lines: writer.lines,
        }
    }

    /// The dump whose values are these lines, each as `Display` writes it: a part of another dump, or one that came over a network.
    ///
    /// ```
    /// use evenstep::inspect::Dump;
    ///
    /// let there = Dump::from_lines(7, ["ammo = 3"])?;
    /// let desync = Dump::from_lines(7, ["ammo = 4"])?.compare(&there).expect("they differ");
    /// assert_eq!(desync.to_string(), "tick 7: ammo: 4 here, 3 there");
    /// # Ok::<(), evenstep::inspect::DumpError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DumpError::Line`] with the number that the line would have in a file.
    pub fn from_lines<'a>(tick: Tick, lines: impl IntoIterator<Item = &'a str>) -> Result<Self, DumpError> {
        let lines = lines.into_iter().enumerate().map(|(index, line)| {
            let parts = path::split(line).filter(|_| !line.contains(['\n', '\r']));
            let (path, value) = parts.ok_or(DumpError::Line { line: index + 2 })?;
            Ok(DumpLine {
                path: path.to_owned(),
                value: value.to_owned(),
            })
        });
        let lines = lines.collect::<Result<_, _>>()?;
        Ok(Self { tick, lines })
    }

    /// Adds all values of another dump, under `path` in this one: for a state whose parts are only known at run time.
    ///
    /// ```
    /// use evenstep::inspect::Dump;
    ///
    /// let mut dump = Dump::new(7, &("Ann", 3));
    /// dump.append("items[4].Bow", &Dump::new(7, &(2, true)));
    /// let paths: Vec<_> = dump.values().map(|(path, _)| path).collect();
    /// assert_eq!(paths, ["0", "1", "items[4].Bow.0", "items[4].Bow.1"]);
    /// ```
    pub fn append(&mut self, path: &str, other: &Self) {
        self.lines.extend(other.lines.iter().map(|line| {
            let path = match line.path.as_str() {
                path::ROOT => path.to_owned(),
                inner if inner.starts_with('[') => format!("{path}{inner}"),
                inner => format!("{path}.{inner}"),
            };
            let value = line.value.clone();
            DumpLine { path, value }
        }));
    }

    /// The tick that it was made with.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// The path and the text of each value, in the order in which the state was visited.
    pub fn values(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.lines.iter().map(|line| (line.path.as_str(), line.value.as_str()))
    }
}

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}tick {}, {} values", self.tick, self.lines.len())?;
        let mut lines = self.lines.iter();
        lines.try_for_each(|DumpLine { path, value }| writeln!(f, "{path} = {value}"))
    }
}

/// Why a text is not a dump.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DumpError {
    /// The first line is not a dump's header.
    Header,
    /// A line is not `path = value`.
    Line {
        /// Its number, from 1.
        line: usize,
    },
    /// There are not as many values as the first line says.
    Values {
        /// How many the first line says.
        expected: usize,
        /// How many there are.
        found: usize,
    },
}

impl DumpError {
    /// The number of the line that is wrong, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        match self {
            Self::Header => 1,
            Self::Line { line } => *line,
            Self::Values { found, .. } => *found + 1,
        }
    }
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => write!(
                f,
                "does not begin with \"{HEADER}tick N, M values\"; give a file that a `Dump` was written to"
            ),
            Self::Line { .. } => f.write_str("is not `path = value`; write the dump again"),
            Self::Values { expected, found } => write!(
                f,
                "ends after {found} values, and the first line says {expected}; copy the whole file"
            ),
        }
    }
}

impl core::error::Error for DumpError {}

impl FromStr for Dump {
    type Err = DumpError;

    fn from_str(text: &str) -> Result<Self, DumpError> {
        let mut lines = text.lines();
        let (tick, expected) = lines.next().and_then(header).ok_or(DumpError::Header)?;
        let dump = Self::from_lines(tick, lines)?;
        match dump.lines.len() {
            found if found == expected => Ok(dump),
            found => Err(DumpError::Values { expected, found }),
        }
    }
}

/// The tick and the number of values.
fn header(line: &str) -> Option<(Tick, usize)> {
    let (tick, values) = line.strip_prefix(HEADER)?.strip_prefix("tick ")?.split_once(", ")?;
    Some((tick.parse().ok()?, values.strip_suffix(" values")?.parse().ok()?))
}

#[derive(Default)]
struct Writer {
    path: String,
    lines: Vec<DumpLine>,
}

impl Writer {
    /// Visits a value at the present path with a part more.
    fn within(&mut self, value: &(impl Inspect + ?Sized), part: impl FnOnce(&mut String)) {
        let outside = self.path.len();
        part(&mut self.path);
        value.visit(self);
        self.path.truncate(outside);
    }
}

/// Writing to a `String` cannot fail.
fn push(text: &mut String, arguments: fmt::Arguments<'_>) {
    let _ = text.write_fmt(arguments);
}

fn push_field(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

impl Visitor for Writer {
    fn leaf(&mut self, leaf: Leaf<'_>) {
        let mut path = self.path.clone();
        if let Leaf::Length(_) = leaf {
            push_field(&mut path, "len()");
        } else if path.is_empty() {
            path.push_str(path::ROOT);
        }
        let value = leaf.to_string();
        self.lines.push(DumpLine { path, value });
    }

    fn field(&mut self, name: &'static str, value: &(impl Inspect + ?Sized)) {
        self.within(value, |path| push_field(path, name));
    }

    fn element(&mut self, index: usize, value: &(impl Inspect + ?Sized)) {
        self.within(value, |path| push(path, format_args!("[{index}]")));
    }

    fn entry(&mut self, key: &(impl Inspect + ?Sized), value: &(impl Inspect + ?Sized)) {
        let mut written = Key::default();
        key.visit(&mut written);
        self.within(value, |path| push(path, format_args!("[{}]", written.0)));
    }
}

/// The values of a map's key in one line.
#[derive(Default)]
struct Key(String);

impl Visitor for Key {
    fn leaf(&mut self, leaf: Leaf<'_>) {
        let separator = if self.0.is_empty() { "" } else { ", " };
        push(&mut self.0, format_args!("{separator}{leaf}"));
    }
}

//! Which public calls of a type its machine makes: one that it never makes fails the test.
//!
//! A machine has a `static CALLS: Calls`, makes each call through [`call!`], and ends its test with
//! [`Calls::assert_complete`].

use std::collections::BTreeMap;
use std::sync::Mutex;

/// The calls that were made in a run, by name.
pub(crate) struct Calls(Mutex<BTreeMap<&'static str, u64>>);

/// Makes a call and records it in the `CALLS` of the module: `call!(timestep.advance(delta))` on a variable,
/// `call!(FixedTimestep::new(rate))` on a type.
macro_rules! call {
    ($on:ident.$method:ident($($argument:expr),* $(,)?)) => {{
        CALLS.record(stringify!($method));
        $on.$method($($argument),*)
    }};
    ($of:ident::$function:ident($($argument:expr),* $(,)?)) => {{
        CALLS.record(stringify!($function));
        $of::$function($($argument),*)
    }};
}

impl Calls {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// To be used through [`call!`], so that exactly the called methods are recorded.
    pub(crate) fn record(&self, name: &'static str) {
        *self.0.lock().unwrap().entry(name).or_default() += 1;
    }

    /// Fails if a public function of `of` in `sources` was never called and is not exempt, each with its reason; or if one is
    /// exempt that need not be.
    pub(crate) fn assert_complete(&self, of: &str, sources: &[&str], exempt: &[(&str, &str)]) {
        let made = self.0.lock().unwrap().clone();
        let public: Vec<&str> = sources.iter().flat_map(|source| public_functions(source, of)).collect();
        assert!(!public.is_empty(), "no public function of {of} found");
        for (name, reason) in exempt {
            assert!(
                public.contains(name),
                "{of}::{name} is exempt, but there is no such function"
            );
            assert!(!made.contains_key(name), "{of}::{name} is exempt, but it is called");
            assert!(!reason.is_empty(), "{of}::{name} is exempt without a reason");
        }
        let missing = public.iter().filter(|name| {
            let is_exempt = exempt.iter().any(|(exempt, _)| exempt == *name);
            !is_exempt && !made.contains_key(*name)
        });
        let missing: Vec<_> = missing.collect();
        assert!(missing.is_empty(), "no machine calls {missing:?} of {of}");
    }
}

/// The names of the public functions in the inherent `impl` blocks of a type. It relies on how rustfmt indents.
fn public_functions<'a>(source: &'a str, of: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    let mut is_inside = false;
    let mut header = String::new();
    for line in source.lines() {
        if line.starts_with("impl") {
            header.clear();
        }
        if line.starts_with("impl") || !header.is_empty() && !header.ends_with('{') {
            header.push_str(line);
            is_inside = header.ends_with('{') && implements(&header, of);
        } else if line == "}" {
            is_inside = false;
        } else if is_inside {
            names.extend(public_function(line));
        }
    }
    names
}

/// Whether the first line of an `impl` block is that of the type itself, and not of a trait for it.
fn implements(header: &str, of: &str) -> bool {
    let mut rest = header.trim_start_matches("impl");
    if rest.starts_with('<') {
        let mut depth = 0_i32;
        let end = rest.char_indices().find(|(at, character)| {
            depth += i32::from(*character == '<');
            // The arrow of a function's bound ends nothing.
            depth -= i32::from(*character == '>' && !rest[..*at].ends_with('-'));
            depth == 0
        });
        rest = end.map_or("", |(at, _)| &rest[at + 1..]);
    }
    let name = rest.trim_start();
    let end = name.find(|character: char| !character.is_alphanumeric() && character != '_');
    !header.contains(" for ") && &name[..end.unwrap_or(name.len())] == of
}

fn public_function(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("    pub ")?;
    let rest = rest.strip_prefix("const ").unwrap_or(rest).strip_prefix("fn ")?;
    rest.split(['(', '<']).next()
}

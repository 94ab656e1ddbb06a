//! The conformance script: settings, times of frames and the exact answers. The core makes it from a seed; this test sees that
//! it is current and that the flat functions give the same answers. Other languages run the same file.

use std::path::Path;
use std::{env, fs};

mod frames;
mod pacing;

const HEAD: &str = "\
# Conformance script, made from a seed by tests/conformance. Each line is a call; a line that begins with = is the answer to
# the one before.
#
# The numbers of filter, before the first frame, are those of an es_filter: kind, rate's numerator and denominator, window, longest
# delta.
# Of frame and give_back: first tick, tick, single steps, bits of alpha (hexadecimal), nanoseconds clamped and suspended, steps
# dropped, 1 if behind; then, as seconds+numerator/denominator (fractions hexadecimal), overstep, drawn time and what was
# rounded.
# Of plan, which has the time and mostly a refresh, its period and its uncertainty: begin, shown or -1, asked, period.
# Of finish, which has the time when the last plan was ready: the cost that is planned for or -1, frames, their waits, refreshes
# missed, those missed by waiting, latency won. All in nanoseconds.
";

/// The script's path.
fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance.txt")
}

/// The script as the core has it.
fn made() -> String {
    HEAD.to_owned() + &frames::made() + &pacing::made()
}

#[test]
fn the_script_is_what_the_core_answers() {
    let made = made();
    if env::var_os("EVENSTEP_WRITE").is_some() {
        fs::write(path(), &made).unwrap();
    }
    let committed = fs::read_to_string(path()).unwrap_or_default();
    let hint = "conformance.txt is out of date: EVENSTEP_WRITE=1 cargo test -p evenstep-flat --test conformance";
    assert!(made == committed, "{hint}");
}

#[test]
fn flat_functions_answer_as_the_script_says() {
    let script = fs::read_to_string(path()).unwrap();
    let (mut frames, mut pacing) = (frames::Reader::new(), pacing::Reader::new());
    let (mut is_frame, mut answers) = (true, 0);
    for (number, line) in script.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        if line.starts_with('=') {
            let answer = if is_frame { frames.answer() } else { pacing.answer() };
            assert_eq!(answer, line, "line {}", number + 1);
            answers += 1;
            continue;
        }
        let mut words = line.split_whitespace();
        let name = words.next().unwrap();
        let numbers: Vec<i64> = words.map(|word| word.parse().unwrap()).collect();
        let failed = |error| panic!("line {}: {error}", number + 1);
        is_frame = frames.call(name, &numbers).unwrap_or_else(failed);
        let is_known = is_frame || pacing.call(name, &numbers).unwrap_or_else(failed);
        assert!(is_known, "{line}");
    }
    assert!(answers > 1200, "only {answers}");
}

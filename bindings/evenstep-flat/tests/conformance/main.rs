//! The conformance script: settings, times of frames and the exact answers. The core makes it from a seed; this test sees that
//! it is current and that the flat functions give the same answers. Other languages run the same file.

use std::path::Path;
use std::{env, fs};

mod frames;
mod input;
mod readers;
mod smoothing;

const HEAD: &str = "\
# Conformance script, made from a seed by tests/conformance. Each line is a call; a line that begins with = is the result of
# the line before it.
#
# filter, before the first frame, gives the timestep the default filter.
# Of frame and give_back: first tick, tick, single steps, bits of alpha (hexadecimal), nanoseconds clamped and paused, steps
# dropped, 1 if behind; then, as seconds+numerator/denominator (fractions hexadecimal), overstep and drawn time.
# input creates a timestep and a buffer: rate in hertz, capacity, 1 if it keeps what happens in pauses, 1 if the timestep has the
# default filter. What begins with input_ is for that timestep. Of press and release the key and the time, of motion and wheel right, down and the time.
# Of play, a frame of both at a time: events that wait, late, reordered, refused, paused; then for each step its tick, three numbers for
# keys 1 to 3, and motion and wheel, right and down. The number of a key is ten times its presses, plus 1 if it is held, 2 if it is
# down, 4 if it was released.
# The numbers of smoothed are its state and what it wraps at or 0, as are those of the calls for it that follow, bits of a double
# as a signed integer. smoothed_step begins a step and sets the state. Of smoothed_at: bits of what is drawn (hexadecimal), 1 if
# it teleported.
";

/// The script's path.
fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../stored/conformance.txt")
}

/// The script as the core has it.
fn made() -> String {
    [HEAD, &frames::made(), &input::made(), &smoothing::made()].concat()
}

#[test]
fn the_script_has_the_results_of_the_core() {
    let made = made();
    if env::var_os("EVENSTEP_WRITE").is_some() {
        fs::write(path(), &made).unwrap();
    }
    let committed = fs::read_to_string(path()).unwrap_or_default();
    assert!(
        made == committed,
        "stored/conformance.txt is out of date: cargo xtask bless --only conformance"
    );
}

/// Which part of the script the last call was of.
enum Part {
    Frames,
    Input,
    Smoothing,
}

#[test]
fn flat_functions_have_the_results_of_the_script() {
    let script = fs::read_to_string(path()).unwrap();
    let (mut frames, mut input, mut smoothing) = (
        readers::frames::Reader::new(),
        readers::input::Reader::new(),
        readers::smoothing::Reader::default(),
    );
    let (mut answering, mut answers) = (Part::Frames, 0);
    for (number, line) in script.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        if line.starts_with('=') {
            let answer = match answering {
                Part::Frames => frames.answer(),
                Part::Input => input.answer(),
                Part::Smoothing => smoothing.answer(),
            };
            assert_eq!(answer, line, "line {}", number + 1);
            answers += 1;
            continue;
        }
        let mut words = line.split_whitespace();
        let name = words.next().unwrap();
        let numbers: Vec<i64> = words.map(|word| word.parse().unwrap()).collect();
        let failed = |error| panic!("line {}: {error}", number + 1);
        answering = if frames.call(name, &numbers).unwrap_or_else(failed) {
            Part::Frames
        } else if input.call(name, &numbers).unwrap_or_else(failed) {
            Part::Input
        } else {
            assert!(smoothing.call(name, &numbers).unwrap_or_else(failed), "{line}");
            Part::Smoothing
        };
    }
    assert!(answers > 1300, "only {answers}");
}

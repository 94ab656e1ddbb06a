//! Command lines and files that make no sense.

use crate::common::{complaint, file};

#[test]
fn an_invalid_command_line_is_an_error_of_one_line() {
    for (args, message) in [
        (
            &["run", "hockey", "--rate", "0"][..],
            "'0' for '--rate <HZ|N/D>': must be above zero",
        ),
        (&["run", "hockey", "--rate", "-60"], "must not be negative"),
        (
            &["run", "hockey", "--rate", "NaN"],
            "is not a number; write a whole number (60)",
        ),
        (
            &["run", "hockey", "--time-scale", "1/0"],
            "has a denominator of zero; write N/D",
        ),
        (
            &["run", "hockey", "--frames", "0"],
            "--frames 0: no such file, and as a rate it must be above zero",
        ),
        (
            &["run", "hockey", "--frames", "-5"],
            "--frames -5: no such file, and as a rate it must not be negative",
        ),
        (
            &["run", "hockey", "--seconds", "0"],
            "is not a number of seconds above zero",
        ),
        (&["run", "hockey", "--max-steps", "0"], "0 is not in 1..=4294967295"),
        (
            &["run", "hockey", "--hash-at", "5", "--time-scale", "0"],
            "no tick is ever reached",
        ),
        (&["run", "hockey", "--hash-at", "-3"], "is not a whole number of steps"),
        (
            &["run", "hockey", "--set", "charges=8,8"],
            "--set: charges: \"8,8\" is not x,y,µC",
        ),
        (&["run", "hockey", "--pause-at", "1"], "--pause-for"),
        (
            &["run", "hockey", "--max-delta", "0"],
            "is not a number of milliseconds above zero",
        ),
        (&["run", "hockey", "--chain", "x"], "--chain needs --frames FILE"),
        (
            &["run", "chess"],
            "no scene is called chess; evenstep-lab scenes lists them",
        ),
        (&["run", "spring", "--set", "k"], "setting k: must be written KEY=VALUE"),
        (&["run", "spring", "--set", "k=-1"], "setting k=-1: must be from 0"),
        (
            &["run", "spring", "--set", "q=1"],
            "setting q=1: no such setting; there are k, b, m",
        ),
        (&["jump"], "unrecognized subcommand 'jump'"),
    ] {
        let text = complaint(args, 2);
        assert!(
            text.starts_with("evenstep-lab: ") && text.contains(message),
            "{args:?}: {text}"
        );
    }
}

#[test]
fn a_wrong_file_is_named_with_its_place_and_the_remedy() {
    for (name, text, message) in [
        ("empty.csv", "", "empty.csv: is empty; record again"),
        ("notes.txt", "Dear diary", "notes.txt:1: is no frame-time trace"),
        (
            "cut.csv",
            "A,B,FrameTime\nx,y,16\nx,y\nx,y,16\n",
            "cut.csv:3: FrameTime: the row ends after column 2, and 3 are needed",
        ),
        (
            "bad.csv",
            "FrameTime\n16\nsoon\n",
            "bad.csv:3: FrameTime: \"soon\" is no frame time",
        ),
    ] {
        let (_folder, path) = file("frames", name, text);
        let text = complaint(&["run", "hockey", "--frames", path.to_str().unwrap()], 1);
        assert!(text.contains(message), "{text}");
    }
    let missing = complaint(&["run", "hockey", "--frames", "missing.csv"], 1);
    assert!(missing.contains("missing.csv: cannot be read: ") && missing.contains("; check the path"));
}

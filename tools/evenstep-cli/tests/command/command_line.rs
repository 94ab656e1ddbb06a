//! Command lines and files that make no sense.

use crate::common::{complaint, file};

#[test]
fn an_invalid_command_line_is_an_error_of_one_line() {
    for (args, message) in [
        (
            &["simulate", "a.csv", "--rate", "0"][..],
            "'0' for '--rate <HZ|N/D>': must be above zero",
        ),
        (&["simulate", "a.csv", "--rate", "-60"], "must not be negative"),
        (
            &["simulate", "a.csv", "--rate", "NaN"],
            "is not a number; write a whole number (60)",
        ),
        (
            &["watch", "--until-idle", "0", "a.csv"],
            "is not a number of seconds above zero",
        ),
        (&["jump"], "unrecognized subcommand 'jump'; see evenstep --help"),
        (&["simulate"], "required arguments"),
    ] {
        let text = complaint(args, 2);
        assert!(
            text.starts_with("evenstep: ") && text.contains(message),
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
        let text = complaint(&["analyze", path.to_str().unwrap()], 1);
        assert!(text.contains(message), "{text}");
    }
    let missing = complaint(&["analyze", "missing.csv"], 1);
    assert!(missing.contains("missing.csv: cannot be read: ") && missing.contains("; check the path"));
}

//! Command lines that make no sense.

use crate::common::complaint;

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
        (
            &["run", "hockey", "--max-delta", "0"],
            "is not a number of milliseconds above zero",
        ),
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

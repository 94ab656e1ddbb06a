//! The hash of a scene does not depend on the frames.

use std::path::Path;
use std::process::{Command, Output};

fn lab(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evenstep-lab"))
        .args(args)
        .output()
        .unwrap()
}

/// What hockey's state is after 600 steps on these frames.
fn hash(frames: &str) -> String {
    let output = lab(&["run", "hockey", "--hash-at", "600", "--frames", frames]);
    let text = String::from_utf8(output.stdout).unwrap();
    let digits = text.strip_prefix("hash 600 ").unwrap().trim_end();
    assert!(
        digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{text}"
    );
    text
}

#[test]
fn the_state_after_600_steps_is_the_same_bits_at_every_display_rate_and_on_every_recording() {
    let expected = hash("60");
    for rate in ["24", "59.94", "144", "2700", "60000/1001"] {
        assert_eq!(hash(rate), expected, "at {rate} Hz");
    }
    let traces = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../crates/evenstep-trace/tests/traces"
    ));
    let files = traces.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let traces: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .collect();
    assert!(traces.len() >= 3);
    for trace in traces {
        assert_eq!(hash(trace.to_str().unwrap()), expected, "on {}", trace.display());
    }
}

#[test]
fn what_cannot_be_played_is_an_error_of_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let still = folder.path().join("still.txt");
    std::fs::write(&still, "0\n0\n0\n").unwrap();
    for (args, why) in [
        (
            &["hockey", "--hash-at", "9", "--frames", "none.csv"][..],
            "--frames: none.csv: ",
        ),
        (&["hockey", "--hash-at", "9", "--engine", "box2d"], "no such setting"),
        (
            &["tumble", "--hash-at", "9", "--engine", "box2d"],
            "must be one of rapier3d",
        ),
        (
            &["hockey", "--hash-at", "5000000000", "--frames", "2700"],
            "not reached in 1000000 frames",
        ),
        (&["hockey", "--hash-at", "9", "--frames", still.to_str().unwrap()], ""),
    ] {
        let output = lab(&[&["run"], args].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {text}");
        assert!(
            text.starts_with("evenstep-lab: ") && text.contains(why) && text.lines().count() == 1,
            "{text}"
        );
    }
    assert_eq!(lab(&["run", "chess", "--hash-at", "9"]).status.code(), Some(2));
}

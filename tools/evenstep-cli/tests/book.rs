//! Runs the first command of the book's page on recordings, as it is written there.

use std::path::Path;
use std::process::Command;

const CALL: &str = "cargo run --release -p evenstep-cli -- ";

/// Runs the command in the project's folder, with arguments without spaces in them.
fn run(arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_evenstep"))
        .args(arguments.split_whitespace())
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_book_shows_the_output_of_analyze_for_its_sample() {
    let page = include_str!("../../../docs/pages/recordings.md");
    let (_, after) = page.split_once(CALL).expect("the page analyzes a recording");
    let arguments = after.lines().next().unwrap();
    let (_, shown) = after.split_once("```text\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let printed = run(arguments);
    for (line, (printed, shown)) in (1..).zip(printed.lines().zip(shown.lines())) {
        assert_eq!(
            printed, shown,
            "line {line} of {arguments}; the page shows the second one"
        );
    }
    assert_eq!(printed, shown, "{arguments}");
}

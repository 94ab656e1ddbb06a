//! The tutorial of the book: its code is the same as the programs of this package, and the programs print the output that it shows.
//! `tests/windows` plays the programs that open a window.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The tutorial's fenced code blocks in one language.
fn blocks(language: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pages/tutorial.md");
    let page = fs::read_to_string(page).unwrap();
    let fence = format!("```{language}\n");
    let blocks = page.split(&fence).skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect()
}

#[test]
fn each_step_of_the_tutorial_is_a_program_here() {
    let steps = blocks("rust");
    assert_eq!(steps.len(), 4);
    for (number, step) in (1..).zip(&steps) {
        let name = format!("src/bin/tutorial_{number}.rs");
        let file = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&name)).unwrap();
        assert!(*step == file, "step {number} of docs/pages/tutorial.md is not {name}");
    }
}

#[test]
fn the_steps_without_a_window_print_what_the_tutorial_says() {
    let programs = [
        env!("CARGO_BIN_EXE_tutorial_1"),
        env!("CARGO_BIN_EXE_tutorial_2"),
        env!("CARGO_BIN_EXE_tutorial_3"),
    ];
    let printed = blocks("text");
    assert_eq!(printed.len(), programs.len());
    for (program, printed) in programs.into_iter().zip(printed) {
        let output = Command::new(program).output().unwrap();
        assert!(output.status.success(), "{program}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), printed, "{program}");
    }
}

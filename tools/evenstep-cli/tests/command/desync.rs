//! `evenstep desync`.

use std::collections::BTreeMap;
use std::fs;

use evenstep::inspect::Dump;

use crate::common::{complaint, evenstep, file, stdout};

/// The exit code and the output of a run.
fn run(args: &[&str]) -> (Option<i32>, String) {
    let output = evenstep(args);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn state(cooldown: f32, name: &str) -> Dump {
    Dump::new(
        4711,
        &BTreeMap::from([(name.to_owned(), [0.5, cooldown]), ("bow".to_owned(), [1.0; 2])]),
    )
}

#[test]
fn for_two_machines_that_differ_the_tick_and_the_path_are_printed_and_the_exit_code_is_1() {
    let (folder, here) = file("desync", "here.dump", &state(0.016_666_668, "a = \"b\"").to_string());
    let there = folder.path().join("there.dump");
    fs::write(&there, state(0.016_666_666, "a = \"b\"").to_string()).unwrap();
    let (here, there) = (here.to_str().unwrap(), there.to_str().unwrap());
    assert_eq!(
        run(&["desync", here, there]),
        (
            Some(1),
            "tick 4711: [\"a = \\\"b\\\"\"][1]: 0.016666668 (0x3C888889) here, 0.016666666 (0x3C888888) there\n"
                .to_owned()
        )
    );
    fs::write(there, state(0.016_666_668, "knife").to_string()).unwrap();
    let (code, report) = run(&["desync", here, there]);
    assert_eq!(code, Some(1));
    assert!(
        report.ends_with("tick 4711: [\"knife\"]: missing here, present there\n"),
        "{report}"
    );
}

#[test]
fn inputs_since_both_agreed_are_printed_where_they_are_the_same_and_compared_where_not() {
    let dump = |elapsed: &str, input: u32| {
        let lines = [
            format!("elapsed = {elapsed}"),
            "player_inputs[90][0] = 1".to_owned(),
            format!("player_inputs[90][1] = {input}"),
        ];
        let dump = Dump::from_lines(91, lines.iter().map(String::as_str)).unwrap();
        dump.to_string()
    };
    let (folder, here) = file("desync", "here.dump", &dump("0.5 (0x3F000000)", 2));
    let there = folder.path().join("there.dump");
    let (here, path) = (here.to_str().unwrap(), there.to_str().unwrap());
    fs::write(&there, dump("0.25 (0x3E800000)", 2)).unwrap();
    let report = "\
tick 91: elapsed: 0.5 (0x3F000000) here, 0.25 (0x3E800000) there
tick 91: the inputs since both agreed are the same:
  player_inputs[90][0] = 1
  player_inputs[90][1] = 2
";
    assert_eq!(run(&["desync", here, path]), (Some(1), report.to_owned()));

    fs::write(&there, dump("0.25 (0x3E800000)", 3)).unwrap();
    let report = "\
tick 91: elapsed: 0.5 (0x3F000000) here, 0.25 (0x3E800000) there
tick 91: player_inputs[90][1]: 2 here, 3 there
";
    assert_eq!(run(&["desync", here, path]), (Some(1), report.to_owned()));
}

#[test]
fn two_machines_that_agree_are_reported_as_equal() {
    let (_folder, path) = file("desync", "a.dump", &state(f32::NAN, "sword").to_string());
    let path = path.to_str().unwrap();
    assert_eq!(stdout(&["desync", path, path]), "tick 4711: all 5 values are equal\n");
}

#[test]
fn a_file_that_is_no_dump_is_named_with_its_line_and_the_exit_code_is_2() {
    let whole = state(1.0, "sword").to_string();
    let cut = whole
        .lines()
        .take(4)
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    let (folder, good) = file("desync", "good.dump", &whole);
    let good = good.to_str().unwrap();
    for (text, printed) in [
        (
            "FrameTime\n16\n".as_bytes(),
            "bad.dump:1: does not begin with \"evenstep state dump 1, tick N",
        ),
        (
            cut.as_bytes(),
            "bad.dump:4: ends after 3 values, and the first line says 5; copy the whole file",
        ),
        (
            &whole.replace(" = ", ": ").into_bytes(),
            "bad.dump:2: is not `path = value`; write the dump again",
        ),
        (
            b"evenstep state dump 1, tick 1, 1 values\na = \xFF\n",
            "bad.dump:2: is not UTF-8",
        ),
    ] {
        let bad = folder.path().join("bad.dump");
        fs::write(&bad, text).unwrap();
        let text = complaint(&["desync", good, bad.to_str().unwrap()], 2);
        assert!(text.contains(printed), "{text}");
    }
    let text = complaint(&["desync", good, "/no/such/file"], 2);
    assert!(
        text.contains("/no/such/file: cannot be read: ") && text.contains("check the path"),
        "{text}"
    );
    // Control characters in a file do not reach the terminal.
    let (_folder, hostile) = file(
        "desync",
        "a.dump",
        "evenstep state dump 1, tick 1, 1 values\na = \u{1b}[2J\n",
    );
    let (_, report) = run(&["desync", good, hostile.to_str().unwrap()]);
    assert!(!report.contains('\u{1b}') && report.contains("\\u{1b}[2J"), "{report}");
}

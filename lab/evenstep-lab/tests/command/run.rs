//! `evenstep-lab run`: the same states on every display.

use crate::common::{complaint, own_traces, stdout};

/// The last line of a run of hockey, which is a hash.
fn hash(args: &[&str]) -> String {
    let text = stdout(&[&["run", "hockey", "--hash-at", "600"], args].concat());
    let last = text.lines().last().unwrap().to_owned();
    let digits = last.strip_prefix("hash 600 ").unwrap();
    assert!(
        digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{last}"
    );
    last
}

#[test]
fn the_state_after_600_ticks_is_the_same_bits_at_every_display_rate() {
    let expected = hash(&[]);
    for rate in ["24", "59.94", "144", "2700", "60000/1001"] {
        assert_eq!(hash(&["--frames", rate]), expected, "at {rate} Hz");
    }
}

#[test]
fn the_state_after_600_ticks_is_the_same_bits_on_every_recording() {
    let expected = hash(&[]);
    let traces = own_traces();
    assert!(traces.len() >= 3);
    for trace in traces {
        assert_eq!(
            hash(&["--frames", trace.to_str().unwrap()]),
            expected,
            "on {}",
            trace.display()
        );
    }
}

#[test]
fn slow_motion_filters_and_the_length_of_the_run_do_not_change_the_state() {
    let expected = hash(&[]);
    for args in [
        &["--time-scale", "1/10"][..],
        &["--filter", "snap", "--frames", "75"],
        &["--smoothing", "hermite"],
        &["--seconds", "0.1"],
    ] {
        assert_eq!(hash(args), expected, "{args:?}");
    }
}

#[test]
fn a_stiff_spring_explodes_with_variable_steps_and_not_with_fixed_ones() {
    let stiff = ["run", "spring", "--set", "k=10000", "--frames", "10"];
    let exploded = stdout(&[&stiff[..], &["--stepping", "variable"]].concat());
    assert!(
        exploded.contains("  exploded after ") && !exploded.contains("NaN"),
        "{exploded}"
    );
    let fixed = ["--rate", "1000", "--max-steps", "100", "--seconds", "5"];
    for (integrator, outcome) in [("rk4", "  running "), ("explicit-euler", "  exploded after ")] {
        let set = format!("integrator={integrator}");
        let table = stdout(&[&stiff[..], &fixed, &["--set", &set]].concat());
        assert!(table.contains(outcome), "{table}");
    }
}

#[test]
fn a_tick_that_is_never_reached_is_an_error_and_not_an_endless_run() {
    let slow = ["--time-scale", "1/4000000000", "--frames", "2700"];
    let text = complaint(&[&["run", "hockey", "--hash-at", "600"], &slow[..]].concat(), 1);
    assert!(
        text.contains("--hash-at 600: not reached in 1000000 frames; give longer frames"),
        "{text}"
    );
}

#[test]
fn of_five_loops_only_interpolated_fixed_steps_have_no_fault() {
    for args in [
        &["--frames", "30"][..],
        &["--frames", "40-60"],
        &["--frames", "59.94", "--time-scale", "1/10"],
        &["--frames", "2700", "--time-scale", "4"],
    ] {
        let table = stdout(&[&["run", "--stepping", "all"], args].concat());
        // The faults are in the last column.
        let loops = table.lines().skip(3).map(|line| line.rsplit_once("  ").unwrap().1);
        let are_faultless: Vec<bool> = loops.map(|faults| faults == "nothing").collect();
        assert_eq!(are_faultless, [false, false, false, false, true], "{args:?}: {table}");
    }
    let table = stdout(&["run", "--stepping", "all", "--frames", "30"]);
    assert!(table.contains("explodes after"), "{table}");
}

#[test]
fn a_hash_and_a_file_of_frames_are_those_of_one_loop() {
    for args in [&["--hash-at", "60"][..], &["--csv", "frames.csv"]] {
        let complaint = complaint(&[&["run", "--stepping", "all"], args].concat(), 2);
        assert!(complaint.contains("give one for --csv or --hash-at"), "{complaint}");
    }
}

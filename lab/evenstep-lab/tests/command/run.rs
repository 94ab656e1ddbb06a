//! `evenstep-lab run`: the same states on every display.

use crate::common::{complaint, own_traces, stdout};
use crate::row;

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
    for rate in ["24", "30", "59.94", "60", "75", "144", "240", "2700", "60000/1001"] {
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
fn slow_motion_pauses_filters_and_policies_do_not_change_the_state() {
    let expected = hash(&[]);
    for args in [
        &["--time-scale", "1/10"][..],
        &["--time-scale", "3"],
        &["--pause-at", "2", "--pause-for", "1.5"],
        &["--filter", "snap", "--frames", "75"],
        &["--filter", "average", "--frames", "50"],
        &["--frames", "9", "--overrun", "carry"],
        &["--frames", "9", "--overrun", "stretch"],
        &["--smoothing", "hermite"],
        &["--seconds", "0.1"],
    ] {
        assert_eq!(hash(args), expected, "{args:?}");
    }
}

#[test]
fn variable_steps_give_other_bits_on_every_display() {
    let mut hashes: Vec<String> = ["24", "30", "59.94", "60", "75", "144"]
        .map(|rate| hash(&["--stepping", "variable", "--frames", rate]))
        .to_vec();
    hashes.push(hash(&[]));
    hashes.sort_unstable();
    assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]), "{hashes:?}");
}

#[test]
fn a_stiff_spring_explodes_with_variable_steps_and_not_with_fixed_ones() {
    let stiff = ["run", "spring", "--set", "k=10000", "--frames", "10"];
    let exploded = stdout(&[&stiff[..], &["--stepping", "variable"]].concat());
    assert!(row(&exploded, "outcome").starts_with("exploded after"), "{exploded}");
    assert!(!exploded.contains("NaN"));

    let fixed = ["--rate", "1000", "--max-steps", "100", "--seconds", "5"];
    for (integrator, off) in [
        ("rk4", "6.1e-3 %"),
        ("velocity-verlet", "3.07 %"),
        ("semi-implicit-euler", "7.14 %"),
    ] {
        let set = format!("integrator={integrator}");
        let table = stdout(&[&stiff[..], &fixed, &["--set", &set]].concat());
        assert_eq!(
            row(&table, "closed form"),
            format!("at most {off} of the amplitude off")
        );
        assert_eq!(row(&table, "outcome"), "running");
    }
    let table = stdout(&[&stiff[..], &fixed, &["--set", "integrator=explicit-euler"]].concat());
    assert!(row(&table, "outcome").starts_with("exploded"), "{table}");
}

#[test]
fn the_same_shot_ends_in_the_goal_on_every_display_with_fixed_steps_and_not_with_one_step_a_frame() {
    let rates = ["24", "30", "60", "75", "144"];
    let outcomes = |stepping: &str| {
        rates.map(|rate| {
            let summary = stdout(&["run", "hockey", "--stepping", stepping, "--frames", rate]);
            row(&summary, "outcome").to_owned()
        })
    };
    let fixed = outcomes("fixed");
    assert!(
        fixed
            .iter()
            .all(|outcome| *outcome == fixed[0] && outcome.starts_with("goal ")),
        "{fixed:?}"
    );
    let variable = outcomes("variable");
    assert!(
        variable.iter().any(|outcome| outcome.starts_with("wall ")),
        "{variable:?}"
    );
}

#[test]
fn a_display_at_the_rate_of_the_steps_runs_one_step_a_frame() {
    for rate in ["60", "144", "60000/1001", "1000/7"] {
        let summary = stdout(&["run", "spring", "--rate", rate, "--frames", rate]);
        let steps = row(&summary, "steps per frame");
        assert!(
            steps.starts_with("1 in ") && !steps.contains(','),
            "{steps} at {rate} Hz"
        );
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

//! `evenstep-lab run`: the same states on every display.

use crate::common::{complaint, json, own_traces, stdout};

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
    let exploded = stdout(&[&stiff[..], &["--stepping", "variable", "--json"]].concat());
    assert!(exploded.contains("\"outcome\": \"exploded\""));
    assert!(!exploded.contains("NaN"));

    let fixed = [
        "--rate",
        "1000",
        "--max-steps",
        "100",
        "--seconds",
        "5",
        "--set",
        "integrator=rk4",
    ];
    let table = stdout(&[&stiff[..], &fixed].concat());
    for (integrator, result) in [
        ("rk4: ", "by 6.1e-3 % of the amplitude"),
        ("explicit-euler: ", "explodes"),
        ("velocity-verlet: ", "by 3.07 % of the amplitude"),
        ("semi-implicit-euler: ", "by 7.14 % of the amplitude"),
    ] {
        let line = table.lines().find(|line| line.contains(integrator)).unwrap();
        assert!(line.ends_with(result), "{line}");
    }
    assert!(
        table
            .lines()
            .any(|line| line.starts_with("outcome") && line.ends_with("running"))
    );
}

#[test]
fn the_same_shot_has_one_path_with_fixed_steps_and_several_with_one_step_a_frame() {
    let json = stdout(&["run", "hockey", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let displays = value["displays"].as_array().unwrap();
    assert_eq!(displays.len(), 5);
    let first = &displays[0]["fixed"];
    assert!(displays.iter().all(|display| display["fixed"] == *first));
    assert_eq!(first["outcome"], "goal");
    assert!(displays.iter().any(|display| display["variable"]["outcome"] == "wall"));
}

#[test]
fn a_display_at_the_rate_of_the_steps_runs_one_step_a_frame() {
    for rate in ["60", "144", "60000/1001", "1000/7"] {
        let args = ["run", "spring", "--rate", rate, "--frames", rate, "--json"];
        let value = json(&args);
        let steps = value["steps_per_frame"].as_object().unwrap();
        assert_eq!(steps.keys().collect::<Vec<_>>(), ["1"], "at {rate} Hz");
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

/// The faults of the five loops.
fn faults(args: &[&str]) -> Vec<Vec<String>> {
    let value = json(&[&["run", "--stepping", "all", "--json"], args].concat());
    let loops = value["loops"].as_array().unwrap().iter();
    loops
        .map(|figures| {
            let faults = figures["faults"].as_array().unwrap().iter();
            faults.map(|fault| fault.as_str().unwrap().to_owned()).collect()
        })
        .collect()
}

#[test]
fn of_five_loops_only_interpolated_fixed_steps_have_no_fault() {
    for args in [
        &["--frames", "30"][..],
        &["--frames", "40-60"],
        &["--frames", "59.94", "--time-scale", "1/10"],
        &["--frames", "2700", "--time-scale", "4"],
    ] {
        let faults = faults(args);
        let (best, others) = faults.split_last().unwrap();
        assert!(best.is_empty(), "{args:?}: {best:?}");
        assert!(others.iter().all(|faults| !faults.is_empty()), "{args:?}: {others:?}");
    }
    let table = stdout(&["run", "--stepping", "all", "--frames", "30"]);
    assert!(table.contains("explodes after"), "{table}");
    assert!(table.lines().last().unwrap().ends_with("nothing"), "{table}");
}

#[test]
fn a_hash_and_a_file_of_frames_are_those_of_one_loop() {
    for args in [&["--hash-at", "60"][..], &["--csv", "frames.csv"]] {
        let complaint = complaint(&[&["run", "--stepping", "all"], args].concat(), 2);
        assert!(complaint.contains("give one for --csv or --hash-at"), "{complaint}");
    }
}

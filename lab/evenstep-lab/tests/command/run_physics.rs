//! `evenstep-lab run` with scenes on physics engines.

use crate::common::{complaint, json, own_traces, stdout};

#[test]
fn falling_blocks_are_bit_identical_on_every_display_with_every_engine() {
    let trace = own_traces().pop().unwrap();
    let trace = trace.to_str().unwrap();
    for engine in ["box2d", "rapier2d", "rapier3d"] {
        let blocks = [
            "run",
            "falling-blocks",
            "--engine",
            engine,
            "--hash-at",
            "600",
            "--max-steps",
            "30",
            "--set",
            "count=20",
        ];
        let last = |args: &[&str]| stdout(&[&blocks, args].concat()).lines().last().unwrap().to_owned();
        let expected = last(&[]);
        for args in [
            &["--frames", "10"][..],
            &["--frames", "144"],
            &["--frames", trace],
            &["--time-scale", "1/10", "--frames", "30"],
            &["--pause-at", "1", "--pause-for", "2"],
        ] {
            assert_eq!(last(args), expected, "{engine} {args:?}");
        }
        assert_ne!(last(&["--stepping", "variable", "--frames", "50"]), expected);
    }
}

#[test]
fn the_depth_of_penetration_is_printed_for_both_ways_of_stepping() {
    let args = [
        "run",
        "falling-blocks",
        "--frames",
        "10",
        "--max-steps",
        "30",
        "--seconds",
        "5",
        "--json",
    ];
    let value = json(&args);
    let depth = |field: &str| value["step_error"][field].as_f64().unwrap();
    assert_eq!(value["step_error"]["name"], "deepest penetration");
    assert!(
        depth("value") <= 0.5 * depth("one_step_a_frame"),
        "{}",
        value["step_error"]
    );
    let table = stdout(&args[..args.len() - 1]);
    assert!(
        table.contains("deepest penetration") && table.contains("with one step a frame"),
        "{table}"
    );
}

#[test]
fn an_engine_that_a_scene_does_not_have_is_refused() {
    assert!(complaint(&["run", "tumble", "--engine", "box2d"], 2).contains("must be one of rapier3d"));
    assert!(complaint(&["run", "hockey", "--engine", "box2d"], 2).contains("no such setting"));
}

#[test]
#[ignore = "takes several seconds: every engine on every recording"]
fn blocks_fall_to_the_same_bits_on_every_engine_on_every_recording() {
    let traces = own_traces();
    for engine in ["box2d", "rapier2d", "rapier3d"] {
        let blocks = [
            "run",
            "falling-blocks",
            "--engine",
            engine,
            "--hash-at",
            "600",
            "--max-steps",
            "30",
        ];
        let last = |frames: &str| {
            let text = stdout(&[&blocks[..], &["--frames", frames]].concat());
            text.lines().last().unwrap().to_owned()
        };
        let expected = last("60");
        for rate in ["10", "144", "2700"] {
            assert_eq!(last(rate), expected, "{engine} at {rate} Hz");
        }
        for trace in &traces {
            assert_eq!(
                last(trace.to_str().unwrap()),
                expected,
                "{engine} on {}",
                trace.display()
            );
        }
    }
}

//! `evenstep-lab run` with scenes on physics engines.

use crate::common::{complaint, own_traces, stdout};
use crate::row;

#[test]
fn falling_blocks_are_bit_identical_on_every_display_with_every_engine() {
    let trace = own_traces().pop().unwrap();
    let trace = trace.to_str().unwrap();
    for engine in ["box2d", "rapier2d", "rapier3d"] {
        let blocks = [
            "run",
            "falling-blocks",
            "--set",
            &format!("engine={engine}"),
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
fn blocks_sink_in_half_as_deep_with_fixed_steps_as_with_one_step_a_frame() {
    let depth = |stepping: &str| {
        let blocks = [
            "run",
            "falling-blocks",
            "--frames",
            "10",
            "--max-steps",
            "30",
            "--seconds",
            "5",
        ];
        let summary = stdout(&[&blocks[..], &["--stepping", stepping]].concat());
        let error = row(&summary, "step error")
            .strip_prefix("deepest penetration ")
            .unwrap();
        error.strip_suffix(" m").unwrap().parse::<f64>().unwrap()
    };
    let (fixed, variable) = (depth("fixed"), depth("variable"));
    assert!(fixed <= 0.5 * variable, "{fixed} m and {variable} m");
}

#[test]
fn an_engine_that_a_scene_does_not_have_is_refused() {
    assert!(complaint(&["run", "tumble", "--set", "engine=box2d"], 2).contains("must be one of rapier3d"));
    assert!(complaint(&["run", "hockey", "--set", "engine=box2d"], 2).contains("no such setting"));
}

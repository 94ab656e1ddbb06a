//! The outputs of `evenstep-lab run`.

use std::fs;

use crate::common::{complaint, file, stdout};

#[test]
fn a_run_has_a_row_of_figures() {
    let table = stdout(&["run", "hockey", "--frames", "2700", "--seconds", "10"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        lines[0],
        "hockey (level=3 charges=solution), 60 Hz steps, frames from 2700 Hz for 10.00 s, time scale 1"
    );
    assert!(lines[3].starts_with("fixed and interpolated       1.00×    1.00×   0.0 mm  16.7 ms  0.00 s  running  "));
    assert!(lines[3].ends_with("  nothing"), "{table}");
}

#[test]
fn the_csv_has_a_row_a_frame() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("run.csv");
    stdout(&["run", "hockey", "--seconds", "2", "--csv", csv.to_str().unwrap()]);
    let csv = fs::read_to_string(csv).unwrap();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("time_s,delta_ns,steps,ticks,alpha,clamped_ns,dropped_steps,x_raw,x_drawn,y_raw,y_drawn")
    );
    assert!(lines.all(|line| line.split(',').count() == 11));
    assert_eq!(csv.lines().count(), 121);
}

/// The largest distance of the drawn swing from the exact one, in metres: 20 steps a second on a display at 144 Hz, as the book's page
/// *Drawing between steps* has it.
fn off_the_swing(smoothing: &str) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("run.csv");
    let swing = [
        "run",
        "spring",
        "--set",
        "integrator=rk4",
        "--rate",
        "20",
        "--frames",
        "144",
    ];
    let drawn = [
        "--seconds",
        "2",
        "--smoothing",
        smoothing,
        "--csv",
        csv.to_str().unwrap(),
    ];
    stdout(&[&swing[..], &drawn].concat());
    let csv = fs::read_to_string(csv).unwrap();
    assert!(csv.lines().next().unwrap().ends_with("position_drawn,position_exact"));
    let distances = csv.lines().skip(1).map(|line| {
        let mut last = line.rsplit(',').map(|field| field.parse::<f64>().unwrap());
        (last.next().unwrap() - last.next().unwrap()).abs()
    });
    distances.fold(0.0, f64::max)
}

#[test]
fn a_hermite_curve_follows_the_swing_that_a_straight_line_cuts() {
    let (line, curve) = (off_the_swing("interpolate"), off_the_swing("hermite"));
    assert!((0.25..0.35).contains(&line) && curve < 0.002, "{line} {curve}");
}

#[test]
fn no_output_holds_a_number_that_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("run.csv");
    let wild = ["--set", "k=1e9", "--set", "m=1e-6", "--set", "x0=1e5", "--seconds", "2"];
    for stepping in ["fixed", "variable", "locked", "semi-fixed"] {
        let how = ["run", "spring", "--stepping", stepping, "--frames", "7"];
        let to = ["--smoothing", "hermite", "--csv", csv.to_str().unwrap()];
        let table = stdout(&[&how[..], &wild, &to].concat());
        assert!(table.contains("exploded after "), "{table}");
        let csv = fs::read_to_string(&csv).unwrap();
        let finite = |field: &str| field.parse::<f64>().is_ok_and(f64::is_finite);
        assert!(csv.lines().count() > 2);
        assert!(csv.lines().skip(1).all(|line| line.split(',').all(finite)));
        assert!(!table.contains("NaN") && !table.contains(" inf"), "{stepping}: {table}");
    }
}

#[test]
fn the_csv_is_not_written_over_the_trace_that_the_run_reads() {
    let (folder, trace) = file("same", "trace.csv", "16\n17\n");
    let trace = trace.to_str().unwrap();
    let text = complaint(&["run", "hockey", "--csv", trace, "--frames", trace], 2);
    assert!(text.contains("--csv: is the file of --frames too"), "{text}");
    assert_eq!(fs::read_to_string(trace).unwrap(), "16\n17\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_run_of_too_many_frames_is_refused() {
    let printed = complaint(&["run", "spring", "--seconds", "1e18"], 1);
    assert!(printed.contains("more than 1000000 frames"), "{printed}");
}

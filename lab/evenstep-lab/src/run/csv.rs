//! The frames of a run as CSV.

use crate::run::options::Options;
use crate::run::simulation::{Presented, Run};

const COLUMNS: [&str; 7] = [
    "time_s",
    "delta_ns",
    "steps",
    "ticks",
    "alpha",
    "clamped_ns",
    "dropped_steps",
];

/// Every frame of a run as a row.
pub(crate) fn text(options: &Options, run: &Run) -> String {
    let mut text = header(options, run).join(",") + "\n";
    let mut time = 0.0;
    for shown in &run.frames {
        time += shown.delta.as_secs_f64();
        text += &row(time, shown).join(",");
        text.push('\n');
    }
    text
}

fn header(options: &Options, run: &Run) -> Vec<String> {
    let mut names: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
    for channel in options.scene.channels {
        names.extend(["raw", "drawn"].map(|kind| format!("{channel}_{kind}")));
    }
    // The closed form of the first channel, where it is known, at the time that the frame shows.
    if run.frames.first().is_some_and(|shown| shown.exact.is_some()) {
        names.push(format!("{}_exact", options.scene.channels[0]));
    }
    names
}

fn row(time: f64, shown: &Presented) -> Vec<String> {
    let Presented {
        delta,
        frame,
        values,
        exact,
    } = shown;
    let lost = frame.lost();
    let mut row = vec![
        format!("{time:.9}"),
        delta.as_nanos().to_string(),
        frame.steps().count().to_string(),
        frame.tick().to_string(),
        frame.alpha().to_string(),
        lost.clamped.as_nanos().to_string(),
        lost.dropped.to_string(),
    ];
    let drawn = values.iter().flat_map(|(raw, drawn)| [raw, drawn]);
    row.extend(drawn.chain(exact).map(f64::to_string));
    row
}

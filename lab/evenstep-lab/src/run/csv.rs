//! The frames of a run as CSV.

use std::io::{self, Write};

use crate::run::options::Options;
use crate::run::simulation::{Presented, Run};
use evenstep_cli::failure::Failure;
use evenstep_cli::output::output_file::OutputFile;

const COLUMNS: [&str; 7] = [
    "time_s",
    "delta_ns",
    "steps",
    "ticks",
    "alpha",
    "clamped_ns",
    "dropped_steps",
];

/// Writes every frame of a run as a row.
pub(crate) fn write(file: OutputFile, options: &Options, run: &Run) -> Result<(), Failure> {
    file.write(|file| Ok((rows(file, options, run), ())))
}

fn rows(file: &mut dyn Write, options: &Options, run: &Run) -> io::Result<()> {
    writeln!(file, "{}", header(options, run).join(","))?;
    let mut time = 0.0;
    for shown in &run.frames {
        time += shown.delta.as_secs_f64();
        writeln!(file, "{}", row(time, shown).join(","))?;
    }
    Ok(())
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

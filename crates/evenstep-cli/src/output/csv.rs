use std::fmt::Write as _;
use std::io::{self, Write};

use crate::failure::Failure;
use crate::options::Options;
use crate::output::file::OutputFile;
use crate::run::{Run, Shown};

/// Writes every frame of a run, one a row.
pub(crate) fn write(file: OutputFile, options: &Options, run: &Run) -> Result<(), Failure> {
    file.write(|output| rows(output, options, run))
}

fn rows(output: &mut dyn Write, options: &Options, run: &Run) -> io::Result<()> {
    let mut header = String::from("time_s,delta_ns,steps,ticks,alpha,clamped_ns,dropped_steps");
    for channel in options.scene.channels {
        let _ = write!(header, ",{0}_raw,{0}_drawn", channel.name);
    }
    // Where the closed form of the first channel is known, at the time that the picture shows.
    if run.frames.first().is_some_and(|shown| shown.exact.is_some()) {
        let _ = write!(header, ",{}_exact", options.scene.channels[0].name);
    }
    writeln!(output, "{header}")?;
    let mut time = 0.0;
    for shown in &run.frames {
        let Shown { delta, frame, .. } = shown;
        time += delta.as_secs_f64();
        let lost = frame.lost();
        let (steps, ticks, alpha) = (frame.steps().len(), frame.tick(), frame.alpha());
        let (clamped, dropped) = (lost.clamped.as_nanos(), lost.dropped);
        write!(
            output,
            "{time:.9},{},{steps},{ticks},{alpha},{clamped},{dropped}",
            delta.as_nanos()
        )?;
        for (raw, drawn) in &shown.values {
            write!(output, ",{raw},{drawn}")?;
        }
        if let Some(exact) = shown.exact {
            write!(output, ",{exact}")?;
        }
        writeln!(output)?;
    }
    Ok(())
}

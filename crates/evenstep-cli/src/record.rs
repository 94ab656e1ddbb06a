use std::process::ExitCode;
use std::time::Duration;

use evenstep_trace::write_recording;

use crate::cli::RecordArgs;
use crate::failure::Failure;
use crate::live::LiveLoop;
use crate::output::file::OutputFile;
use crate::output::{self, progress};

/// Records the deltas of a live loop.
pub(crate) fn record(args: &RecordArgs) -> Result<ExitCode, Failure> {
    let file = OutputFile::check("OUT", &args.out)?;
    let bar = progress::bar(args.seconds);
    let mut frames = LiveLoop::start(args.rate);
    let mut deltas = Vec::new();
    let mut elapsed = Duration::ZERO;
    while elapsed < args.seconds {
        let delta = frames.next_delta();
        elapsed += delta;
        deltas.push(delta);
        progress::show(&bar, elapsed);
    }
    bar.finish_and_clear();
    file.write(|output| write_recording(output, &deltas))?;
    let (path, count, seconds) = (args.out.display(), deltas.len(), elapsed.as_secs_f64());
    output::say(&format!("{path}: {count} frames in {seconds:.1} s\n"))?;
    Ok(ExitCode::SUCCESS)
}

//! `evenstep capture`: the frame times of a loop on this machine.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use evenstep::Rate;
use evenstep_trace::write_frame_times;

use crate::failure::Failure;
use crate::interrupt;
use crate::live_loop::LiveLoop;
use crate::output::output_file::Files;
use crate::output::{self, progress};
use crate::values::seconds;

/// The arguments of `capture`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The file to write.
    out: PathBuf,
    /// How long to capture.
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds, allow_hyphen_values = true)]
    seconds: Duration,
    /// The rate at which the loop aims to run.
    #[arg(long, value_name = "HZ|N/D", default_value = "60", allow_hyphen_values = true)]
    rate: Rate,
}

/// The largest number of frames in a capture: 46 hours at 60 Hz.
const MOST_FRAMES: f64 = 1e7;

/// Captures the frame times of a live loop.
pub(crate) fn capture(args: &Arguments) -> Result<ExitCode, Failure> {
    if args.seconds.as_secs_f64() * args.rate.as_hz_f64() > MOST_FRAMES {
        return Err(Failure::Usage(format!(
            "--seconds: more than {MOST_FRAMES} frames; give fewer seconds or a lower --rate"
        )));
    }
    let held = interrupt::take_stop_requests().map_err(Failure::signal_handler)?;
    let file = Files::default().output("OUT", &args.out)?;
    let deltas = live_deltas(args);
    drop(held);
    file.write(|output| write_frame_times(output, &deltas))?;
    let (path, count) = (args.out.display(), deltas.len());
    let seconds = deltas.iter().sum::<Duration>().as_secs_f64();
    let plural = if count == 1 { "" } else { "s" };
    output::print(&format!("{path}: {count} frame{plural} in {seconds:.1} s\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Collects deltas until the time is up or the command is asked to stop.
fn live_deltas(args: &Arguments) -> Vec<Duration> {
    let bar = progress::bar(args.seconds);
    let mut frames = LiveLoop::start(args.rate);
    let mut deltas = Vec::new();
    let mut elapsed = Duration::ZERO;
    loop {
        let delta = frames.next_delta();
        elapsed = elapsed.saturating_add(delta);
        deltas.push(delta);
        progress::show(&bar, elapsed);
        if elapsed >= args.seconds || interrupt::is_stop_requested() {
            break;
        }
    }
    bar.finish_and_clear();
    deltas
}

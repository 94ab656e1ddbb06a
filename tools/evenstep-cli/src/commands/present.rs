//! `evenstep present`: measures how good the desktop's reports of presented frames are.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use evenstep::Rate;
use evenstep_present::{FeedbackQuality, FrameStart, Session, WindowSystem};
use serde::Serialize;

use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, json, output_file::Files};
use crate::values::{milliseconds, seconds};

mod pacing_comparison;
mod recording;

use pacing_comparison::PacingComparison;
use recording::{NEEDED, open, record};

/// The arguments of `present`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How long to show frames; with `--pacing`, for each of the four ways.
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds, allow_hyphen_values = true)]
    seconds: Duration,
    /// The window system whose reports to take [default: Wayland if WAYLAND_DISPLAY is set, else X11].
    #[arg(long, value_name = "SYSTEM")]
    on: Option<On>,
    /// Begin frames in four ways, one after the other, and compare when they are displayed.
    #[arg(long)]
    pacing: bool,
    /// How long the program works on each frame, with `--pacing`.
    #[arg(long, value_name = "MS", default_value = "5", requires = "pacing", value_parser = cost, allow_hyphen_values = true)]
    cost: Duration,
    /// The rate at which the program that sleeps between frames aims, with `--pacing`.
    #[arg(
        long,
        value_name = "HZ|N/D",
        default_value = "60",
        requires = "pacing",
        allow_hyphen_values = true
    )]
    limit: Rate,
    /// Write a recording that `analyze` reads.
    #[arg(long, value_name = "OUT.csv")]
    out: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// The largest cost of a frame. A frame that costs more could not be stopped in time.
const MOST: Duration = Duration::from_secs(1);

fn cost(text: &str) -> Result<Duration, String> {
    let cost = milliseconds(text)?;
    (cost <= MOST)
        .then_some(cost)
        .ok_or_else(|| format!("is more than {} ms", MOST.as_millis()))
}

/// The window systems.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum On {
    Wayland,
    X11,
}

/// The output of `--json`, which the crate's README describes.
#[derive(Serialize)]
struct Report {
    clock: Option<String>,
    #[serde(flatten)]
    quality: FeedbackQuality,
}

pub(crate) fn present(args: &Arguments) -> Result<ExitCode, Failure> {
    interrupt::install_handlers().map_err(Failure::signal_handler)?;
    let file = Files::default().optional("--out", args.out.as_deref())?;
    let system = match args.on {
        Some(On::Wayland) => Some(WindowSystem::Wayland),
        #[cfg(feature = "x11")]
        Some(On::X11) => Some(WindowSystem::X11),
        #[cfg(not(feature = "x11"))]
        Some(On::X11) => return Err(Failure::Run(format!("--on: x11 is not compiled in; {NEEDED}"))),
        None => WindowSystem::of_environment(),
    };
    let Some(system) = system else {
        return Err(Failure::Run(format!("there is no desktop; {NEEDED}")));
    };
    if args.pacing {
        let comparison = PacingComparison::show(system, args.limit, args.cost, args.seconds)?;
        if let Some(file) = file {
            file.write(|output| comparison.write_recording(output))?;
        }
        output::print(&if args.json {
            json(&comparison)?
        } else {
            comparison.text()
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let (session, clock) = show(system, args.seconds)?;
    if let Some(file) = file {
        file.write(|output| session.write_recording(output))?;
    }
    let quality = session.quality();
    let report = Report { clock, quality };
    output::print(&if args.json { json(&report)? } else { report.text() })?;
    Ok(ExitCode::SUCCESS)
}

/// Shows a frame whenever the window system asks for one. Also returns the name of the reports' clock.
fn show(system: WindowSystem, seconds: Duration) -> Result<(Session, Option<String>), Failure> {
    let mut desktop = open(system)?;
    let session = record(&mut desktop, FrameStart::OnRequest, Duration::ZERO, seconds)?;
    let clock = desktop.clock().map(|clock| format!("{clock:?}"));
    Ok((session, clock))
}

impl Report {
    fn text(&self) -> String {
        let quality = &self.quality;
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:16} {value}");
        };
        line(
            "frames",
            format!(
                "{}: {} presented, {} discarded, {} without a report",
                quality.frames, quality.presented, quality.discarded, quality.missing
            ),
        );
        line("clock", self.clock.clone().unwrap_or_else(|| "not stated".to_owned()));
        line(
            "reports",
            format!(
                "{} measured by the hardware, {} arrived before the next frame began",
                quality.measured, quality.in_time
            ),
        );
        let rate = |period: Option<f64>, none: &str| {
            period.map_or_else(|| none.to_owned(), |ms| format!("{ms:.3} ms, {:.3} Hz", 1e3 / ms))
        };
        let announced = rate(quality.announced_ms, "nothing");
        line(
            "announced",
            match quality.misreported_ms {
                Some(_) => format!("{announced}, which differs from the measured one"),
                None => announced,
            },
        );
        line("between frames", rate(quality.interval_ms, "nothing to measure"));
        line("refreshes", rate(quality.period_ms, "frames follow no grid"));
        line(
            "PresentClock",
            if quality.is_followed {
                "follows the reports".to_owned()
            } else {
                "does not follow the reports: it is a DisplayClock".to_owned()
            },
        );
        if quality.errors.is_empty() {
            line(
                "animated by",
                "nothing to measure: fewer than two frames after the first two seconds were displayed".to_owned(),
            );
        }
        for errors in &quality.errors {
            let (rms, p99, max) = (errors.rms_ms, errors.p99_ms, errors.max_ms);
            line(
                "animated by",
                format!(
                    "{:14} error rms {rms:.3} ms, 99 % at most {p99:.3}, largest {max:.3}",
                    errors.by.name()
                ),
            );
        }
        text
    }
}

//! `evenstep present`: how good the desktop's reports of presented frames are.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use evenstep::MonotonicClock;
use evenstep_present::wayland::{PresentationClock, PresentationFeedback, WaylandError, Window};
use evenstep_present::{FeedbackQuality, Session};
use serde::Serialize;

use crate::commands::values::seconds;
use crate::failure::Failure;
use crate::output::{self, file::OutputFile, progress};
use crate::{interrupt, output::json};

/// The arguments of `present`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How long to show frames.
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds, allow_hyphen_values = true)]
    seconds: Duration,
    /// Write a recording that `analyze` reads.
    #[arg(long, value_name = "OUT.csv")]
    out: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// A compositor that wants no frame for so long gets one nevertheless.
const PATIENCE: Duration = Duration::from_millis(250);

/// After the last frame, reports are waited for so long.
const AFTERWARDS: Duration = Duration::from_millis(200);

/// What `--json` prints. The crate's README describes it.
#[derive(Serialize)]
struct Report {
    clock: Option<String>,
    #[serde(flatten)]
    quality: FeedbackQuality,
}

pub(crate) fn present(args: &Arguments) -> Result<ExitCode, Failure> {
    let held = interrupt::hold().map_err(Failure::deaf)?;
    let file = args
        .out
        .as_deref()
        .map(|path| OutputFile::check("--out", path))
        .transpose()?;
    let (session, clock) = show(args.seconds).map_err(|error| {
        Failure::Run(format!(
            "{error}; this needs a Wayland desktop that WAYLAND_DISPLAY names"
        ))
    })?;
    drop(held);
    if let Some(file) = file {
        file.write(|output| session.write_recording(output))?;
    }
    let report = Report {
        clock: clock.map(|clock| format!("{clock:?}")),
        quality: session.quality(),
    };
    output::say(&if args.json { json(&report)? } else { report.text() })?;
    Ok(ExitCode::SUCCESS)
}

/// Shows frames whenever the compositor wants one.
fn show(seconds: Duration) -> Result<(Session, Option<PresentationClock>), WaylandError> {
    let mut window = Window::open("evenstep present")?;
    let mut feedback = PresentationFeedback::new(window.connection())?;
    let (clock, mut session) = (MonotonicClock::new(), Session::default());
    let bar = progress::bar(seconds);
    while clock.now() < seconds && !interrupt::is_asked() && !window.is_closed() {
        let id = session.begin(clock.now());
        feedback.request(window.surface(), id);
        session.submit(clock.now());
        window.commit()?;
        window.wait(PATIENCE)?;
        take(&mut feedback, &clock, &mut session)?;
        progress::show(&bar, clock.now());
    }
    window.listen(AFTERWARDS)?;
    take(&mut feedback, &clock, &mut session)?;
    bar.finish_and_clear();
    Ok((session, feedback.clock()))
}

/// Takes the reports that have arrived.
fn take(
    feedback: &mut PresentationFeedback,
    clock: &MonotonicClock,
    session: &mut Session,
) -> Result<(), WaylandError> {
    for report in feedback.poll(clock)? {
        session.observe(report, clock.now());
    }
    Ok(())
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
                "{}: {} seen, {} discarded, {} without a report",
                quality.frames, quality.seen, quality.discarded, quality.missing
            ),
        );
        line("clock", self.clock.clone().unwrap_or_else(|| "not told".to_owned()));
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
        line("announced", rate(quality.announced_ms, "nothing"));
        line("between frames", rate(quality.interval_ms, "nothing to measure"));
        line("refreshes", rate(quality.period_ms, "frames follow no grid"));
        if quality.errors.is_empty() {
            line(
                "animated by",
                "nothing to measure: no two frames after two seconds were seen".to_owned(),
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

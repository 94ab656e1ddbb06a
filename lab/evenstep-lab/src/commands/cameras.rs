//! `evenstep-lab cameras`: measures the jitter of cameras and hands relative to the body that they belong to.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use evenstep::Rate;
use evenstep_evaluation::{Attachment, AttachmentScore, score_attachments};
use serde::Serialize;

use evenstep_cli::failure::Failure;
use evenstep_cli::output;

/// The arguments of `cameras`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Steps per second, several with commas in between.
    #[arg(
        long,
        value_name = "HZ|N/D",
        value_delimiter = ',',
        default_value = "20,30,60,120,240",
        allow_hyphen_values = true
    )]
    rate: Vec<Rate>,
    /// Frames per second of the displays, several with commas in between.
    #[arg(
        long,
        value_name = "HZ|N/D",
        value_delimiter = ',',
        default_value = "24,30,48,60000/1001,60,75,120,144,165,240,360",
        allow_hyphen_values = true
    )]
    display: Vec<Rate>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// The largest number of steps and frames a second.
const MOST: f64 = 1e5;

/// The output of `--json`, which the crate's README describes.
#[derive(Serialize)]
struct Table {
    displays_hz: Vec<f64>,
    scores: Vec<AttachmentScore>,
}

pub(crate) fn cameras(args: &Arguments) -> Result<ExitCode, Failure> {
    for (name, rates) in [("--rate", &args.rate), ("--display", &args.display)] {
        let total: f64 = rates.iter().copied().map(Rate::as_hz_f64).sum();
        if total > MOST {
            return Err(Failure::Usage(format!(
                "{name}: more than {MOST} a second in all; give lower rates or fewer"
            )));
        }
    }
    let table = Table {
        displays_hz: args.display.iter().copied().map(Rate::as_hz_f64).collect(),
        scores: score_attachments(&args.rate, &args.display),
    };
    output::print(&if args.json { output::json(&table)? } else { table.text() })?;
    Ok(ExitCode::SUCCESS)
}

const fn name(attachment: Attachment) -> &'static str {
    match attachment {
        Attachment::Follower => "Follower",
        Attachment::CameraInStep => "moved in the step",
        Attachment::CameraOnNewest => "per frame, to the newest state",
        Attachment::ShareOfTheWay => "a tenth of the way per frame",
        Attachment::Attached => "Attached",
        Attachment::BlendedInWorld => "blended in the world",
        Attachment::HandInStep => "moved in the step",
    }
}

impl Table {
    fn text(&self) -> String {
        let displays: Vec<String> = self.displays_hz.iter().map(|hertz| format!("{hertz:.4}")).collect();
        let displays: Vec<&str> = displays
            .iter()
            .map(|hertz| hertz.trim_end_matches('0').trim_end_matches('.'))
            .collect();
        let mut text = format!("On displays at {} Hz, the worst of each:\n", displays.join(", "));
        self.part(&mut text, "A camera behind a body that runs at 10 m/s", true);
        self.part(&mut text, "A hand 1 m from a body that turns once in 2 s", false);
        text
    }

    fn part(&self, text: &mut String, title: &str, cameras: bool) {
        let [jitter, at, mean] = ["jitter", "at", "distance"];
        let _ = writeln!(text, "\n{title}");
        let _ = writeln!(
            text,
            "  {:32} {:>9} {jitter:>16} {at:>10} {mean:>20}",
            "drawn by", "steps/s"
        );
        let of_part = |score: &&AttachmentScore| score.attachment.is_camera() == cameras;
        let mut scores: Vec<&AttachmentScore> = self.scores.iter().filter(of_part).collect();
        scores.sort_by_key(|score| score.attachment);
        for score in scores {
            let _ = writeln!(
                text,
                "  {:32} {:9} {:13.6} mm {:7.2} Hz {:8.3} to {:6.3} m",
                name(score.attachment),
                score.steps_hz,
                score.jitter_mm,
                score.worst_display_hz,
                score.nearest_m,
                score.farthest_m
            );
        }
    }
}

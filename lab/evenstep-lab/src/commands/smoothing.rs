//! `evenstep-lab smoothing`: measures the latency and the error of each way of drawing between steps.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use evenstep::{Rate, SimTime};
use evenstep_scenes::SceneInfo;
use serde::Serialize;

use crate::simulation::drawing::{Measured, REFERENCE, measure_all};
use evenstep_cli::failure::Failure;
use evenstep_cli::output;
use evenstep_cli::values::seconds;

/// The arguments of `smoothing`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The scene; `evenstep-lab scenes` lists them.
    #[arg(long, value_name = "NAME")]
    scene: String,
    /// Set something about the scene; can be given more than once.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Steps per second [default: the scene's own].
    #[arg(long, value_name = "HZ|N/D", allow_hyphen_values = true)]
    rate: Option<Rate>,
    /// Frames per second of the display.
    #[arg(long, value_name = "HZ|N/D", default_value = "144", allow_hyphen_values = true)]
    display: Rate,
    /// The measured time.
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds, allow_hyphen_values = true)]
    seconds: Duration,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// The largest number of frames that is kept.
const MOST_FRAMES: f64 = 1e6;

/// The largest number of steps: ten minutes of the reference.
const MAX_STEPS: f64 = 6e6;

/// The output of `--json`, which the crate's README describes.
#[derive(Serialize)]
struct Table {
    scene: &'static str,
    settings: String,
    rate: String,
    display: String,
    seconds: f64,
    unit: &'static str,
    ways: Vec<Measured>,
}

/// Measures all ways on one scene.
pub(crate) fn smoothing(args: &Arguments) -> Result<ExitCode, Failure> {
    let info = SceneInfo::by_name(&args.scene).ok_or_else(|| {
        let name = &args.scene;
        Failure::Usage(format!(
            "--scene: no scene is called {name}; evenstep-lab scenes lists them"
        ))
    })?;
    let mut settings = info.settings();
    for assignment in &args.set {
        let set = settings.set(assignment);
        set.map_err(|error| Failure::Usage(format!("--set: {error}")))?;
    }
    let rate = args.rate.unwrap_or(info.rate);
    let times = frame_times(args, rate)?;
    let table = Table {
        scene: info.name,
        settings: settings.to_string(),
        rate: rate.to_string(),
        display: args.display.to_string(),
        seconds: args.seconds.as_secs_f64(),
        unit: info.channels.first().map_or("", |channel| channel.unit),
        ways: measure_all(info, &settings, rate, &times)?,
    };
    output::print(&if args.json { output::json(&table)? } else { table.text() })?;
    Ok(ExitCode::SUCCESS)
}

/// The times at which the display shows its frames; an error if there are too many.
fn frame_times(args: &Arguments, rate: Rate) -> Result<Vec<Duration>, Failure> {
    let seconds = args.seconds.as_secs_f64();
    let frames = (seconds * args.display.as_hz_f64()).round();
    let wrong = |reason: String| Err(Failure::Usage(reason));
    if frames < 1.0 {
        return wrong("--seconds: no frame of --display is shown; give more seconds".to_owned());
    }
    if frames > MOST_FRAMES {
        return wrong(format!(
            "--seconds: more than {MOST_FRAMES} frames; give fewer seconds or a slower --display"
        ));
    }
    if seconds * rate.as_hz_f64().max(REFERENCE.as_hz_f64()) > MAX_STEPS {
        return wrong(format!(
            "--seconds: more than {MAX_STEPS} steps; give fewer seconds or a lower --rate"
        ));
    }
    let shown = |frame| SimTime::at_tick(frame, args.display).to_duration();
    Ok((1..=frames as u64).map(shown).collect())
}

impl Table {
    fn text(&self) -> String {
        let Self {
            scene, settings, rate, ..
        } = self;
        let mut text = format!(
            "{scene} ({settings}) at {rate}, shown at {} for {} s\n",
            self.display, self.seconds
        );
        let [rms, largest] = ["rms", "max"];
        text += &format!(
            "{:12} {:>12}   {:^29}   {:^29}\n",
            "", "", "error when shown", "error of the path"
        );
        text += &format!(
            "{:12} {:>12} {rms:>14} {largest:>14}   {rms:>14} {largest:>14}\n",
            "", "latency"
        );
        for way in &self.ways {
            let unit = self.unit;
            let length = |value: f64| format!("{value:.4} {unit}");
            text += &format!(
                "{:12} {:9.2} ms {:>14} {:>14}   {:>14} {:>14}\n",
                way.name,
                way.latency_ms,
                length(way.error_rms),
                length(way.error_max),
                length(way.path_rms),
                length(way.path_max)
            );
        }
        text
    }
}

//! `evenstep-lab run`: runs a scene on the frames of a display.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use evenstep::{Rate, TimeScale};
use evenstep_scenes::SceneInfo;
use evenstep_trace::simulate::Filter;

use csv::Rows;
use evenstep_cli::failure::Failure;
use evenstep_cli::output;
use evenstep_cli::output::output_file::Files;
use evenstep_cli::values::{milliseconds, seconds};
use frames::{Frames, Source};
use options::{Options, SmoothingChoice, Stepping};
use simulation::{MAX_FRAMES, simulate, too_long};

mod csv;
mod frames;
mod options;
mod simulation;
mod stepped_scene;
mod table;

/// The arguments of `run`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The scene; `evenstep-lab scenes` lists them.
    #[arg(default_value = "spring-and-ball")]
    scene: String,
    /// Steps per second [default: the scene's own].
    #[arg(long, value_name = "HZ|N/D", allow_hyphen_values = true)]
    rate: Option<Rate>,
    /// Where frames come from: a trace, an even rate, or 40-60, a display that fluctuates.
    #[arg(long, value_name = "FILE|HZ", default_value = "60", allow_hyphen_values = true)]
    frames: Source,
    /// Real time to run for [default: the whole trace, or the scene's duration].
    #[arg(long, value_name = "S", value_parser = seconds, allow_hyphen_values = true)]
    seconds: Option<Duration>,
    /// How frames become steps; all compares five loops in a table.
    #[arg(long, value_enum, default_value_t)]
    stepping: Stepping,
    /// How to draw between fixed steps.
    #[arg(long, value_enum, default_value_t)]
    smoothing: SmoothingChoice,
    /// The largest number of steps in a frame; for fixed steps [default: as many as fit into --max-delta].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_steps: Option<u32>,
    /// The longest frame time that is simulated; longer ones are clamped. In milliseconds.
    #[arg(long, value_name = "MS", default_value = "250", value_parser = milliseconds, allow_hyphen_values = true)]
    max_delta: Duration,
    /// Simulated seconds per second.
    #[arg(long, value_name = "N/D", default_value = "1", allow_hyphen_values = true)]
    time_scale: TimeScale,
    /// The filter that smooths frame times: none, snap, average or default.
    #[arg(long, value_name = "NAME", value_parser = filter, default_value = "none")]
    filter: Filter,
    /// Set something about the scene; can be given more than once.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Run until TICK steps are done, and print the hash of the state's bits then.
    #[arg(long, value_name = "TICK", value_parser = tick, allow_hyphen_values = true)]
    hash_at: Option<u64>,
    /// Write every frame to a CSV file.
    #[arg(long, value_name = "OUT")]
    csv: Option<PathBuf>,
}

fn filter(text: &str) -> Result<Filter, String> {
    let mut filters = Filter::ALL.into_iter();
    let found = filters.find(|filter| filter.to_string() == text);
    found.ok_or_else(|| "is not a filter; give none, snap, average or default".to_owned())
}

fn tick(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "is not a whole number of steps".to_owned())
}

impl Arguments {
    /// Checks the options of the run.
    fn options(&self) -> Result<Options, Failure> {
        let scene = SceneInfo::by_name(&self.scene).ok_or_else(|| {
            let name = &self.scene;
            Failure::Usage(format!("no scene is called {name}; evenstep-lab scenes lists them"))
        })?;
        let mut settings = scene.settings();
        for assignment in &self.set {
            settings
                .set(assignment)
                .map_err(|error| Failure::Usage(format!("--set: {error}")))?;
        }
        if self.hash_at.is_some_and(|tick| tick > 0) && self.time_scale.is_paused() {
            let reason = "--hash-at: with --time-scale 0 no tick is ever reached; give a scale above zero";
            return Err(Failure::Usage(reason.to_owned()));
        }
        if self.stepping == Stepping::All && (self.csv.is_some() || self.hash_at.is_some()) {
            let reason = "--stepping all: runs five loops; give one for --csv or --hash-at";
            return Err(Failure::Usage(reason.to_owned()));
        }
        let rate = self.rate.unwrap_or(scene.rate);
        Ok(Options {
            scene,
            settings,
            rate,
            stepping: self.stepping,
            // If steps follow the display, there is nothing to draw between.
            smoothing: match self.stepping {
                Stepping::Fixed => self.smoothing,
                _ => SmoothingChoice::None,
            },
            filter: self.filter,
            time_scale: self.time_scale,
            hash_at: self.hash_at,
            max_steps: self.max_steps,
            max_delta: self.max_delta,
        })
    }
}

/// Runs `evenstep-lab run`.
pub(crate) fn run(args: &Arguments) -> Result<ExitCode, Failure> {
    let options = args.options()?;
    let mut files = Files::default();
    if let Source::File(trace) = &args.frames {
        files.read("--frames", [trace]);
    }
    let csv = files.output("--csv", args.csv.as_deref())?;
    let scene = options.build_scene()?;
    let mut rows = csv.is_some().then(|| Rows::new(&options, scene.as_ref()));
    let frames = Frames::open(&args.frames)?;
    let scene_length = Duration::from_secs(u64::from(options.scene.seconds));
    let seconds = args.seconds.or(frames.length).unwrap_or(scene_length);
    let expected = frames.hertz().map(|hertz| hertz * seconds.as_secs_f64());
    if expected.is_some_and(|frames| frames > MAX_FRAMES as f64) {
        return Err(too_long());
    }
    let mut text = table::header(&options, &frames, seconds);
    for options in options.loops() {
        let run = simulate(&options, &mut frames.clone(), seconds, rows.as_mut())?;
        text += &table::row(&options, &run);
        if let Some((tick, hash)) = run.hash {
            text += &format!("hash {tick} {hash:016x}\n");
        }
    }
    if let (Some(file), Some(rows)) = (csv, rows) {
        file.write(rows.text.as_bytes())?;
    }
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

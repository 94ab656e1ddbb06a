use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use evenstep::{Rate, TimeScale};
use evenstep_scenes::Nudge;
use evenstep_trace::{Filter, Rows};
use serde::Serialize;

use crate::failure::Failure;
use crate::frames::Source;
use crate::{analyze, compare, filters, lab, record, replay, run, scenes, smoothing};

/// Fixed-timestep simulation: real frame times in, even steps and smooth pictures out.
#[derive(Parser)]
#[command(name = "evenstep", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene on the frames of a display and say how even and smooth it was.
    Run(Box<RunArgs>),
    /// List the scenes and their settings.
    Scenes,
    /// Record the frame times of a live loop, for `run --frames`.
    Record(RecordArgs),
    /// Do a run again that `run --record` has recorded, and see that every state is the same.
    Replay(ReplayArgs),
    /// Say how late and how wrong each way of drawing between steps is.
    Smoothing(SmoothingArgs),
    /// Measure recorded frame times as the industry does.
    Analyze(AnalyzeArgs),
    /// Say what a game would look like on recorded frames, under every way of stepping and drawing.
    Compare(CompareArgs),
    /// Hold delta filters against each other, on displays whose truth is known.
    Filters(FiltersArgs),
    /// Serve the lab, a web page, on this machine.
    Lab(LabArgs),
}

/// What `run` can be told.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// The scene; `evenstep scenes` lists them.
    pub(crate) scene: String,
    /// The physics engine of a scene that has one: box2d, rapier2d or rapier3d [default: the scene's first].
    #[arg(long, value_name = "NAME")]
    pub(crate) engine: Option<String>,
    /// Steps per second [default: the scene's own].
    #[arg(long, value_name = "HZ|N/D", allow_hyphen_values = true)]
    pub(crate) rate: Option<Rate>,
    /// Where frames come from: a trace, an even rate, or the clock.
    #[arg(long, value_name = "FILE|HZ|live", default_value = "60", allow_hyphen_values = true)]
    pub(crate) frames: Source,
    /// Which program's frames to take from a trace [default: the one with the most].
    #[arg(long, value_name = "NAME")]
    pub(crate) chain: Option<String>,
    /// Skip unreadable rows of a trace, and count them.
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Real time to run for [default: the whole trace, or all there is to see].
    #[arg(long, value_name = "S", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) seconds: Option<Duration>,
    /// How frames become steps.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) stepping: Stepping,
    /// How to draw between fixed steps.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) smoothing: SmoothingChoice,
    /// The most steps in a frame; for fixed steps [default: as many as --max-delta is worth].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_steps: Option<u32>,
    /// The longest frame that is believed, in milliseconds.
    #[arg(long, value_name = "MS", default_value = "250", value_parser = milliseconds, allow_hyphen_values = true)]
    pub(crate) max_delta: Duration,
    /// What happens to steps beyond --max-steps: dropped, kept up to 250 ms, or caught up with at 3/2 of the speed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) overrun: OverrunChoice,
    /// Simulated seconds per second.
    #[arg(long, value_name = "N/D", default_value = "1", allow_hyphen_values = true)]
    pub(crate) time_scale: TimeScale,
    /// Pause when this much real time has passed.
    #[arg(long, value_name = "S", value_parser = seconds, requires = "pause_for", allow_hyphen_values = true)]
    pub(crate) pause_at: Option<Duration>,
    /// How long to pause for.
    #[arg(long, value_name = "S", value_parser = seconds, requires = "pause_at", allow_hyphen_values = true)]
    pub(crate) pause_for: Option<Duration>,
    /// How to even out frame times before they are believed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) filter: FilterChoice,
    /// Set something about the scene; can be given more than once.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Run until TICK steps are done, and print the hash of the state's bits then.
    #[arg(long, value_name = "TICK", value_parser = tick, allow_hyphen_values = true)]
    pub(crate) hash_at: Option<u64>,
    /// Change the velocity of what moves before a step, by units per second; can be given more than once.
    #[arg(long, value_name = "TICK:X[,Y]", value_parser = nudge)]
    pub(crate) nudge: Vec<Nudge>,
    /// Record the run, with a hash of every state, for `replay`.
    #[arg(long, value_name = "OUT")]
    pub(crate) record: Option<PathBuf>,
    /// Write every frame to a CSV file.
    #[arg(long, value_name = "OUT")]
    pub(crate) csv: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a page with charts.
    #[arg(long, value_name = "OUT.html")]
    pub(crate) report: Option<PathBuf>,
}

/// What `record` can be told.
#[derive(Args)]
pub(crate) struct RecordArgs {
    /// The file to write.
    pub(crate) out: PathBuf,
    /// How long to record for.
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) seconds: Duration,
    /// The rate at which the loop aims to run.
    #[arg(long, value_name = "HZ|N/D", default_value = "60", allow_hyphen_values = true)]
    pub(crate) rate: Rate,
}

/// What `replay` can be told.
#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The recording.
    pub(crate) file: PathBuf,
}

/// What `smoothing` can be told.
#[derive(Args)]
pub(crate) struct SmoothingArgs {
    /// The scene; `evenstep scenes` lists them.
    #[arg(long, value_name = "NAME")]
    pub(crate) scene: String,
    /// Set something about the scene; can be given more than once.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Steps per second [default: the scene's own].
    #[arg(long, value_name = "HZ|N/D", allow_hyphen_values = true)]
    pub(crate) rate: Option<Rate>,
    /// Frames per second of the display.
    #[arg(long, value_name = "HZ|N/D", default_value = "144", allow_hyphen_values = true)]
    pub(crate) display: Rate,
    /// How long to look.
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) seconds: Duration,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What `analyze` can be told.
#[derive(Args)]
pub(crate) struct AnalyzeArgs {
    /// The traces; patterns such as 'captures/*.csv' are followed.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Only the chain of this name: an application, process or swap chain.
    #[arg(long, value_name = "NAME")]
    pub(crate) chain: Option<String>,
    /// Skip unreadable rows, and count them.
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Write what PresentMon says of each row, computed anew, to a CSV file; for one trace.
    #[arg(long, value_name = "OUT.csv")]
    pub(crate) rows: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a page with charts of each chain.
    #[arg(long, value_name = "OUT.html")]
    pub(crate) report: Option<PathBuf>,
}

/// What `compare` can be told.
#[derive(Args)]
pub(crate) struct CompareArgs {
    /// The trace.
    pub(crate) trace: PathBuf,
    /// Which program's frames to take [default: the one with the most].
    #[arg(long, value_name = "NAME")]
    pub(crate) chain: Option<String>,
    /// Skip unreadable rows, and count them.
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Steps per second.
    #[arg(long, value_name = "HZ|N/D", default_value = "60", allow_hyphen_values = true)]
    pub(crate) rate: Rate,
    /// The display to simulate [default: the recorded one; vrr where the trace tells of none].
    #[arg(long, value_name = "HZ|vrr", allow_hyphen_values = true)]
    pub(crate) display: Option<DisplayChoice>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a page with charts of the motion and its errors.
    #[arg(long, value_name = "OUT.html")]
    pub(crate) report: Option<PathBuf>,
}

/// What `filters` can be told.
#[derive(Args)]
pub(crate) struct FiltersArgs {
    /// What the noise is made from: the same seed gives the same table.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A display to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DisplayChoice {
    /// With a fixed refresh rate.
    Fixed(Rate),
    /// With a variable one.
    Variable,
}

impl std::str::FromStr for DisplayChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "vrr" => Ok(Self::Variable),
            rate => match rate.parse() {
                Ok(rate) => Ok(Self::Fixed(rate)),
                Err(error) => Err(format!("{error}; or give vrr")),
            },
        }
    }
}

/// What `lab` can be told.
#[derive(Args)]
pub(crate) struct LabArgs {
    /// The folder of the built page; `cargo xtask page` writes it.
    #[arg(default_value = "target/page/site")]
    pub(crate) page: PathBuf,
    /// The port to serve on; 0 takes any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    pub(crate) port: u16,
    /// Do not open a browser.
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stepping {
    /// Equal steps, whatever the display does.
    #[default]
    Fixed,
    /// One step a frame, as long as the frame.
    Variable,
    /// One equal step a frame.
    Locked,
    /// Equal steps and a shorter one for the rest of the frame.
    SemiFixed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SmoothingChoice {
    /// The newest state.
    None,
    /// Between the last two states.
    #[default]
    Interpolate,
    /// Ahead of the newest state, for at most one step.
    Extrapolate,
    /// On a curve between the last two states.
    Hermite,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OverrunChoice {
    #[default]
    Drop,
    Carry,
    Stretch,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FilterChoice {
    #[default]
    None,
    /// To multiples of the display's refresh interval, which is estimated.
    Snap,
    /// The mean of four frames.
    Average,
    /// To the display's fractional period and phase, which are estimated.
    DisplayClock,
}

impl From<FilterChoice> for Filter {
    fn from(choice: FilterChoice) -> Self {
        match choice {
            FilterChoice::None => Self::None,
            FilterChoice::Snap => Self::Snap,
            FilterChoice::Average => Self::Average,
            FilterChoice::DisplayClock => Self::DisplayClock,
        }
    }
}

/// What `--lenient` makes of rows that cannot be read.
pub(crate) fn rows(lenient: bool) -> Rows {
    if lenient { Rows::Readable } else { Rows::All }
}

fn seconds(text: &str) -> Result<Duration, String> {
    positive(text, 1.0, "seconds")
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    positive(text, 1e-3, "milliseconds")
}

fn tick(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "is not a whole number of steps".to_owned())
}

fn nudge(text: &str) -> Result<Nudge, String> {
    let wrong = || "is not TICK:X or TICK:X,Y, such as 60:5,0".to_owned();
    let number = |text: &str| {
        text.parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .ok_or_else(wrong)
    };
    let (tick, by) = text.split_once(':').ok_or_else(wrong)?;
    let (x, y) = by.split_once(',').unwrap_or((by, "0"));
    Ok(Nudge {
        tick: tick.parse().map_err(|_| wrong())?,
        by: [number(x)?, number(y)?],
    })
}

fn positive(text: &str, unit: f64, name: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0);
    number
        .and_then(|number| Duration::try_from_secs_f64(number * unit).ok())
        .ok_or_else(|| format!("is not a number of {name} above zero"))
}

/// Reads the command line and carries it out.
pub(crate) fn run() -> Result<ExitCode, Failure> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && error.exit_code() == 2 && !is_help(&error) => return Err(one_line(&error)),
        Err(error) => error.exit(),
    };
    match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Scenes => scenes::list(),
        Command::Record(args) => record::record(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Smoothing(args) => smoothing::smoothing(&args),
        Command::Analyze(args) => analyze::analyze(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Filters(args) => filters::filters(&args),
        Command::Lab(args) => lab::serve(&args),
    }
}

fn is_help(error: &clap::Error) -> bool {
    error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// What clap says in several lines.
fn one_line(error: &clap::Error) -> Failure {
    let text = error.to_string();
    let words = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let said: Vec<&str> = words.take_while(|line| !line.starts_with("Usage:")).collect();
    let said = said.join(" ");
    let said = said.strip_prefix("error: ").unwrap_or(&said);
    let said = said.trim_end_matches("For more information, try '--help'.").trim_end();
    Failure::Usage(format!("{said}; see evenstep --help"))
}

//! `evenstep run`: frames in, steps and pictures out.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use evenstep::{Frame, SimTime, TimeScale};
use evenstep_scenes::{Flaw, Landmark, Outcome, Recording};

use crate::cli::{self, RunArgs, Stepping};
use crate::displays;
use crate::failure::{Failure, warn};
use crate::frames::{Frames, Source};
use crate::interrupt;
use crate::options::Options;
use crate::output::file::OutputFile;
use crate::output::{self, progress};
use crate::smoothness::{AnimationError, Meter, shown_time};
use crate::summary::{IntegratorSummary, Summary};
use crate::world::World;

/// More frames than this are not kept: four and a half hours at 60 Hz.
const MOST_FRAMES: usize = 1_000_000;

/// What a run saw, frame by frame.
pub(crate) struct Run {
    pub(crate) frames: Vec<Shown>,
    pub(crate) drawn_error: AnimationError,
    pub(crate) raw_error: AnimationError,
    pub(crate) integrators: Vec<IntegratorSummary>,
    pub(crate) surroundings: Vec<Landmark>,
    pub(crate) flaw: Option<Flaw>,
    pub(crate) outcome: Outcome,
    /// The simulated time in seconds at which the outcome was known.
    pub(crate) ended_at: Option<f64>,
    pub(crate) hash: Option<(u64, u64)>,
    pub(crate) recording: Recording,
}

/// One displayed frame.
pub(crate) struct Shown {
    pub(crate) delta: Duration,
    pub(crate) frame: Frame,
    /// Channel by channel: the newest value, and the one that was drawn.
    pub(crate) values: Vec<(f64, f64)>,
    /// What should have been drawn of the first channel, where that is known.
    pub(crate) exact: Option<f64>,
}

/// Carries out `evenstep run`.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let options = Options::check(args)?;
    options.build_scene()?;
    // What a live run saw until it is stopped is not lost.
    let held = match args.frames {
        Source::Live => Some(interrupt::hold().map_err(Failure::deaf)?),
        _ => None,
    };
    let Outputs { csv, report, record } = Outputs::check(args)?;
    let mut frames = Frames::open(&args.frames, args.chain.as_deref(), cli::rows(args.lenient))?;
    let scene_length = Duration::from_secs(u64::from(options.scene.seconds));
    let seconds = args.seconds.or(frames.length).unwrap_or(scene_length);
    let expected = frames.hertz().map(|hertz| hertz * seconds.as_secs_f64());
    if expected.is_some_and(|frames| frames > MOST_FRAMES as f64) {
        return Err(too_long());
    }
    let run = simulate(&options, &mut frames, seconds)?;
    drop(held);
    let displays = displays::compare(&options, &run)?;
    let mut summary = Summary::new(&options, &frames, &run, &displays);
    if let Some(flaw) = &mut summary.flaw {
        flaw.one_step_a_frame = flaw_at_one_step_a_frame(&options, &run)?;
    }
    if summary.skipped_rows > 0 {
        warn(&format!("{} unreadable rows were skipped", summary.skipped_rows));
    }
    if let Some(file) = csv {
        output::csv::write(file, &options, &run)?;
    }
    if let Some(file) = record {
        file.write(|output| run.recording.write(output))?;
    }
    if let Some(file) = report {
        output::report::write(file, &options, &run, &displays, &summary)?;
    }
    output::print(&summary, args.json)?;
    Ok(ExitCode::SUCCESS)
}

/// The files to write.
struct Outputs {
    csv: Option<OutputFile>,
    report: Option<OutputFile>,
    record: Option<OutputFile>,
}

impl Outputs {
    /// Makes sure that they are neither each other nor the trace to be read.
    fn check(args: &RunArgs) -> Result<Self, Failure> {
        let options = [
            ("--csv", &args.csv),
            ("--report", &args.report),
            ("--record", &args.record),
        ];
        let mut taken: Vec<(&str, &Path)> = Vec::new();
        if let Source::File(trace) = &args.frames {
            taken.push(("--frames", trace));
        }
        let mut files = Vec::new();
        for (option, path) in options {
            let file = path
                .as_deref()
                .map(|path| OutputFile::check(option, path))
                .transpose()?;
            if let (Some(file), Some(path)) = (&file, path) {
                taken
                    .iter()
                    .try_for_each(|(other, path)| file.must_not_be(other, path))?;
                taken.push((option, path));
            }
            files.push(file);
        }
        let mut files = files.into_iter();
        let mut next = || files.next().flatten();
        Ok(Self {
            csv: next(),
            report: next(),
            record: next(),
        })
    }
}

/// What the flaw of a run would have been on the same frames with one step in each.
fn flaw_at_one_step_a_frame(options: &Options, run: &Run) -> Result<Option<f64>, Failure> {
    let deltas: Vec<Duration> = run.frames.iter().map(|shown| shown.delta).collect();
    let seconds = deltas.iter().sum();
    let variable = options.plainly(Stepping::Variable, None);
    let run = simulate(&variable, &mut Frames::recorded(String::new(), deltas), seconds)?;
    Ok(run.flaw.map(|flaw| flaw.value))
}

/// Runs a scene until the time is up and the tick to be hashed is reached.
pub(crate) fn simulate(options: &Options, frames: &mut Frames, seconds: Duration) -> Result<Run, Failure> {
    let mut world = World::new(options)?;
    let mut timestep = options.build_timestep();
    let mut filter = options.build_filter();
    let bar = frames
        .is_live()
        .then(|| progress::bar(expected_length(options, seconds)));
    let (mut drawn, mut raw) = (Meter::default(), Meter::default());
    let mut shown = Vec::new();
    let mut elapsed = Duration::ZERO;
    while elapsed < seconds || world.awaits_hash() {
        if shown.len() == MOST_FRAMES {
            return Err(too_many_frames(options, &world));
        }
        let delta = frames.next();
        let scale = match options.pause {
            Some(pause) if pause.holds_at(elapsed) => TimeScale::PAUSED,
            _ => options.time_scale,
        };
        elapsed = elapsed.saturating_add(delta);
        timestep.set_time_scale(scale);
        let frame = timestep.advance(filter.apply(delta));
        frame.steps().for_each(|step| world.step(&step));
        // Until the first step is done, the picture stands still.
        if frame.tick() > 0 {
            let displayed = delta.as_secs_f64() * scale.as_f64();
            drawn.add(shown_time(&frame, options.smoothing(), options.rate), displayed);
            raw.add(frame.current_time().as_secs_f64(), displayed);
        }
        shown.push(Shown {
            delta,
            frame,
            values: world.draw(&frame),
            exact: world.exact(&frame),
        });
        if let Some(bar) = &bar {
            progress::show(bar, elapsed);
            if interrupt::is_asked() {
                break;
            }
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if let (Some(tick), true) = (options.hash_at, world.awaits_hash()) {
        let reason = format!("--hash-at {tick}: not reached, because the run was interrupted");
        return Err(Failure::Run(reason));
    }
    Ok(Run {
        frames: shown,
        drawn_error: drawn.result(),
        raw_error: raw.result(),
        integrators: world.contestants.iter().map(IntegratorSummary::new).collect(),
        surroundings: world.scene.surroundings(),
        flaw: world.scene.flaw(),
        outcome: world.scene.outcome(),
        ended_at: world.ended_at,
        hash: world.hash,
        recording: world.recorder.finish(),
    })
}

/// The real time that a run will take.
fn expected_length(options: &Options, seconds: Duration) -> Duration {
    let simulated = SimTime::at_tick(options.hash_at.unwrap_or(0), options.rate).as_secs_f64();
    let until_hash = Duration::try_from_secs_f64(simulated / options.time_scale.as_f64());
    until_hash.unwrap_or_default().max(seconds)
}

fn too_many_frames(options: &Options, world: &World<'_>) -> Failure {
    Failure::Run(match options.hash_at {
        Some(tick) if world.awaits_hash() => format!(
            "--hash-at {tick}: not reached in {MOST_FRAMES} frames; give longer frames or a larger --time-scale"
        ),
        _ => return too_long(),
    })
}

fn too_long() -> Failure {
    Failure::Run(format!(
        "--seconds: more than {MOST_FRAMES} frames; give fewer seconds or longer frames"
    ))
}

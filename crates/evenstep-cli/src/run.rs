//! `evenstep run`: frames in, steps and pictures out.

use std::process::ExitCode;
use std::time::Duration;

use evenstep::{Frame, Moving, Smoothed, Step, TimeScale};
use evenstep_scenes::{Kind, Outcome, Scene};
use evenstep_trace::Rows;

use crate::cli::RunArgs;
use crate::failure::Failure;
use crate::frames::Frames;
use crate::options::Options;
use crate::output::file::OutputFile;
use crate::output::{self, progress};
use crate::smoothness::{Meter, shown_time};
use crate::summary::{IntegratorSummary, Summary};

/// What a run saw, frame by frame.
pub(crate) struct Run {
    pub(crate) frames: Vec<Shown>,
    pub(crate) drawn_error: crate::smoothness::AnimationError,
    pub(crate) raw_error: crate::smoothness::AnimationError,
    /// The largest difference to the closed form after any step, and the largest value of the closed form.
    pub(crate) exact: Option<(f64, f64)>,
    pub(crate) outcome: Outcome,
    pub(crate) hash: Option<(u64, u64)>,
}

/// One displayed frame.
pub(crate) struct Shown {
    pub(crate) delta: Duration,
    pub(crate) frame: Frame,
    /// Channel by channel: the newest value, and the one that was drawn.
    pub(crate) values: Vec<(f64, f64)>,
}

/// Carries out `evenstep run`.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let options = Options::check(args)?;
    let rows = if args.lenient { Rows::Readable } else { Rows::All };
    options.build_scene()?;
    let csv = args.csv.as_deref().map(OutputFile::create).transpose()?;
    let report = args.report.as_deref().map(OutputFile::create).transpose()?;
    let mut frames = Frames::open(&args.frames, args.chain.as_deref(), rows)?;
    let seconds = args.seconds.unwrap_or(frames.seconds);
    let run = simulate(&options, &mut frames, seconds)?;
    let summary = Summary::new(&options, &frames, &run, compare_integrators(&options, &run)?);
    if summary.skipped_rows > 0 {
        eprintln!("evenstep: {} unreadable rows were skipped", summary.skipped_rows);
    }
    if let Some(file) = csv {
        output::csv::write(file, &options, &run)?;
    }
    if let Some(file) = report {
        output::report::write(file, &options, &run, &summary)?;
    }
    output::print(&summary, args.json);
    Ok(ExitCode::SUCCESS)
}

/// Runs a scene until the time is up and the tick to be hashed is reached.
fn simulate(options: &Options, frames: &mut Frames, seconds: Duration) -> Result<Run, Failure> {
    let mut world = World::new(options)?;
    let mut timestep = options.build_timestep();
    let mut filter = options.build_filter();
    let bar = frames.is_live().then(|| progress::bar(seconds));
    let (mut drawn, mut raw) = (Meter::default(), Meter::default());
    let mut shown = Vec::new();
    let mut elapsed = Duration::ZERO;
    world.hash_if_due(0);
    while elapsed < seconds || world.awaits_hash() {
        let delta = frames.next();
        let scale = match options.pause {
            Some(pause) if pause.holds_at(elapsed) => TimeScale::PAUSED,
            _ => options.time_scale,
        };
        elapsed = elapsed.saturating_add(delta);
        timestep.set_time_scale(scale);
        let frame = timestep.advance(filter.apply(delta));
        frame.steps().for_each(|step| world.step(step));
        // Until the first step is done, the picture stands still.
        if frame.tick() > 0 {
            let displayed = delta.as_secs_f64() * scale.as_f64();
            drawn.add(shown_time(&frame, options.smoothing, options.rate), displayed);
            raw.add(frame.current_time().as_secs_f64(), displayed);
        }
        shown.push(Shown {
            delta,
            frame,
            values: world.draw(&frame),
        });
        if let Some(bar) = &bar {
            progress::show(bar, elapsed);
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(Run {
        frames: shown,
        drawn_error: drawn.result(),
        raw_error: raw.result(),
        exact: world.exact,
        outcome: world.scene.outcome(),
        hash: world.hash,
    })
}

/// A scene with what is drawn of it.
struct World<'a> {
    options: &'a Options,
    scene: Box<dyn Scene>,
    channels: Vec<Smoothed<Moving<f64>>>,
    /// Room for what the scene reads out.
    values: Vec<Moving<f64>>,
    last_dt: f64,
    exact: Option<(f64, f64)>,
    hash: Option<(u64, u64)>,
}

impl<'a> World<'a> {
    fn new(options: &'a Options) -> Result<Self, Failure> {
        let scene = options.build_scene()?;
        let mut values = Vec::new();
        scene.read(&mut values);
        Ok(Self {
            options,
            channels: values.iter().copied().map(Smoothed::new).collect(),
            values,
            last_dt: options.rate.period_secs_f64(),
            exact: scene.exact(0.0).map(|value| (0.0, value.abs())),
            hash: None,
            scene,
        })
    }

    fn step(&mut self, step: Step) {
        self.channels.iter_mut().for_each(Smoothed::begin_step);
        self.scene.step(&step);
        self.last_dt = step.dt;
        self.values.clear();
        self.scene.read(&mut self.values);
        for (channel, value) in self.channels.iter_mut().zip(&self.values) {
            channel.set(*value);
        }
        self.compare_to_exact(&step);
        self.hash_if_due(step.tick + 1);
    }

    fn compare_to_exact(&mut self, step: &Step) {
        if self.scene.outcome() == Outcome::Exploded {
            return;
        }
        let Some((error, amplitude)) = &mut self.exact else {
            return;
        };
        let exact = self.scene.exact(step.end().as_secs_f64());
        if let (Some(exact), Some(value)) = (exact, self.values.first()) {
            *error = error.max((value.position - exact).abs());
            *amplitude = amplitude.max(exact.abs());
        }
    }

    fn awaits_hash(&self) -> bool {
        self.options.hash_at.is_some() && self.hash.is_none()
    }

    fn hash_if_due(&mut self, ticks_done: u64) {
        if self.options.hash_at == Some(ticks_done) {
            self.hash = Some((ticks_done, self.scene.hash()));
        }
    }

    fn draw(&self, frame: &Frame) -> Vec<(f64, f64)> {
        let drawn =
            |channel: &Smoothed<Moving<f64>>| channel.drawn(self.options.smoothing, frame.alpha(), self.last_dt);
        self.channels
            .iter()
            .map(|channel| (channel.current().position, drawn(channel).position))
            .collect()
    }
}

/// Repeats a run of a scene that has a closed form with every integrator, on the same frames.
fn compare_integrators(options: &Options, run: &Run) -> Result<Vec<IntegratorSummary>, Failure> {
    let setting = options
        .scene
        .settings
        .iter()
        .find(|setting| setting.key == "integrator");
    let (Some(Kind::Choice(names)), true) = (setting.map(|setting| setting.kind), run.exact.is_some()) else {
        return Ok(Vec::new());
    };
    let deltas: Vec<Duration> = run.frames.iter().map(|shown| shown.delta).collect();
    let seconds = deltas.iter().sum();
    let repeat = |name: &&'static str| {
        let mut options = options.clone();
        options.hash_at = None;
        options
            .settings
            .set(&format!("integrator={name}"))
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let run = simulate(&options, &mut Frames::recorded(String::new(), deltas.clone()), seconds)?;
        Ok(IntegratorSummary::new(name, &run))
    };
    names.iter().map(repeat).collect()
}

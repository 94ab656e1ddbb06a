//! A scene in progress, with its drawn state and its reference.

use std::time::Duration;

use evenstep::{PositionVelocity, Smoothed, Step};
use evenstep_scenes::stepping::SteppedFrame;
use evenstep_scenes::{Outcome, Scene, SettingKind};
use serde::Serialize;

use crate::run::options::{Options, scene_failure};
use evenstep_cli::failure::Failure;

/// A scene with its drawn state.
pub(crate) struct SteppedScene<'a> {
    options: &'a Options,
    pub(crate) scene: Box<dyn Scene>,
    /// The same scene with each of its integrators, if it has a closed form.
    pub(crate) integrators: Vec<IntegratorRun>,
    /// The simulated time in seconds at which the outcome was known.
    pub(crate) ended_at: Option<f64>,
    /// A number of ticks, and the hash of the state after them.
    pub(crate) hash: Option<(u64, u64)>,
    channels: Vec<Smoothed<PositionVelocity<f64>>>,
    /// A buffer for the scene's channels.
    values: Vec<PositionVelocity<f64>>,
    last_dt: f64,
    /// The simulated time of the newest state.
    now: Duration,
}

impl<'a> SteppedScene<'a> {
    pub(crate) fn new(options: &'a Options) -> Result<Self, Failure> {
        let scene = options.build_scene()?;
        let mut values = Vec::new();
        scene.read(&mut values);
        let mut world = Self {
            options,
            integrators: IntegratorRun::all(options, scene.as_ref())?,
            scene,
            ended_at: None,
            hash: None,
            channels: values.iter().copied().map(Smoothed::new).collect(),
            values,
            last_dt: options.rate.period_secs_f64(),
            now: Duration::ZERO,
        };
        world.hash_if_due(0);
        Ok(world)
    }

    /// Runs one step of the scene and of its integrators.
    pub(crate) fn step(&mut self, step: &Step) {
        self.now += step.duration();
        let end = self.now.as_secs_f64();
        self.channels.iter_mut().for_each(Smoothed::begin_step);
        self.scene.step(step);
        self.last_dt = step.dt;
        self.values.clear();
        self.scene.read(&mut self.values);
        for (channel, value) in self.channels.iter_mut().zip(&self.values) {
            channel.set(*value);
        }
        self.integrators
            .iter_mut()
            .for_each(|integrator| integrator.step(step, end));
        if self.ended_at.is_none() && self.scene.outcome() != Outcome::Running {
            self.ended_at = Some(end);
        }
        self.hash_if_due(step.tick + 1);
    }

    /// Whether the tick to be hashed has not been reached yet.
    pub(crate) fn awaits_hash(&self) -> bool {
        self.options.hash_at.is_some() && self.hash.is_none()
    }

    fn hash_if_due(&mut self, ticks_done: u64) {
        if self.options.hash_at == Some(ticks_done) {
            self.hash = Some((ticks_done, self.scene.hash()));
        }
    }

    /// The newest value and the drawn value of each channel.
    pub(crate) fn draw(&self, frame: &SteppedFrame) -> Vec<(f64, f64)> {
        let smoothing = self.options.smoothing();
        let drawn = |channel: &Smoothed<PositionVelocity<f64>>| channel.drawn(smoothing, frame.alpha(), self.last_dt);
        self.channels
            .iter()
            .map(|channel| (channel.current().position, drawn(channel).position))
            .collect()
    }

    /// The exact value of the first channel at the time that is drawn.
    pub(crate) fn exact(&self, frame: &SteppedFrame) -> Option<f64> {
        let time = frame.shown_time(self.options.smoothing());
        self.scene.exact(time.as_secs_f64())
    }
}

/// The deviation of an integrator from the closed form, on the same frames as the others.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct IntegratorError {
    pub(crate) name: &'static str,
    /// The largest difference in percent of the amplitude; `None` if it exploded.
    pub(crate) error_pct: Option<f64>,
}

impl IntegratorError {
    pub(crate) fn new(integrator: &IntegratorRun) -> Self {
        Self {
            name: integrator.name,
            error_pct: integrator.error_pct(),
        }
    }
}

/// An integrator in progress, with its deviation from the closed form.
pub(crate) struct IntegratorRun {
    name: &'static str,
    scene: Box<dyn Scene>,
    values: Vec<PositionVelocity<f64>>,
    /// The largest difference to the closed form after any step.
    error: f64,
    /// The largest value of the closed form.
    amplitude: f64,
}

impl IntegratorRun {
    fn all(options: &Options, scene: &dyn Scene) -> Result<Vec<Self>, Failure> {
        let mut settings = options.scene.settings.iter();
        let setting = settings.find(|setting| setting.key == "integrator");
        let (Some(SettingKind::Choice(names)), Some(start)) = (setting.map(|setting| setting.kind), scene.exact(0.0))
        else {
            return Ok(Vec::new());
        };
        let integrator = |name: &&'static str| {
            let mut settings = options.settings.clone();
            let chosen = settings.set(&format!("integrator={name}"));
            chosen.map_err(|error| Failure::Usage(error.to_string()))?;
            Ok(Self {
                name,
                scene: options.scene.build(&settings).map_err(scene_failure)?,
                values: Vec::new(),
                error: 0.0,
                amplitude: start.abs(),
            })
        };
        names.iter().map(integrator).collect()
    }

    fn step(&mut self, step: &Step, end: f64) {
        self.scene.step(step);
        self.values.clear();
        self.scene.read(&mut self.values);
        if let (Some(exact), Some(value)) = (self.scene.exact(end), self.values.first()) {
            self.error = self.error.max((value.position - exact).abs());
            self.amplitude = self.amplitude.max(exact.abs());
        }
    }

    /// The largest deviation from the closed form, in percent of the amplitude; `None` if it exploded.
    fn error_pct(&self) -> Option<f64> {
        let holds = self.scene.outcome() != Outcome::Exploded && self.amplitude > 0.0;
        holds.then(|| 100.0 * self.error / self.amplitude)
    }
}

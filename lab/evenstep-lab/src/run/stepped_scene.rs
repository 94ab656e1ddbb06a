//! A scene in progress, with its drawn state.

use std::time::Duration;

use evenstep::{PositionVelocity, Smoothed, Step};
use evenstep_scenes::stepping::SteppedFrame;
use evenstep_scenes::{Outcome, Scene};

use crate::run::options::Options;
use evenstep_cli::failure::Failure;

/// A scene with its drawn state.
pub(crate) struct SteppedScene<'a> {
    options: &'a Options,
    pub(crate) scene: Box<dyn Scene>,
    /// The simulated time in seconds at which the outcome was known.
    pub(crate) ended_at: Option<f64>,
    /// A number of ticks, and the hash of the state after them.
    pub(crate) hash: Option<(u64, u64)>,
    channels: Vec<Smoothed<PositionVelocity<f64>>>,
    last_dt: f64,
    /// The simulated time of the newest state.
    now: Duration,
}

impl<'a> SteppedScene<'a> {
    pub(crate) fn new(options: &'a Options) -> Result<Self, Failure> {
        let scene = options.build_scene()?;
        let mut world = Self {
            options,
            channels: scene.read().into_iter().map(Smoothed::new).collect(),
            scene,
            ended_at: None,
            hash: None,
            last_dt: options.rate.period_secs_f64(),
            now: Duration::ZERO,
        };
        world.hash_if_due(0);
        Ok(world)
    }

    /// Runs one step of the scene.
    pub(crate) fn step(&mut self, step: &Step) {
        self.now += step.duration();
        let end = self.now.as_secs_f64();
        self.channels.iter_mut().for_each(Smoothed::begin_step);
        self.scene.step(step);
        self.last_dt = step.dt;
        for (channel, value) in self.channels.iter_mut().zip(self.scene.read()) {
            channel.set(value);
        }
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

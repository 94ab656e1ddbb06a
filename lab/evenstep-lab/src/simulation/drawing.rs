//! Compares the ways of drawing between steps with a reference.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::{FixedTimestep, Frame, PositionVelocity, Rate, Smoothed, Smoothing, Step};
use evenstep_scenes::{Scene, SceneInfo, Settings};
use serde::Serialize;

use crate::scene_failure::of_scene;
use evenstep_cli::failure::Failure;

/// The step rate of the reference.
pub(crate) const REFERENCE: Rate = Rate::hz(10_000);

/// The ways by name: how states are blended, and whether the simulation is a step ahead.
const DRAW_METHODS: [(&str, DrawMethod); 6] = [
    ("none", DrawMethod::Blend(Smoothing::None, false)),
    ("interpolate", DrawMethod::Blend(Smoothing::Interpolate, false)),
    (
        "extrapolate",
        DrawMethod::Blend(
            Smoothing::Extrapolate {
                horizon: Duration::from_secs(1),
            },
            false,
        ),
    ),
    ("hermite", DrawMethod::Blend(Smoothing::Hermite, false)),
    ("lookahead", DrawMethod::Blend(Smoothing::Interpolate, true)),
    ("fork", DrawMethod::Fork),
];

#[derive(Clone, Copy)]
enum DrawMethod {
    Blend(Smoothing, bool),
    /// The rest of the step is simulated on the state, which is restored afterwards.
    Fork,
}

/// The latency and the error of a way of drawing.
#[derive(Serialize)]
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    /// The mean age of the drawn state.
    pub(crate) latency_ms: f64,
    /// The distance of the drawn position from the reference when the frame is displayed: root mean square, and
    /// largest. Latency is part of it.
    pub(crate) error_rms: f64,
    pub(crate) error_max: f64,
    /// The distance of the drawn position from the reference at the time that the frame shows: the deviation from the
    /// path without the latency.
    pub(crate) path_rms: f64,
    pub(crate) path_max: f64,
}

/// Measures all ways on one scene, whose steps come at `rate` and whose frames are shown at these times.
pub(crate) fn measure_all(
    info: &SceneInfo,
    settings: &Settings,
    rate: Rate,
    times: &[Duration],
) -> Result<Vec<Measured>, Failure> {
    let can_fork = info.build(settings).map_err(of_scene)?.save().is_some();
    let possible = |(_, method): &(_, DrawMethod)| can_fork || !matches!(method, DrawMethod::Fork);
    let mut displays = Vec::new();
    for (name, method) in DRAW_METHODS.into_iter().filter(possible) {
        displays.push((name, DrawnScene::new(info, settings, rate, method)?, Errors::default()));
    }
    let mut reference = Reference::new(info, settings, 2.0 * rate.period_secs_f64())?;
    for time in times {
        reference.advance(time.as_secs_f64());
        for (_, display, errors) in &mut displays {
            let (shown, drawn) = display.show(*time);
            errors.record(time.as_secs_f64(), shown, &drawn, &reference);
        }
    }
    Ok(displays.iter().map(|(name, _, errors)| errors.row(name)).collect())
}

fn positions(scene: &dyn Scene, values: &mut Vec<PositionVelocity<f64>>) -> Vec<f64> {
    values.clear();
    scene.read(values);
    values.iter().map(|value| value.position).collect()
}

/// The reference: the scene in steps of a ten-thousandth of a second. States are kept for the largest age of a drawn state.
struct Reference {
    scene: Box<dyn Scene>,
    /// The states after each of the last steps, oldest first.
    states: VecDeque<Vec<f64>>,
    /// The number of steps that led to the newest state.
    tick: u64,
    remembered: usize,
    values: Vec<PositionVelocity<f64>>,
}

impl Reference {
    fn new(info: &SceneInfo, settings: &Settings, seconds: f64) -> Result<Self, Failure> {
        let scene = info.build(settings).map_err(of_scene)?;
        let mut values = Vec::new();
        let states = VecDeque::from([positions(scene.as_ref(), &mut values)]);
        Ok(Self {
            scene,
            states,
            tick: 0,
            remembered: (seconds * REFERENCE.as_hz_f64()).ceil() as usize + 2,
            values,
        })
    }

    /// Simulates up to a time in seconds.
    fn advance(&mut self, time: f64) {
        while (self.tick as f64) < time * REFERENCE.as_hz_f64() {
            self.scene.step(&Step::new(self.tick, REFERENCE));
            self.tick += 1;
            if self.states.len() == self.remembered {
                self.states.pop_front();
            }
            self.states.push_back(positions(self.scene.as_ref(), &mut self.values));
        }
    }

    /// The squared distance of a drawn state from this one at a time in seconds, interpolated between its steps.
    fn distance_squared(&self, time: f64, drawn: &[f64]) -> f64 {
        let oldest = self.tick + 1 - self.states.len() as u64;
        let last = self.states.len() - 1;
        let ticks = (time * REFERENCE.as_hz_f64() - oldest as f64).clamp(0.0, last as f64);
        let (before, after) = (&self.states[ticks as usize], &self.states[last.min(ticks as usize + 1)]);
        let between = before.iter().zip(after).zip(drawn);
        let differences = between.map(|((before, after), drawn)| before + (after - before) * ticks.fract() - drawn);
        differences.map(|difference| difference * difference).sum()
    }
}

/// A scene on a display, drawn in one of the ways.
struct DrawnScene {
    scene: Box<dyn Scene>,
    timestep: FixedTimestep,
    method: DrawMethod,
    channels: Vec<Smoothed<PositionVelocity<f64>>>,
    values: Vec<PositionVelocity<f64>>,
    last: Duration,
}

impl DrawnScene {
    fn new(info: &SceneInfo, settings: &Settings, rate: Rate, method: DrawMethod) -> Result<Self, Failure> {
        let scene = info.build(settings).map_err(of_scene)?;
        // No time is lost, however slow the display is.
        let timestep = FixedTimestep::new(rate)
            .with_max_steps(u32::MAX)
            .with_max_delta(Duration::MAX);
        let mut values = Vec::new();
        scene.read(&mut values);
        Ok(Self {
            scene,
            timestep: match method {
                DrawMethod::Blend(_, true) => timestep.with_lookahead(),
                _ => timestep,
            },
            method,
            channels: values.iter().copied().map(Smoothed::new).collect(),
            values,
            last: Duration::ZERO,
        })
    }

    /// Shows a frame at a time. Returns the simulated time that it shows, in seconds, and its channels.
    fn show(&mut self, time: Duration) -> (f64, Vec<f64>) {
        let frame = self.timestep.advance(time - self.last);
        self.last = time;
        frame.steps().for_each(|step| self.step(&step));
        self.draw(&frame)
    }

    fn step(&mut self, step: &Step) {
        self.scene.step(step);
        self.values.clear();
        self.scene.read(&mut self.values);
        for (channel, value) in self.channels.iter_mut().zip(&self.values) {
            channel.begin_step();
            channel.set(*value);
        }
    }

    fn draw(&mut self, frame: &Frame) -> (f64, Vec<f64>) {
        let period = self.timestep.rate().period_secs_f64();
        match self.method {
            DrawMethod::Fork => {
                let saved = self.scene.save();
                let remainder = frame.remainder();
                if remainder.dt > 0.0 {
                    self.scene.step(&remainder);
                }
                let drawn = positions(self.scene.as_ref(), &mut self.values);
                if let Some(saved) = saved {
                    self.scene.restore(&saved);
                }
                (frame.extrapolated_time().as_secs_f64(), drawn)
            }
            DrawMethod::Blend(smoothing, _) => {
                let drawn = |channel: &Smoothed<PositionVelocity<f64>>| {
                    channel.drawn(smoothing, frame.alpha(), period).position
                };
                let shown = frame.shown_time(smoothing);
                (shown.as_secs_f64(), self.channels.iter().map(drawn).collect())
            }
        }
    }
}

/// The sums over frames of the errors of a way of drawing.
#[derive(Default)]
struct Errors {
    frames: u32,
    latency: f64,
    now: Squares,
    path: Squares,
}

/// Squares of distances.
#[derive(Default)]
struct Squares {
    sum: f64,
    largest: f64,
}

impl Squares {
    fn record(&mut self, square: f64) {
        self.sum += square;
        self.largest = self.largest.max(square);
    }
}

impl Errors {
    /// Adds a frame at a time that shows a simulated time.
    fn record(&mut self, time: f64, shown: f64, drawn: &[f64], reference: &Reference) {
        self.frames += 1;
        self.latency += time - shown;
        self.now.record(reference.distance_squared(time, drawn));
        self.path.record(reference.distance_squared(shown, drawn));
    }

    fn row(&self, name: &'static str) -> Measured {
        let frames = f64::from(self.frames.max(1));
        Measured {
            name,
            latency_ms: 1e3 * self.latency / frames,
            error_rms: (self.now.sum / frames).sqrt(),
            error_max: self.now.largest.sqrt(),
            path_rms: (self.path.sum / frames).sqrt(),
            path_max: self.path.largest.sqrt(),
        }
    }
}

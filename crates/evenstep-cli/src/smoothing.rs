//! `evenstep smoothing`: how late and how wrong each way of drawing between steps is.

use std::process::ExitCode;
use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Moving, Rate, Smoothed, Smoothing, Step};
use evenstep_scenes::{Scene, SceneInfo, Settings};
use serde::Serialize;

use crate::cli::SmoothingArgs;
use crate::failure::Failure;
use crate::output;

/// The truth is simulated at this rate.
const REFERENCE: Rate = Rate::hz(10_000);

/// The ways, by name: how states are blended, and whether a step ahead.
const WAYS: [(&str, Way); 6] = [
    ("none", Way::Blend(Smoothing::None, false)),
    ("interpolate", Way::Blend(Smoothing::Interpolate, false)),
    (
        "extrapolate",
        Way::Blend(
            Smoothing::Extrapolate {
                horizon: Duration::from_secs(1),
            },
            false,
        ),
    ),
    ("hermite", Way::Blend(Smoothing::Hermite, false)),
    ("lookahead", Way::Blend(Smoothing::Interpolate, true)),
    ("fork", Way::Fork),
];

#[derive(Clone, Copy)]
enum Way {
    Blend(Smoothing, bool),
    /// The rest of the step is simulated on the state, which is put back afterwards.
    Fork,
}

/// What `--json` prints. The crate's README describes it.
#[derive(Serialize)]
struct Table {
    scene: &'static str,
    settings: String,
    rate: String,
    display: String,
    seconds: f64,
    unit: &'static str,
    ways: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    /// How old the drawn state is, on average.
    latency_ms: f64,
    /// The distance of what is drawn from what the reference is at that moment: root of the mean square, and largest.
    error_rms: f64,
    error_max: f64,
}

/// Measures all ways on one scene.
pub(crate) fn smoothing(args: &SmoothingArgs) -> Result<ExitCode, Failure> {
    let info = SceneInfo::by_name(&args.scene).ok_or_else(|| {
        let name = &args.scene;
        Failure::Usage(format!(
            "--scene: no scene is called {name}; evenstep scenes lists them"
        ))
    })?;
    let mut settings = info.settings();
    for assignment in &args.set {
        let set = settings.set(assignment);
        set.map_err(|error| Failure::Usage(format!("--set: {error}")))?;
    }
    let rate = args.rate.unwrap_or(info.rate);
    let frames = (args.seconds.as_secs_f64() * args.display.as_hz_f64()).round() as u64;
    let times: Vec<Duration> = (1..=frames).map(|frame| nanos(frame, args.display)).collect();
    let truth = reference(info, &settings, &times)?;
    let can_fork = info.build(&settings)?.save().is_some();
    let possible = |(_, way): &(_, Way)| can_fork || !matches!(way, Way::Fork);
    let ways = WAYS
        .into_iter()
        .filter(possible)
        .map(|(name, way)| -> Result<Row, Failure> {
            let shown = Display::new(info, &settings, rate, way)?.show(&times);
            Ok(Row::new(name, &shown, &times, &truth))
        });
    let table = Table {
        scene: info.name,
        settings: settings.to_string(),
        rate: rate.to_string(),
        display: args.display.to_string(),
        seconds: args.seconds.as_secs_f64(),
        unit: info.channels.first().map_or("", |channel| channel.unit),
        ways: ways.collect::<Result<_, _>>()?,
    };
    output::say(&if args.json { output::json(&table)? } else { table.text() })?;
    Ok(ExitCode::SUCCESS)
}

/// When a display at a rate shows a frame.
fn nanos(frame: u64, display: Rate) -> Duration {
    let nanos = u128::from(frame) * u128::from(display.denom()) * 1_000_000_000 / u128::from(display.numer());
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

fn positions(scene: &dyn Scene, values: &mut Vec<Moving<f64>>) -> Vec<f64> {
    values.clear();
    scene.read(values);
    values.iter().map(|value| value.position).collect()
}

/// The channels of the scene at these times, stepped in ten-thousandths of a second and interpolated.
fn reference(info: &SceneInfo, settings: &Settings, times: &[Duration]) -> Result<Vec<Vec<f64>>, Failure> {
    let mut scene = info.build(settings)?;
    let mut values = Vec::new();
    let (mut tick, mut before) = (0, positions(scene.as_ref(), &mut values));
    let mut after = before.clone();
    let at = |time: &Duration| {
        let ticks = time.as_secs_f64() * REFERENCE.as_hz_f64();
        while (tick as f64) < ticks {
            before.clone_from(&after);
            scene.step(&Step::new(tick, REFERENCE));
            after = positions(scene.as_ref(), &mut values);
            tick += 1;
        }
        let share = ticks + 1.0 - tick as f64;
        let between = before.iter().zip(&after);
        between
            .map(|(before, after)| before + (after - before) * share)
            .collect()
    };
    Ok(times.iter().map(at).collect())
}

/// A scene on a display, drawn in one of the ways.
struct Display {
    scene: Box<dyn Scene>,
    timestep: FixedTimestep,
    way: Way,
    channels: Vec<Smoothed<Moving<f64>>>,
    values: Vec<Moving<f64>>,
}

impl Display {
    fn new(info: &SceneInfo, settings: &Settings, rate: Rate, way: Way) -> Result<Self, Failure> {
        let scene = info.build(settings)?;
        let timestep = FixedTimestep::new(rate).with_max_steps(1000);
        let mut values = Vec::new();
        scene.read(&mut values);
        Ok(Self {
            scene,
            timestep: match way {
                Way::Blend(_, true) => timestep.with_lookahead(),
                _ => timestep,
            },
            way,
            channels: values.iter().copied().map(Smoothed::new).collect(),
            values,
        })
    }

    /// For each of the times at which a frame is shown: the simulated time in seconds that it shows, and its channels.
    fn show(mut self, times: &[Duration]) -> Vec<(f64, Vec<f64>)> {
        let mut last = Duration::ZERO;
        let frame = |time: &Duration| {
            let frame = self.timestep.advance(*time - last);
            last = *time;
            frame.steps().for_each(|step| self.step(&step));
            self.draw(&frame)
        };
        times.iter().map(frame).collect()
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
        let now = frame.current_time().as_secs_f64();
        match self.way {
            Way::Fork => {
                let saved = self.scene.save();
                let remainder = frame.remainder();
                if remainder.dt > 0.0 {
                    self.scene.step(&remainder);
                }
                let drawn = positions(self.scene.as_ref(), &mut self.values);
                if let Some(saved) = saved {
                    self.scene.restore(&saved);
                }
                (now + remainder.dt, drawn)
            }
            Way::Blend(smoothing, _) => {
                let drawn = |channel: &Smoothed<Moving<f64>>| channel.drawn(smoothing, frame.alpha(), period).position;
                let shown = match smoothing {
                    Smoothing::None => now,
                    Smoothing::Extrapolate { .. } => now + frame.alpha() * period,
                    _ => frame.drawn_time().as_secs_f64(),
                };
                (shown, self.channels.iter().map(drawn).collect())
            }
        }
    }
}

impl Row {
    fn new(name: &'static str, shown: &[(f64, Vec<f64>)], times: &[Duration], truth: &[Vec<f64>]) -> Self {
        let count = shown.len().max(1) as f64;
        let latencies = shown
            .iter()
            .zip(times)
            .map(|((shown, _), time)| time.as_secs_f64() - shown);
        let squares = shown.iter().zip(truth).map(|((_, drawn), truth)| {
            let differences = drawn.iter().zip(truth).map(|(drawn, truth)| drawn - truth);
            differences.map(|difference| difference * difference).sum::<f64>()
        });
        let squares: Vec<f64> = squares.collect();
        Self {
            name,
            latency_ms: 1e3 * latencies.sum::<f64>() / count,
            error_rms: (squares.iter().sum::<f64>() / count).sqrt(),
            error_max: squares.into_iter().fold(0.0, f64::max).sqrt(),
        }
    }
}

impl Table {
    fn text(&self) -> String {
        let mut text = format!(
            "{} ({}) at {}, shown at {} for {} s\n{:12} {:>12} {:>14} {:>14}\n",
            self.scene, self.settings, self.rate, self.display, self.seconds, "", "latency", "error rms", "error max"
        );
        for way in &self.ways {
            let unit = self.unit;
            text += &format!(
                "{:12} {:9.2} ms {:12.4} {unit} {:12.4} {unit}\n",
                way.name, way.latency_ms, way.error_rms, way.error_max
            );
        }
        text
    }
}

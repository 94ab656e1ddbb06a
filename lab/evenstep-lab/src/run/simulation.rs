//! Runs a scene on the frames of a display.

use std::time::Duration;

use evenstep::SimTime;
use evenstep_scenes::loops::{LoopFigures, LoopMeter};
use evenstep_scenes::stepping::SteppedFrame;
use evenstep_scenes::{Outcome, StepError};
use evenstep_trace::measure::AnimationMeter;

use crate::run::frames::Frames;
use crate::run::options::Options;
use crate::run::stepped_scene::SteppedScene;
use evenstep_cli::failure::Failure;

/// The largest number of frames that is kept: four and a half hours at 60 Hz.
pub(crate) const MOST_FRAMES: usize = 1_000_000;

/// The results of a run, frame by frame.
pub(crate) struct Run {
    pub(crate) frames: Vec<Presented>,
    /// The animation errors of the drawn motion, and of the newest states.
    pub(crate) drawn_error: AnimationError,
    pub(crate) raw_error: AnimationError,
    /// The largest distance from the closed form, as a share of its largest value, where one is known.
    pub(crate) off_exact: Option<f64>,
    pub(crate) figures: LoopFigures,
    pub(crate) step_error: Option<StepError>,
    pub(crate) outcome: Outcome,
    /// The simulated time in seconds at which the outcome was known.
    pub(crate) ended_at: Option<f64>,
    pub(crate) hash: Option<(u64, u64)>,
}

/// One displayed frame.
pub(crate) struct Presented {
    pub(crate) delta: Duration,
    pub(crate) frame: SteppedFrame,
    /// The newest value and the drawn value of each channel.
    pub(crate) values: Vec<(f64, f64)>,
    /// The exact value of the first channel, if it is known.
    pub(crate) exact: Option<f64>,
}

/// Runs a scene until the time is up and the tick to be hashed is reached.
pub(crate) fn simulate(options: &Options, frames: &mut Frames, seconds: Duration) -> Result<Run, Failure> {
    let mut world = SteppedScene::new(options)?;
    let mut timestep = options.build_timestep();
    let mut filter = options.filter.build();
    let (mut drawn, mut raw) = (AnimationError::default(), AnimationError::default());
    let mut meter = LoopMeter::new(world.scene.as_ref(), options.rate, options.smoothing());
    let mut shown = Vec::new();
    let mut elapsed = Duration::ZERO;
    while elapsed < seconds || world.awaits_hash() {
        if shown.len() == MOST_FRAMES {
            return Err(too_many_frames(options, &world));
        }
        let delta = frames.next();
        elapsed = elapsed.saturating_add(delta);
        let frame = timestep.advance(filter.apply(delta));
        frame.steps().for_each(|step| world.step(&step));
        meter.add(delta, options.time_scale, &frame, world.scene.as_ref());
        // Until the first step is done, the drawn motion stands still.
        if frame.tick() > 0 {
            let displayed = delta.as_secs_f64() * options.time_scale.as_f64();
            drawn.add(frame.shown_time(options.smoothing()), displayed);
            raw.add(frame.current_time(), displayed);
        }
        shown.push(Presented {
            delta,
            frame,
            values: world.draw(&frame),
            exact: world.exact(&frame),
        });
    }
    Ok(Run {
        frames: shown,
        drawn_error: drawn,
        raw_error: raw,
        off_exact: world.off_exact(),
        figures: meter.figures(),
        step_error: world.scene.step_error(),
        outcome: world.scene.outcome(),
        ended_at: world.ended_at,
        hash: world.hash,
    })
}

fn too_many_frames(options: &Options, world: &SteppedScene<'_>) -> Failure {
    Failure::Run(match options.hash_at {
        Some(tick) if world.awaits_hash() => format!(
            "--hash-at {tick}: not reached in {MOST_FRAMES} frames; give longer frames or a larger --time-scale"
        ),
        _ => return too_long(),
    })
}

/// The error for more frames than are kept.
pub(crate) fn too_long() -> Failure {
    Failure::Run(format!(
        "--seconds: more than {MOST_FRAMES} frames; give fewer seconds or longer frames"
    ))
}

/// Animation errors of a run: the advance of the simulated time that a frame shows minus the advance of the time at which it was
/// displayed. Zero throughout means that motion and display advanced equally; a long frame that is simulated completely scores zero, too.
#[derive(Default)]
pub(crate) struct AnimationError {
    /// The simulated time that the last frame showed.
    last: Option<SimTime>,
    pub(crate) meter: AnimationMeter,
}

impl AnimationError {
    /// Takes a frame that shows the simulated time `shown`, `displayed` seconds of simulated time at the present
    /// speed after the one before.
    fn add(&mut self, shown: SimTime, displayed: f64) {
        if let Some(last) = self.last.replace(shown) {
            self.meter.add_advance(shown - last, displayed);
        }
    }
}

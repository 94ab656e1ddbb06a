//! Runs a scene on the frames of a display.

use std::time::Duration;

use evenstep::compare::EitherFrame;
use evenstep::{SimTime, TimeScale};
use evenstep_scenes::{Landmark, Outcome, Recording, StepError};

use crate::simulation::animation_error::{AnimationError, Meter};
use crate::simulation::frames::Frames;
use crate::simulation::options::Options;
use crate::simulation::stepped_scene::{IntegratorError, SteppedScene};
use evenstep_cli::failure::Failure;

/// The largest number of frames that is kept: four and a half hours at 60 Hz.
pub(crate) const MOST_FRAMES: usize = 1_000_000;

/// The results of a run, frame by frame.
pub(crate) struct Run {
    pub(crate) frames: Vec<Presented>,
    pub(crate) drawn_error: AnimationError,
    pub(crate) raw_error: AnimationError,
    pub(crate) integrators: Vec<IntegratorError>,
    pub(crate) surroundings: Vec<Landmark>,
    pub(crate) step_error: Option<StepError>,
    pub(crate) outcome: Outcome,
    /// The simulated time in seconds at which the outcome was known.
    pub(crate) ended_at: Option<f64>,
    pub(crate) hash: Option<(u64, u64)>,
    pub(crate) recording: Recording,
}

/// One displayed frame.
pub(crate) struct Presented {
    pub(crate) delta: Duration,
    pub(crate) frame: EitherFrame,
    /// The newest value and the drawn value of each channel.
    pub(crate) values: Vec<(f64, f64)>,
    /// The exact value of the first channel, if it is known.
    pub(crate) exact: Option<f64>,
}

/// Runs a scene until the time is up and the tick to be hashed is reached.
pub(crate) fn simulate(options: &Options, frames: &mut Frames, seconds: Duration) -> Result<Run, Failure> {
    simulate_while(options, frames, seconds, |_| true)
}

/// Like [`simulate`], but ends when `goes_on` returns false. It is called after each frame with the time that has passed.
pub(crate) fn simulate_while(
    options: &Options,
    frames: &mut Frames,
    seconds: Duration,
    mut goes_on: impl FnMut(Duration) -> bool,
) -> Result<Run, Failure> {
    let mut world = SteppedScene::new(options)?;
    let mut timestep = options.build_timestep();
    let mut filter = options.build_filter();
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
        // Until the first step is done, the drawn motion stands still.
        if frame.tick() > 0 {
            let displayed = delta.as_secs_f64() * scale.as_f64();
            drawn.add(frame.shown_time(options.smoothing()), displayed);
            raw.add(frame.current_time(), displayed);
        }
        shown.push(Presented {
            delta,
            frame,
            values: world.draw(&frame),
            exact: world.exact(&frame),
        });
        if !goes_on(elapsed) {
            break;
        }
    }
    if let (Some(tick), true) = (options.hash_at, world.awaits_hash()) {
        let reason = format!("--hash-at {tick}: not reached, because the run was interrupted");
        return Err(Failure::Run(reason));
    }
    Ok(Run {
        frames: shown,
        drawn_error: drawn.result(),
        raw_error: raw.result(),
        integrators: world.integrators.iter().map(IntegratorError::new).collect(),
        surroundings: world.scene.surroundings(),
        step_error: world.scene.step_error(),
        outcome: world.scene.outcome(),
        ended_at: world.ended_at,
        hash: world.hash,
        recording: world.recorder.finish(),
    })
}

/// The real length of a run.
pub(crate) fn expected_length(options: &Options, seconds: Duration) -> Duration {
    let simulated = SimTime::at_tick(options.hash_at.unwrap_or(0), options.rate).as_secs_f64();
    let until_hash = Duration::try_from_secs_f64(simulated / options.time_scale.as_f64());
    until_hash.unwrap_or_default().max(seconds)
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

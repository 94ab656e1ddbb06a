//! Runs a scene on the frames of a display.

use std::time::Duration;

use evenstep_scenes::Outcome;
use evenstep_scenes::loops::{LoopFigures, LoopMeter};

use crate::run::csv::Rows;
use crate::run::frames::Frames;
use crate::run::options::Options;
use crate::run::stepped_scene::SteppedScene;
use evenstep_cli::failure::Failure;

/// The largest number of frames: four and a half hours at 60 Hz.
pub(crate) const MAX_FRAMES: usize = 1_000_000;

/// The results of a run.
pub(crate) struct Run {
    pub(crate) figures: LoopFigures,
    pub(crate) outcome: Outcome,
    /// The simulated time in seconds at which the outcome was known.
    pub(crate) ended_at: Option<f64>,
    pub(crate) hash: Option<(u64, u64)>,
}

/// Runs a scene until the time is up and the tick to be hashed is reached. `rows` get a row for each frame.
pub(crate) fn simulate(
    options: &Options,
    frames: &mut Frames,
    seconds: Duration,
    mut rows: Option<&mut Rows>,
) -> Result<Run, Failure> {
    let mut world = SteppedScene::new(options)?;
    let mut timestep = options.build_timestep();
    let mut filter = options.filter.build();
    let mut meter = LoopMeter::new(world.scene.as_ref(), options.rate, options.smoothing());
    let (mut count, mut elapsed) = (0, Duration::ZERO);
    while elapsed < seconds || world.awaits_hash() {
        if count == MAX_FRAMES {
            return Err(too_many_frames(options, &world));
        }
        count += 1;
        let delta = frames.next();
        elapsed = elapsed.saturating_add(delta);
        let frame = timestep.advance(filter.apply(delta));
        frame.steps().for_each(|step| world.step(&step));
        meter.add(delta, options.time_scale, &frame, world.scene.as_ref());
        if let Some(rows) = &mut rows {
            rows.add(delta, &frame, &world);
        }
    }
    Ok(Run {
        figures: meter.figures(),
        outcome: world.scene.outcome(),
        ended_at: world.ended_at,
        hash: world.hash,
    })
}

fn too_many_frames(options: &Options, world: &SteppedScene<'_>) -> Failure {
    Failure::Run(match options.hash_at {
        Some(tick) if world.awaits_hash() => {
            format!("--hash-at {tick}: not reached in {MAX_FRAMES} frames; give longer frames or a larger --time-scale")
        }
        _ => return too_long(),
    })
}

/// The error for too many frames.
pub(crate) fn too_long() -> Failure {
    Failure::Run(format!(
        "--seconds: more than {MAX_FRAMES} frames; give fewer seconds or longer frames"
    ))
}

//! The same scene on displays with other rates: one path with fixed steps, but a different path on each display with one step a frame.

use std::time::Duration;

use evenstep::Rate;
use evenstep_scenes::Outcome;

use crate::run::frames::Frames;
use crate::run::options::{Options, Stepping};
use crate::run::simulation::{Run, simulate};
use evenstep_cli::failure::Failure;

/// Common refresh rates.
const RATES: [Rate; 5] = [Rate::hz(24), Rate::hz(30), Rate::hz(60), Rate::hz(75), Rate::hz(144)];

/// The outcomes of a scene on a display.
pub(crate) struct DisplayResult {
    pub(crate) rate: Rate,
    pub(crate) fixed: Ending,
    pub(crate) variable: Ending,
}

/// The outcome with one way of stepping.
pub(crate) struct Ending {
    pub(crate) outcome: Outcome,
    /// The hash of the state after the same number of ticks as in the run itself; fixed steps only.
    pub(crate) hash: Option<u64>,
}

/// Runs a scene that has a path for as long as `run` did, but no longer than there is something to see.
pub(crate) fn compare(options: &Options, run: &Run) -> Result<Vec<DisplayResult>, Failure> {
    let simulated = run
        .frames
        .last()
        .map_or(0.0, |shown| shown.frame.current_time().as_secs_f64());
    let seconds = simulated.min(f64::from(options.scene.seconds));
    let ticks = (seconds * options.rate.as_hz_f64()).round() as u64;
    let (Some(_), 1..) = (options.scene.path, ticks) else {
        return Ok(Vec::new());
    };
    let ending = |rate, options: &Options, length| -> Result<Ending, Failure> {
        let run = simulate(options, &mut Frames::even(rate), length)?;
        Ok(Ending {
            outcome: run.outcome,
            hash: run.hash.map(|(_, hash)| hash),
        })
    };
    let fixed = options.plainly(Stepping::Fixed, Some(ticks));
    let variable = options.plainly(Stepping::Variable, None);
    let display = |rate| {
        Ok(DisplayResult {
            rate,
            fixed: ending(rate, &fixed, Duration::ZERO)?,
            variable: ending(rate, &variable, Duration::from_secs_f64(seconds))?,
        })
    };
    RATES.into_iter().map(display).collect()
}

//! The whole toolkit but its engines, on random frames: what of it comes out of a million frames, as hashes.

use std::time::Duration;

use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};

use crate::bits::Bits;

mod drawing;
mod filters;
mod history;
mod input;
mod poses;
mod rates;
mod steps;

/// A part of the toolkit: takes a number of frames and hashes what comes of them.
type Part = fn(u32) -> u64;

const PARTS: &[(&str, Part)] = &[
    ("steps", steps::run),
    ("schedule", rates::run),
    ("input", input::run),
    ("history", history::run),
    ("filters", filters::run),
    ("poses", poses::run),
    ("drawing", drawing::run),
];

/// The hash of each part after so many frames, and of all.
pub(crate) fn run(frames: u32) -> Vec<(&'static str, u64)> {
    let mut hashes: Vec<_> = PARTS.iter().map(|(name, part)| (*name, part(frames))).collect();
    let mut all = Bits::default();
    hashes.iter().for_each(|(_, hash)| all.whole(*hash));
    hashes.push(("all", all.finish()));
    hashes
}

/// Speeds that a game runs at, slow motion and a pause among them.
const SCALES: [(u32, u32); 6] = [(1, 1), (1, 2), (1, 1), (3, 10), (0, 1), (7, 3)];

fn scale(number: u32) -> TimeScale {
    let (numer, denom) = SCALES[number as usize % SCALES.len()];
    TimeScale::new(numer, denom).unwrap_or(TimeScale::NORMAL)
}

/// A timestep for each overrun policy; the last is a step ahead.
fn timesteps(rate: Rate) -> [FixedTimestep; 4] {
    let max_speed = TimeScale::new(3, 2).unwrap_or(TimeScale::NORMAL);
    let max_backlog = Duration::from_millis(250);
    let with = |overrun| FixedTimestep::new(rate).with_max_steps(5).with_overrun(overrun);
    [
        with(Overrun::Drop),
        with(Overrun::Carry { max_backlog }),
        with(Overrun::Stretch { max_speed }),
        with(Overrun::Drop).with_lookahead(),
    ]
}

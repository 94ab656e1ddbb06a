//! The whole toolkit except its engines, on random frames: hashes of its results after a number of frames.

use crate::bits::Bits;

mod drawing;
mod filters;
mod history;
mod input;
mod poses;
mod rates;
mod settings;
mod steps;

/// A part of the toolkit: takes a number of frames and hashes their results.
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

/// The hash of each part after a number of frames, and of all.
pub(crate) fn run(frames: u32) -> Vec<(&'static str, u64)> {
    let mut hashes: Vec<_> = PARTS.iter().map(|(name, part)| (*name, part(frames))).collect();
    let mut all = Bits::default();
    hashes.iter().for_each(|(_, hash)| all.whole(*hash));
    hashes.push(("all", all.finish()));
    hashes
}

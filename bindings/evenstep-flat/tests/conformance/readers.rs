//! Runs the script by flat functions.

pub(crate) mod frames;
pub(crate) mod input;
pub(crate) mod smoothing;

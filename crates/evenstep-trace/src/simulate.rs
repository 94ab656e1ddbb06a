//! What a game would look like on given frames, on a display whose truth is known.

pub(crate) mod capture;
pub(crate) mod comparison;
pub(crate) mod display;
pub(crate) mod exam;
pub(crate) mod noise;
pub(crate) mod strategy;
pub(crate) mod timeline;
pub(crate) mod tournament;

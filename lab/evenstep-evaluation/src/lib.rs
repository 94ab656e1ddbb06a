//! Random displays, programs and recordings with a known truth, and scores of evenstep's algorithms on them.
//!
//! - **Delta filters.** [`score_filters`] runs them on even displays with [`Noise`], [`score_worlds`] in random [`World`]s.
//! - **The diagnosis of recordings.** [`score_diagnosis`] runs it on [`SyntheticCapture`]s with known faults.
//!
//! A seed identifies a world or a recording: equal seeds give equal results.
#![forbid(unsafe_code)]

mod capture;
mod diagnosis_evaluation;
mod display_evaluation;
mod noise;
mod random;
mod world;
mod world_evaluation;

pub use capture::SyntheticCapture;
pub use diagnosis_evaluation::{DiagnosisScore, score_diagnosis};
pub use display_evaluation::{FilterScore, score_filters};
pub use noise::Noise;
pub use world::{LatenessFamily, PaceKind, World, WorldFrame};
pub use world_evaluation::{FilterStanding, Spread, WorldScore, WorldTable, score_world, score_worlds};

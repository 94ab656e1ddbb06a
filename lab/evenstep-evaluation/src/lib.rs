//! Displays and random recordings with a known truth, and scores of evenstep's algorithms on them.
//!
//! - **Delta filters.** [`score_filter`] runs one on even displays with [`Noise`].
//! - **The diagnosis of recordings.** [`score_diagnosis`] runs it on [`SyntheticCapture`]s with known faults.
//!
//! Equal seeds give equal results.
#![forbid(unsafe_code)]

mod capture;
mod diagnosis_evaluation;
mod display_evaluation;
mod noise;
mod random;

pub use capture::SyntheticCapture;
pub use diagnosis_evaluation::{DiagnosisScore, score_diagnosis};
pub use display_evaluation::{FilterScore, score_filter};
pub use noise::Noise;

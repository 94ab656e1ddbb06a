//! Simulated displays and programs: what a game would look like, and how good filters and the diagnosis are.
//!
//! ```
//! use evenstep::Rate;
//! use evenstep_trace::simulate::{Comparison, Noise, SimulatedDisplay, Timeline};
//!
//! let deltas = Noise::Normal(0.5).deltas(60.0, 1, 2_000);
//! let display = SimulatedDisplay::fixed(60.0);
//! let compared = Comparison::new(&Timeline::from_deltas(&deltas), Rate::hz(60), Some(display));
//! println!("{}", compared.recommended.code);
//! ```

mod cameras;
mod capture;
mod comparison;
mod diagnosis_evaluation;
mod display;
mod display_evaluation;
mod network;
mod noise;
mod pacing;
mod random;
mod recorded;
mod strategy;
mod timeline;
mod world;
mod world_evaluation;

pub use cameras::{Attachment, AttachmentScore, score_attachments};
pub use capture::SyntheticCapture;
pub use comparison::{Comparison, Recommendation, StepsPerFrame, StrategyOutcome};
pub use diagnosis_evaluation::{DiagnosisScore, score_diagnosis};
pub use display::SimulatedDisplay;
pub use display_evaluation::{FilterScore, score_filters};
pub use network::{Network, SyncRule, SyncScore, SyncStanding, score_network, score_networks, sync_standings};
pub use noise::Noise;
pub use pacing::{Pacing, PacingOutcome, compare_pacing};
pub use recorded::{ChainComparison, DisplayChoice};
pub use strategy::{Filter, Strategy};
pub use timeline::{Timeline, TimelineFrame};
pub use world::{LatenessFamily, PaceKind, World, WorldFrame};
pub use world_evaluation::{FilterStanding, Goals, Spread, WorldScore, WorldTable, score_world, score_worlds};

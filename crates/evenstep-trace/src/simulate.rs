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
mod contest;
mod display;
mod exam;
mod network;
mod noise;
mod pacing;
mod random;
mod recorded;
mod strategy;
mod timeline;
mod tournament;
mod world;

pub use cameras::{Attachment, AttachmentScore, score_attachments};
pub use capture::SyntheticCapture;
pub use comparison::{Comparison, Recommendation, StepsPerFrame, StrategyOutcome};
pub use contest::{FilterStanding, Goals, Spread, WorldScore, WorldTable, score_world, score_worlds};
pub use display::SimulatedDisplay;
pub use exam::{DiagnosisScore, score_diagnosis};
pub use network::{Network, SyncRule, SyncScore, SyncStanding, score_network, score_networks, sync_standings};
pub use noise::Noise;
pub use pacing::{Pacing, PacingOutcome, compare_pacing};
pub use recorded::{ChainComparison, DisplayChoice};
pub use strategy::{Filter, Strategy};
pub use timeline::{Timeline, TimelineFrame};
pub use tournament::{FilterScore, score_filters};
pub use world::{LatenessFamily, PaceKind, World, WorldFrame};

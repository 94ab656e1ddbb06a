//! Simulated displays and programs: what a game would look like on recorded frames.
//!
//! ```
//! use evenstep::Rate;
//! use evenstep_trace::simulate::{Comparison, SimulatedDisplay, Timeline};
//! use std::time::Duration;
//!
//! let deltas = [16_100, 17_200, 16_700].map(Duration::from_micros).repeat(600);
//! let display = SimulatedDisplay::fixed(Rate::hz(60));
//! let compared = Comparison::new(&Timeline::from_deltas(&deltas), Rate::hz(60), Some(display));
//! println!("{}", compared.recommended.code);
//! ```

mod candidates;
mod comparison;
mod display;
mod recorded;
mod strategy;
mod timeline;

pub use comparison::{Comparison, Recommendation, StepsPerFrame, StrategyOutcome, UNSEEN_MS};
pub use display::SimulatedDisplay;
pub use recorded::{ChainComparison, DisplayChoice};
pub use strategy::{Filter, Strategy};
pub use timeline::{Timeline, TimelineFrame};

//! Simulated displays and programs: what a game would look like on recorded frames.
//!
//! ```
//! use evenstep::Rate;
//! use evenstep_trace::simulate::{Comparison, SimulatedDisplay};
//! use evenstep_trace::{SwapChain, SwapChainName};
//! use std::time::Duration;
//!
//! let deltas = [16_100, 17_200, 16_700].map(Duration::from_micros).repeat(600);
//! let chain = SwapChain::new(SwapChainName::default(), deltas, vec![]);
//! let compared = Comparison::new(&chain, Rate::hz(60), Some(SimulatedDisplay::fixed(Rate::hz(60))));
//! println!("{}", compared.recommended.code);
//! ```

mod candidates;
mod comparison;
mod display;
mod strategy;
mod timeline;

pub use comparison::{Comparison, Recommendation, StepsPerFrame, StrategyOutcome, UNSEEN_MS};
pub use display::SimulatedDisplay;
pub use strategy::{Filter, Strategy};

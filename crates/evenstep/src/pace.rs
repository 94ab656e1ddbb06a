//! When to begin a frame or a step.
//!
//! ```
//! use evenstep::Rate;
//! use evenstep::pace::Pacer;
//! use evenstep::present::Prediction;
//! use std::time::Duration;
//!
//! let mut pacer = Pacer::new().with_limit(Rate::hz(120));
//! let mut now = Duration::ZERO; // in a game: MonotonicClock::now
//! for refresh in 1..=100 {
//!     let next = Prediction::new(refresh * Duration::from_millis(10), Duration::from_millis(10), Duration::from_micros(50));
//!     let plan = pacer.next_frame(now, Some(next));
//!     now = plan.begin; // sleep until then; read input, simulate and draw
//!     now += Duration::from_millis(3);
//!     pacer.finish(plan, now);
//! }
//! let stats = pacer.stats();
//! assert_eq!(stats.missed, 0);
//! assert!(stats.latency_saved_mean_secs_f64() > 0.005);
//! ```

mod costs;
mod limit;
mod pacer;
mod plan;
mod stats;
#[cfg(feature = "thread")]
mod wait;

pub use pacer::Pacer;
pub use plan::FramePlan;
pub use stats::PacerStats;
#[cfg(feature = "thread")]
pub use wait::StepTimer;

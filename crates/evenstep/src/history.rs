//! Rollback: saved states of earlier ticks, and a correction that blends out the effects of re-simulation.
//!
//! ```
//! use evenstep::history::Correction;
//! use std::time::Duration;
//!
//! let mut correction = Correction::new(Duration::from_millis(200), 5.0);
//! correction.correct([10.0, 0.0], [11.0, 0.0]); // the drawn position, and the server's
//! assert_eq!(correction.apply([11.0, 0.0]), [10.0, 0.0]); // draw at this position
//! correction.advance(Duration::from_millis(100)); // once a frame
//! assert_eq!(correction.apply([11.0, 0.0]), [10.5, 0.0]);
//! ```

mod correction;
#[cfg(feature = "alloc")]
mod error;
#[cfg(feature = "alloc")]
mod event_reconciler;
#[cfg(feature = "alloc")]
mod rewind;
#[cfg(feature = "alloc")]
mod saved_states;
#[cfg(feature = "alloc")]
mod states;

pub use correction::Correction;
#[cfg(feature = "alloc")]
pub use error::HistoryError;
#[cfg(feature = "alloc")]
pub use event_reconciler::{EventReconciler, Notice};
#[cfg(feature = "alloc")]
pub use rewind::Rewind;
#[cfg(feature = "alloc")]
pub use saved_states::SavedStates;
#[cfg(feature = "alloc")]
pub use states::History;

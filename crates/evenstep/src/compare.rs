//! Ways to step that a fixed timestep replaces, to compare with.
//!
//! ```
//! use evenstep::compare::VariableTimestep;
//! use std::time::Duration;
//!
//! let mut timestep = VariableTimestep::new();
//! let frame = timestep.advance(Duration::from_millis(40));
//! assert_eq!(frame.steps().next().map(|step| step.dt), Some(0.04)); // as long as the frame
//! ```

mod either;
mod frame;
mod variable;

pub use either::{EitherFrame, Timestep};
pub use frame::VariableFrame;
pub use variable::VariableTimestep;

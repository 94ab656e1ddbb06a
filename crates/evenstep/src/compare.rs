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

use core::time::Duration;

use crate::step::{FixedTimestep, Frame};
use crate::time::TimeScale;

mod variable;

pub use variable::VariableTimestep;

/// Either way of stepping, for a program that lets its user switch between them.
///
/// ```
/// use evenstep::{FixedTimestep, Rate};
/// use evenstep::compare::{Timestep, VariableTimestep};
/// use std::time::Duration;
///
/// let fixed = Timestep::from(FixedTimestep::new(Rate::hz(100)));
/// for mut timestep in [fixed, VariableTimestep::new().into()] {
///     let simulated: f64 = timestep.advance(Duration::from_millis(40)).steps().map(|step| step.dt).sum();
///     assert_eq!(simulated, 0.04);
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Timestep {
    /// Equal steps, whatever the display does.
    Fixed(FixedTimestep),
    /// Steps that follow the display.
    Variable(VariableTimestep),
}

impl Timestep {
    /// Takes the real time since the last frame, and answers with what this frame must do.
    pub fn advance(&mut self, delta: Duration) -> Frame {
        match self {
            Self::Fixed(fixed) => fixed.advance(delta),
            Self::Variable(variable) => variable.advance(delta),
        }
    }

    /// Sets how fast simulated time runs, for deltas to come.
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        match self {
            Self::Fixed(fixed) => fixed.set_time_scale(scale),
            Self::Variable(variable) => variable.set_time_scale(scale),
        }
    }
}

impl From<FixedTimestep> for Timestep {
    fn from(fixed: FixedTimestep) -> Self {
        Self::Fixed(fixed)
    }
}

impl From<VariableTimestep> for Timestep {
    fn from(variable: VariableTimestep) -> Self {
        Self::Variable(variable)
    }
}

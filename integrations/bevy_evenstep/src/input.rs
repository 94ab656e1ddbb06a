//! Input: each change of a key reaches exactly one step.

mod button;
mod devices;
mod plugin;
mod step_input;

pub use button::Button;
pub use plugin::StepInputPlugin;
pub use step_input::StepInput;

//! Controllers, which act on bodies in every step: wind, buoyancy, and a trait for the program's own.
//!
//! `examples/controllers.rs` has two controllers of a program's own: attraction by the inverse square of the distance, and a missile, which
//! has a state.

mod attachment;
mod buoyancy;
mod wind;

pub(crate) use attachment::Attachment;
pub use attachment::{CloneController, Controller, ControllerKey};
pub use buoyancy::Buoyancy;
pub use wind::Wind;

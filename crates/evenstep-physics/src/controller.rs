//! Controllers, which act on bodies in every step: wind, buoyancy, missiles, attraction, and a trait for the program's own controllers.

mod attachment;
mod attraction;
mod buoyancy;
mod missile;
mod wind;

pub(crate) use attachment::Attachment;
pub use attachment::{CloneController, Controller, ControllerKey};
pub use attraction::Attraction;
pub use buoyancy::Buoyancy;
pub use missile::{Guidance, Missile};
pub use wind::Wind;

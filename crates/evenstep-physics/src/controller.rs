//! What acts on bodies in every step: wind, water, missiles, attraction, and whatever a program adds.

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

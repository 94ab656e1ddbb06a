//! Rapier in the plane.

#[path = "rapier/dim2.rs"]
mod dim;
#[path = "rapier/engine.rs"]
mod engine;
#[path = "rapier/events.rs"]
mod events;

pub use engine::Rapier as Rapier2d;

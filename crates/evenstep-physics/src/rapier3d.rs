//! Rapier in space.

#[path = "rapier/dim3.rs"]
mod dim;
#[path = "rapier/engine.rs"]
mod engine;
#[path = "rapier/events.rs"]
mod events;

pub use engine::Rapier as Rapier3d;

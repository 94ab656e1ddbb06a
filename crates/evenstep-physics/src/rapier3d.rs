//! Rapier in space.

#[path = "rapier/dim3.rs"]
mod dim;
#[path = "rapier/engine.rs"]
mod engine;

pub use engine::Rapier as Rapier3d;

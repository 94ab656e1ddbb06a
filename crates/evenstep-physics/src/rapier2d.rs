//! Rapier in the plane.

#[path = "rapier/dim2.rs"]
mod dim;
#[path = "rapier/engine.rs"]
mod engine;

pub use engine::Rapier as Rapier2d;

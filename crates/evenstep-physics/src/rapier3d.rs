//! Rapier in space.

#[path = "rapier/contacts.rs"]
mod contacts;
#[path = "rapier/dim3.rs"]
mod dim;
#[path = "rapier/engine.rs"]
mod engine;
#[path = "rapier/events.rs"]
mod events;
#[path = "rapier/saved.rs"]
mod saved;
#[path = "rapier/world.rs"]
mod world;

pub use world::Rapier as Rapier3d;

//! The three-dimensional Rapier engine: instantiates the shared `rapier/` modules with rapier3d's types.

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

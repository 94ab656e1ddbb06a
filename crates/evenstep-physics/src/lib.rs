//! A fixed-step physics system over Box2D v3 and Rapier.
//!
//! Begin with [`PhysicsSystem`]: an engine behind a timestep. It holds forces for the time of a frame however many steps
//! the frame has, runs controllers in every step, hands over each step's contacts, and answers with poses that are
//! smooth at any display rate. The same meaning over all engines:
//!
//! | feature | engine | |
//! |---|---|---|
//! | `box2d` | `Box2d` | Box2D v3, by boxdd; needs a C compiler |
//! | `rapier2d` | `Rapier2d` | also in browsers |
//! | `rapier3d` | `Rapier3d` | |
//!
//! What it does not wrap, the engine's own API does: [`World::engine_mut`]. The engines' crates are re-exported in the
//! versions that this crate uses.
#![forbid(unsafe_code)]
// Rapier's two crates have the same names for different types, so one file serves both.
#![allow(clippy::duplicate_mod)]

mod amount;
mod arena;
mod body;
mod body_motion;
#[cfg(feature = "box2d")]
mod box2d;
mod contact;
mod controller;
mod drawn;
mod engine;
mod error;
#[cfg(feature = "rapier2d")]
#[path = "rapier2d.rs"]
mod plane;
mod record;
#[cfg(feature = "rapier3d")]
#[path = "rapier3d.rs"]
mod space;
mod system;
mod world;

#[cfg(feature = "box2d")]
pub use ::boxdd;
#[cfg(feature = "rapier2d")]
pub use ::rapier2d;
#[cfg(feature = "rapier3d")]
pub use ::rapier3d;
pub use amount::{Amount, Load};
pub use arena::BodyKey;
pub use body::{BodyDef, BodyKind, Shape};
pub use body_motion::{BodyMotion, ManyPoses};
#[cfg(feature = "box2d")]
pub use box2d::Box2d;
pub use contact::Contact;
pub use controller::{Attraction, Buoyancy, CloneController, Controller, ControllerKey, Guidance, Missile, Wind};
pub use drawn::Drawn;
pub use engine::{Engine, LoadOf, PoseOf, Report, SpinOf, Touch, VectorOf};
pub use error::PhysicsError;
#[cfg(feature = "rapier2d")]
pub use plane::Rapier2d;
#[cfg(feature = "rapier3d")]
pub use space::Rapier3d;
pub use system::{Game, PhysicsSystem, SavedSystem};
pub use world::{Broken, World};

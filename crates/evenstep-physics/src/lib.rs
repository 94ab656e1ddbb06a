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
//! What it does not wrap, the engine's own API does: [`World::engine_mut`].
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
mod rapier2d;
#[cfg(feature = "rapier3d")]
mod rapier3d;
mod record;
mod system;
mod world;

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
pub use rapier2d::Rapier2d;
#[cfg(feature = "rapier3d")]
pub use rapier3d::Rapier3d;
pub use system::{Game, PhysicsSystem, SavedSystem};
pub use world::{Broken, World};

/// The examples of the project's README are tests: here, because this crate knows all that they use.
#[cfg(all(doctest, feature = "rapier2d"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

//! A fixed-step physics system over Box2D v3 and Rapier.
//!
//! Begin with [`PhysicsSystem`]: an engine behind a timestep. It applies forces for the duration of a frame, regardless of the number of
//! steps in the frame. It runs controllers in every step, delivers the contacts of each step, and interpolates poses so that motion is
//! smooth at any display rate. The API is the same for all engines:
//!
//! | feature | engine | |
//! |---|---|---|
//! | `box2d` | `Box2d` | Box2D v3, by boxdd; needs a C compiler |
//! | `rapier2d` | `Rapier2d` | also in browsers |
//! | `rapier3d` | `Rapier3d` | |
//!
#![cfg_attr(feature = "rapier2d", doc = "```")]
#![cfg_attr(not(feature = "rapier2d"), doc = "```ignore")]
//! use evenstep::poses::{Pose2, Rot2};
//! use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Rate};
//! use evenstep_physics::{BodyDef, BodyKind, PhysicsError, PhysicsSystem, Rapier2d, Shape, Wrench};
//!
//! fn main() -> Result<(), PhysicsError> {
//!     let mut physics = PhysicsSystem::new(Rapier2d::new([0.0, -9.81]), FixedTimestep::new(Rate::hz(60)));
//!     let floor = BodyDef::new(Shape::Box([50.0, 1.0])).of_kind(BodyKind::Fixed);
//!     physics.world_mut().create(&floor, "floor")?;
//!     let crate_def = BodyDef::new(Shape::Box([0.5, 0.5])).at(Pose2::new([0.0, 1.6], Rot2::IDENTITY));
//!     let sliding = physics.world_mut().create(&crate_def, "crate")?;
//!
//!     let (clock, mut frames) = (MonotonicClock::new(), FrameClock::new());
//!     while physics.timestep().tick() < 6 {
//!         physics.world_mut().apply_force_for_frame(sliding, Wrench::linear([2.0, 0.0]))?; // a held key
//!         physics.update(frames.begin_frame(clock.now()).delta, |_world, _step| {})?;
//!         for body in physics.poses() {
//!             draw(body.data, body.pose);
//!         }
//!     }
//!     Ok(())
//! }
//! # fn draw(_: &str, _: Pose2) {}
//! ```
//!
//! Bodies belong to the engine: any body that its own API creates can be [adopted](World::adopt). Joints, queries, character
//! controllers and hooks are used through the engine's own API: [`World::engine_mut`]. The engines' crates are re-exported in
//! the versions that this crate uses.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
// Rapier's two crates have the same names for different types, so one file serves both.
#![allow(clippy::duplicate_mod)]

#[cfg(all(doctest, feature = "rapier2d", feature = "rapier3d"))]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(all(doctest, feature = "rapier2d", feature = "rapier3d"))]
#[doc = include_str!("../../../docs/pages/physics.md")]
mod page {}

mod arena;
mod body;
mod body_motion;
#[cfg(feature = "box2d")]
mod box2d;
mod contact;
pub mod controller;
mod drag;
pub mod engine;
mod error;
#[cfg(feature = "rapier2d")]
#[path = "rapier2d.rs"]
mod plane;
#[cfg(feature = "rapier3d")]
#[path = "rapier3d.rs"]
mod space;
mod step_handler;
mod system;
mod vector;
mod world;
mod wrench;

#[cfg(feature = "box2d")]
pub use ::boxdd;
#[cfg(feature = "rapier2d")]
pub use ::rapier2d;
#[cfg(feature = "rapier3d")]
pub use ::rapier3d;
pub use arena::BodyKey;
pub use body::{BodyDef, BodyKind, Shape};
#[cfg(feature = "box2d")]
pub use box2d::Box2d;
pub use contact::{Contact, ContactKind, ContactSide};
pub use drag::Drag;
pub use engine::Engine;
pub use error::PhysicsError;
#[cfg(feature = "rapier2d")]
pub use plane::Rapier2d;
#[cfg(feature = "rapier3d")]
pub use space::Rapier3d;
pub use step_handler::StepHandler;
pub use system::PhysicsSystem;
pub use system::saved::SavedSystem;
pub use world::{DrawnBody, World};
pub use wrench::Wrench;

//! Demonstration scenes: small simulations that show what a fixed timestep is for.
//!
//! Scenes are bit-identical on every processor that was tried: they step with addition, subtraction, multiplication, division and square root
//! only, which IEEE 754 defines exactly, so that a scene has the same [`hash`](SceneState::hash) natively and in WebAssembly. Scenes have
//! no timestep of their own; the caller chooses the steps.
//!
//! ```
//! use evenstep::{Rate, Step};
//! use evenstep_scenes::spring::Spring;
//! use evenstep_scenes::{Outcome, Scene as _};
//!
//! let mut spring = Spring { k: 10_000.0, ..Spring::default() };
//! for tick in 0..20 {
//!     spring.step(&Step::new(tick, Rate::hz(10))); // ten frames a second, one step a frame
//! }
//! assert_eq!(spring.outcome(), Outcome::Exploded);
//! ```
#![forbid(unsafe_code)]

mod catalogue;
mod display;
pub mod hockey;
mod integrator;
pub mod loops;
#[cfg_attr(
    not(all(feature = "box2d", feature = "rapier2d", feature = "rapier3d")),
    allow(
        dead_code,
        unused_imports,
        unused_variables,
        reason = "scenes without an engine are listed, but cannot be built"
    )
)]
mod physics;
mod scene;
mod script_interpolation;
pub mod spring;
pub mod spring_and_ball;
pub mod stepping;

pub use catalogue::{SCENES, SNOOKER};
pub use display::{Display, Refreshes};
pub use integrator::Integrator;
pub use physics::falling_blocks::build as falling_blocks;
pub use physics::two_blocks::build as two_blocks;
pub use scene::{Block, Outcome, SavedScene, Scene, SceneError, SceneInfo, SceneState};
pub use script_interpolation::ScriptInterpolation;

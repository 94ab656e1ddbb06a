//! Objects that belong to frames and not to steps: cameras that follow, attached objects, mouse look.
//!
//! Once bodies are drawn smoothly, the remaining jitter comes from everything else in the frame: a camera that moves once a step, a weapon
//! that is blended along a path of its own, a view that turns at the rate of the steps. The types of this module are evaluated at the
//! frame's drawn time, like the bodies.
//! ```
//! use evenstep::follow::Follower;
//! use evenstep::{FixedTimestep, Rate, Smoothed};
//! use std::time::Duration;
//!
//! let mut timestep = FixedTimestep::new(Rate::hz(60));
//! let mut player = Smoothed::new([0.0, 0.0]);
//! let mut camera = Follower::new([0.0, 0.0]).with_lag(Duration::from_millis(200)).with_offset([0.0, 1.5]);
//! let frame = timestep.advance(Duration::from_millis(40));
//! for step in frame.steps() {
//!     player.begin_step();
//!     player.current_mut()[0] += 6.0 * step.dt; // 6 m/s
//!     camera.step(*player.current(), step.dt);
//! }
//! let (body, eye) = (player.at(frame.alpha()), camera.at(frame.alpha()));
//! assert!(eye[0] < body[0] && eye[1] == 1.5);
//! ```

mod attached;
mod follower;
#[cfg(feature = "alloc")]
mod look;
mod spring;

pub use attached::{Attached, RigidTransform};
pub use follower::Follower;
#[cfg(feature = "alloc")]
pub use look::{Look, LookAngles};

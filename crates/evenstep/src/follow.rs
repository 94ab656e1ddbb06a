//! What belongs to frames, not to steps: cameras that follow, parts that hang on others, mouse look.
//!
//! Once bodies are drawn smoothly, everything else in the frame is what jitters: a camera that moves once a step, a weapon blended on
//! its own way, a view that turns at the rate of the steps. Everything here is evaluated at the frame's drawn time, like the bodies.
//!
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

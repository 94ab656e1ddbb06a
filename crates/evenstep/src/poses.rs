//! Positions and rotations in the plane and in space, one by one and for many bodies at once.
//!
//! ```
//! use evenstep::poses::{Pose2, Poses2, Rot2};
//! use evenstep::{FixedTimestep, Rate};
//! use std::time::Duration;
//!
//! let mut timestep = FixedTimestep::new(Rate::hz(100));
//! let mut poses = Poses2::new();
//! poses.push(Pose2::new([0.0, 0.0], Rot2::IDENTITY));
//! let mut drawn = vec![[[0.0; 2]; 3]; poses.len()]; // 3×2 matrices
//!
//! let frame = timestep.advance(Duration::from_millis(15));
//! for _ in frame.steps() {
//!     poses.begin_step();
//!     poses.set(0, Pose2::new([1.0, 0.0], Rot2::IDENTITY));
//! }
//! poses.blend_matrices(frame.alpha(), &mut drawn);
//! assert_eq!(drawn[0][2], [0.5, 0.0]);
//! ```

mod affine;
mod body_motion;
mod cut_detector;
#[cfg(feature = "alloc")]
mod many;
mod pose;
mod rotation;
mod slerp;

pub use affine::{Affine2, Affine3};
pub use body_motion::{Motion2, Motion3};
pub use cut_detector::CutDetector;
#[cfg(feature = "alloc")]
pub use many::{Body, Poses, Poses2, Poses3};
pub use pose::{Pose2, Pose3};
pub use rotation::{Quat, Rot2};

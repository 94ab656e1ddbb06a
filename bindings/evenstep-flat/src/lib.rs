//! The FFI-friendly core that evenstep's packages for C, JavaScript and Python wrap.
//!
//! Times are nanoseconds as `i64`, rates and time scales are two `u32`, bodies are rows of `f32`. Nothing is generic, nothing
//! calls back, and nothing allocates in a frame once buffers have grown. Every function is total: invalid input returns an
//! [`Error`] and changes nothing.
//!
//! ```
//! use evenstep_flat::poses::{Dimensions, Rows};
//! use evenstep_flat::timestep::Timestep;
//!
//! let mut timestep = Timestep::new(100, 1)?;
//! let mut rows = Rows::new(Dimensions::Two);
//! let mut states = [0.0, 0.0, 1.0, 0.0]; // x, y, cosine and sine of the angle
//! rows.push(&states)?;
//! timestep.begin_frame(0)?;
//! let frame = timestep.begin_frame(15_000_000)?;
//! for _tick in frame.first_tick..frame.tick {
//!     states[0] += 1.0;
//!     rows.commit(&states)?;
//! }
//! let mut drawn = [0.0; 4];
//! rows.draw(frame.alpha, &mut drawn)?;
//! assert_eq!(drawn, [0.5, 0.0, 1.0, 0.0]);
//! # Ok::<(), evenstep_flat::Error>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod clock;
mod error;
pub mod events;
mod exact;
pub mod filter;
mod frame;
pub mod input;
pub mod poses;
pub mod schedule;
mod settings;
pub mod smoothed;
pub mod stats;
pub mod timestep;

pub use error::Error;
pub use evenstep::Overrun;
pub use exact::{Exact, nanoseconds};

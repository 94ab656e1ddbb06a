//! Ticks in step with another machine.
//!
//! A client of a server simulates ahead of it, so that its inputs arrive before the server runs their ticks: early enough for the
//! network, and no earlier, because every millisecond ahead is latency. A [`TickSync`] estimates this lead and controls a timestep
//! to it, by small exact changes of its [`TimeScale`](crate::TimeScale).
//!
//! ```
//! use evenstep::network::{Pong, TickSync};
//! use evenstep::{FixedTimestep, Rate, TimeScale};
//! use std::time::Duration;
//!
//! let rate = Rate::hz(60);
//! let (mut timestep, mut sync) = (FixedTimestep::new(rate), TickSync::new(rate));
//! let mut now = Duration::ZERO; // in a game: MonotonicClock::now
//! for _ in 0..60 {
//!     let delta = Duration::from_millis(10);
//!     now += delta;
//!     let frame = timestep.advance(delta);
//!     for step in frame.steps() {
//!         if let Some(tick) = sync.tick(step.tick) {
//!             // Read input, send it as that of `tick`, and simulate.
//!             assert!(tick > 5_000);
//!         }
//!     }
//!     let adjustment = sync.advance(now, frame.tick(), frame.overstep(), TimeScale::NORMAL);
//!     timestep.set_time_scale(adjustment.speed);
//!     // Messages of the network. Here a server that began 100 s before the client, 20 ms away each way.
//!     sync.observe_pong(Pong {
//!         sent: now.saturating_sub(Duration::from_millis(40)),
//!         received: now + Duration::from_secs(7), // the server's clock has a zero of its own
//!         replied: now + Duration::from_secs(7),
//!         arrived: now,
//!         simulated: now + Duration::from_millis(99_980),
//!     });
//! }
//! let ahead = sync.tick(timestep.tick()).unwrap() as f64 / 60.0 - 100.6; // of the server's tick now
//! assert!((0.02..0.04).contains(&ahead), "{ahead} s: the way there, and a step");
//! ```

mod adjustment;
mod arrival_samples;
mod clock_gain;
mod pong;
mod report;
#[cfg(feature = "serde")]
mod saved;
mod sent_inputs;
mod settings;
mod tick_sync;

pub use adjustment::{Adjustment, TickJump};
pub use pong::Pong;
pub use report::InputReport;
pub use tick_sync::TickSync;

//! Fixed-timestep simulation: exact integer time in, even steps and smooth states out.
//!
//! A game whose step follows the display plays differently on every machine, and its stiff springs explode. Begin with
//! [`FixedTimestep`]: tell it how much time has passed, run the steps of the [`Frame`] that it answers with, and draw
//! what you keep in a [`Smoothed`] at the frame's alpha.
//!
//! ```
//! use evenstep::{FixedTimestep, Rate, Smoothed};
//! use std::time::Duration;
//!
//! let mut timestep = FixedTimestep::new(Rate::hz(60));
//! let mut position = Smoothed::new(0.0);
//! for _ in 0..100 {
//!     let frame = timestep.advance(Duration::from_millis(7)); // the time since the last frame
//!     for step in frame.steps() {
//!         position.begin_step();
//!         *position.current_mut() += 2.0 * step.dt; // 2 m/s
//!     }
//!     let drawn = position.at(frame.alpha());
//!     let expected = 2.0 * frame.drawn_time().as_secs_f64();
//!     assert!((drawn - expected).abs() < 1e-9);
//! }
//! ```
//!
//! | to | use |
//! |---|---|
//! | grant steps | [`FixedTimestep`], [`Overrun`], [`TimeScale`]; for comparison [`VariableTimestep`] |
//! | read a clock and even out its deltas | [`Clock`], [`DeltaFilter`] |
//! | draw between states | [`Blend`], [`Smoothed`], [`Extrapolate`], [`Angle`]; with `std` or `libm` `Pose2`, `Pose3` |
//! | carry out a step | [`Integrator`] |
//! | take input and emit events | [`InputBuffer`], [`Controls`], [`EventQueue`] |
//! | run several rates at once | [`Schedule`] |
//! | rewind, roll back, glide to a correction | [`History`], [`Correction`] |
//! | draw the present | [`FixedTimestep::with_lookahead`], [`Fork`] |
//! | see how it goes | [`FrameStats`] |
//!
//! The book, `docs/pages` in the repository or `cargo xtask book`, has a page for each concept, and one for adopting evenstep in a
//! loop that is there.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `std` (default) | [`MonotonicClock`], rotations and poses; `alloc` |
//! | `alloc` | input, events, schedules and history |
//! | `thread` | `SimThread`: a simulation on a thread of its own |
//! | `winit` | key and mouse events of `winit` 0.30, which Bevy 0.19 and ggez 0.10 use, as [`InputEvent`]s |
//! | `libm` | rotations and poses without `std` |
//! | `rayon` | poses of many bodies are blended on several threads |
//! | `derive` | `#[derive(Blend)]` |
//! | `serde` | states and settings can be stored |
//! | `glam`, `mint` | [`Blend`] for their vectors and rotations |
//! | `glam-032` | the same for the glam of Bevy 0.19 and ggez 0.10 |
//! | `glam-027` | the same for the glam of macroquad 0.4 |
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod angle;
mod blend;
#[cfg(any(feature = "std", feature = "libm"))]
mod body_motion;
mod clock;
mod correction;
mod delta;
#[cfg(feature = "alloc")]
mod events;
#[cfg(any(feature = "glam", feature = "glam-032", feature = "glam-027", feature = "mint"))]
mod foreign;
mod fork;
mod frame;
#[cfg(feature = "alloc")]
mod history;
#[cfg(feature = "alloc")]
mod input;
mod integrate;
#[cfg(any(feature = "std", feature = "libm"))]
mod math;
mod motion;
mod overrun;
#[cfg(any(feature = "std", feature = "libm"))]
mod pose;
#[cfg(all(feature = "alloc", any(feature = "std", feature = "libm")))]
mod poses;
mod rate;
mod ratio;
#[cfg(any(feature = "std", feature = "libm"))]
mod rotation;
mod scale;
#[cfg(feature = "alloc")]
mod schedule;
mod smoothed;
mod stats;
#[cfg(feature = "thread")]
mod thread;
mod time;
mod timestep;
mod wide;

pub use angle::Angle;
pub use blend::Blend;
#[cfg(any(feature = "std", feature = "libm"))]
pub use body_motion::{Motion2, Motion3};
#[cfg(feature = "std")]
pub use clock::MonotonicClock;
pub use clock::{Clock, ManualClock};
pub use correction::{Correction, Length};
pub use delta::{Clamp, DeltaFilter, DisplayClock, MovingAverage, Snap};
#[cfg(feature = "derive")]
pub use evenstep_derive::Blend;
#[cfg(feature = "alloc")]
pub use events::{EventQueue, Overflow};
pub use fork::Fork;
pub use frame::{Frame, Lost, Step, Steps};
#[cfg(feature = "alloc")]
pub use history::{History, HistoryError, Rewind};
#[cfg(feature = "winit")]
pub use input::Button;
#[cfg(feature = "alloc")]
pub use input::{Controls, InputBuffer, InputCounts, InputEvent};
pub use integrate::{Integrator, Vector};
pub use motion::{Extrapolate, PositionVelocity, Smoothing};
pub use overrun::Overrun;
#[cfg(any(feature = "std", feature = "libm"))]
pub use pose::{Pose2, Pose3};
#[cfg(all(feature = "alloc", any(feature = "std", feature = "libm")))]
pub use poses::{Motions2, Motions3, Poses, Poses2, Poses3};
pub use rate::Rate;
pub use ratio::RatioError;
#[cfg(any(feature = "std", feature = "libm"))]
pub use rotation::{Quat, Rot2};
pub use scale::TimeScale;
#[cfg(feature = "alloc")]
pub use schedule::{Schedule, TaskId};
pub use smoothed::Smoothed;
pub use stats::FrameStats;
#[cfg(feature = "thread")]
pub use thread::{
    InputPermit, SimRemote, SimStats, SimThread, SimThreadError, SimWorker, Simulation, StepInput, View, Wake,
};
pub use time::{SimTime, Tick};
pub use timestep::{FixedTimestep, Timestep, VariableTimestep};

//! Fixed-timestep simulation: exact integer time in, even steps and smooth states out.
//!
//! A game whose step follows the display plays differently on every machine, and its stiff springs explode. Begin with a [`GameLoop`]: it
//! reads the clock, and divides time into equal steps, which you run. Draw the states that you keep in a [`Smoothed`] at the frame's alpha.
//!
//! ```
//! use evenstep::{GameLoop, Rate, Smoothed};
//!
//! let mut game = GameLoop::new(Rate::hz(60));
//! let mut x = Smoothed::new(0.0);
//! for _ in 0..3 {
//!     // once per displayed frame
//!     let frame = game.begin_frame();
//!     for step in frame.steps() {
//!         x.step(|x| *x += 2.0 * step.dt); // 2 m/s
//!     }
//!     draw(x.at(frame.alpha()));
//! }
//! # fn draw(_: f64) {}
//! ```
//!
//! A loop is made of parts, which are plain values and read no clock: a [`FrameClock`], which smooths the deltas of a clock that you read, a
//! [`FixedTimestep`], which divides them into steps, and an [`InputBuffer`](input::InputBuffer). A test, a server or an engine with a loop of
//! its own uses these:
//!
//! ```
//! use evenstep::{FixedTimestep, Rate, Smoothed, Smoothing};
//! use std::time::Duration;
//!
//! let mut timestep = FixedTimestep::new(Rate::hz(60));
//! let mut position = Smoothed::new(0.0);
//! for _ in 0..100 {
//!     let frame = timestep.advance(Duration::from_millis(7)); // the time since the last frame
//!     for step in frame.steps() {
//!         position.step(|x| *x += 2.0 * step.dt);
//!     }
//!     let drawn = position.at(frame.alpha());
//!     let expected = 2.0 * frame.shown_time(Smoothing::Interpolate).as_secs_f64();
//!     assert!((drawn - expected).abs() < 1e-9);
//! }
//! ```
//!
//! All 55 public types of the default features:
//!
//! | to | types |
//! |---|---|
//! | run a loop | [`GameLoop`] |
//! | count time | [`Rate`], [`TimeScale`], [`RatioError`], [`Tick`], [`SimTime`], [`SimDuration`] |
//! | read a clock and smooth its deltas | [`MonotonicClock`], [`FrameClock`], [`FrameTime`], [`DeltaFilter`](filter::DeltaFilter), [`DisplayClock`](filter::DisplayClock) |
//! | follow a song, or the display | [`PlaybackClock`](filter::PlaybackClock), [`PlaybackReport`](filter::PlaybackReport), [`RefreshClock`](filter::RefreshClock) |
//! | grant steps, and say what was lost | [`FixedTimestep`], [`Frame`], [`Steps`], [`Step`], [`Overrun`], [`Lost`] |
//! | draw between states | [`Smoothed`], [`Blend`], [`Smoothing`], [`Extrapolate`], [`PositionVelocity`], [`Vector`], [`Angle`] |
//! | turn and move bodies, one by one | [`Rot2`](poses::Rot2), [`Quat`](poses::Quat), [`Pose2`](poses::Pose2), [`Pose3`](poses::Pose3), [`Motion2`](poses::Motion2), [`Motion3`](poses::Motion3), [`Affine2`](poses::Affine2), [`Affine3`](poses::Affine3), [`CutDetector`](poses::CutDetector) |
//! | many at once | [`Poses`](poses::Poses) with its names [`Poses2`](poses::Poses2), [`Poses3`](poses::Poses3) |
//! | take input and emit events | [`InputBuffer`](input::InputBuffer), [`InputQueue`](input::InputQueue), [`InputEvent`](input::InputEvent), [`Controls`](input::Controls), [`InputCounts`](input::InputCounts), [`EventQueue`](input::EventQueue), [`QueueOverflow`](input::QueueOverflow) |
//! | run several rates at once | [`Schedule`](schedule::Schedule), [`TaskId`](schedule::TaskId) |
//! | hash states and read their fields | [`Inspect`], [`Leaf`](inspect::Leaf), [`Visitor`](inspect::Visitor) |
//! | measure frames | [`FrameStats`], [`FrameSample`] |
//!
//! With features: `follow` for cameras, `history` to rewind, roll back and glide to a correction, `desync` for the field in which two
//! machines differ, `thread` for a simulation on its own thread.
//!
//! The book, `docs/pages` in the repository or `cargo xtask book`, has a page for each concept, and one for adopting evenstep in an
//! existing loop.
//!
//! # Conventions
//!
//! - **Settings.** `set_x(value)` changes a setting, and `with_x(value)` returns the value with the setting changed; both take the same
//!   types. For an optional setting, both take `impl Into<Option<_>>`. Types with public fields have no `set_x`.
//! - **Room to grow.** Structs of public fields and enums are `#[non_exhaustive]`, unless their documentation says that they are closed.
//! - **Identities.** For a body, a task or a tick that does not exist, calls return `None`, `false` or an error.
//! - **Ends of ranges.** Sums of time, counts and ticks saturate. An alpha is clamped to 0 and 1; an alpha of NaN draws NaN. If a call
//!   treats a number that is not finite, too large or zero in another way, its documentation says so.
//! - **Panics.** Only [`Rate::hz`] panics on input, for zero.
//!
//! # Numbers
//!
//! | quantity | type | why |
//! |---|---|---|
//! | ticks | `u64` | 2⁶⁴ steps at 1 kHz take 584 million years |
//! | real time: times of the clock, and durations | [`Duration`](core::time::Duration) | clocks tick in nanoseconds |
//! | simulated time | [`SimTime`], [`SimDuration`] | exact fractions: no period is rounded |
//! | durations that can be negative | `i64` or `i128`, in nanoseconds | a `Duration` has no sign |
//! | rates that are set | [`Rate`] | an exact ratio |
//! | time scales, slews, the speed of [`Overrun::Stretch`] | [`TimeScale`] | an exact ratio |
//! | measured shares | `f64` from 0 to 100, named `…_pct` | statistics are not exact |
//! | percentiles | `f64` from 0 to 100, named `percentile` | as the field writes them |
//! | alpha, `dt`, [`Angle`], cameras, look angles | `f64` | no visible rounding far from the origin |
//! | poses, rotations and velocities of bodies | `f32` | the type of engines and graphics cards; half the memory |
//!
//! Convert once, at the edge: [`Step::dt_f32`] is `dt` for states of `f32`, and a camera's position is subtracted before it is rounded. An
//! [`Angle`] is a number of radians that keeps its windings: a dial, a heading that is added to. A `Rot2` of `poses` is a direction that turns
//! vectors: the rotation of a body.
//!
//! # Order of calls
//!
//! A [`GameLoop`] has no order but its own: begin a frame, run its steps, draw. With its parts, once a frame: [`FrameClock::begin_frame`],
//! [`FixedTimestep::advance`], `begin_frame` of the input buffer, each of [`Frame::steps`], and drawing at [`Frame::alpha`]; before drawing
//! [`FixedTimestep::give_back`], if there was no time for all steps. Another order does not panic. If a frame is not passed to the
//! input buffer, its events go to the next one. [Controls](input::InputBuffer#which-step-is-asked-for) always belong to the step that is
//! passed.
//!
//! A call takes constant time and allocates nothing, unless it says otherwise: a schedule takes time in proportion to its tasks,
//! `InputBuffer::push` to the newer events, `Poses` to the bodies that moved, `History` to the steps that it repeats. A [`Frame`] and a
//! [`Step`] are plain values. All types are `Send` and `Sync` if their contents are, except for `SimThread` and `SimRemote`, which are
//! only `Send`.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `std` (default) | [`MonotonicClock`]; `alloc` |
//! | `alloc` | [`GameLoop`]; input, events, schedules and many poses at once |
//! | `follow` | `Follower`, `Attached` and `Look`: cameras, attachments and look angles |
//! | `history` | `History`, `SavedStates`, `EventReconciler` (with `alloc`) and `Correction` |
//! | `thread` | `SimThread`: a simulation on its own thread; `StepTimer`, which waits for the next step; Rust 1.86 |
//! | `tracing` | a span for each [`Step`] while it is simulated (of a [`Schedule`](schedule::Schedule) with its task) and an event for [lost](Lost) time, for the subscribers of `tracing` |
//! | `winit` | key and mouse events of `winit` 0.30, which Bevy 0.20 and ggez 0.10 use, as [`InputEvent`](input::InputEvent)s |
//! | `desync` | dumps of states, and the field in which two of them differ |
//! | `derive` | `#[derive(Blend)]`, `#[derive(Inspect)]` |
//! | `serde` | states and settings can be stored |
//! | `glam` | [`Blend`] and [`Inspect`] for the vectors, rotations and matrices of glam 0.33, which Bevy 0.20 and Rapier use |
//! | `glam-032` | the same for the glam of ggez 0.10 |
//! | `glam-027` | the same for the glam of macroquad 0.4 |
//!
#![cfg_attr(all(doc, not(doctest)), doc = include_str!("../which-call.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "derive")]
mod derive;
mod drawing;
pub mod filter;
#[cfg(feature = "follow")]
pub mod follow;
#[cfg(feature = "alloc")]
mod game_loop;
#[cfg(feature = "history")]
pub mod history;
#[cfg(feature = "alloc")]
pub mod input;
pub mod inspect;
#[cfg(any(feature = "glam", feature = "glam-032", feature = "glam-027"))]
mod interop;
mod math;
pub mod poses;
#[cfg(feature = "alloc")]
pub mod schedule;
mod step;
#[cfg(feature = "thread")]
pub mod thread;
mod time;

#[cfg(feature = "derive")]
pub use derive::{Blend, Inspect};
pub use drawing::{Angle, Blend, Extrapolate, PositionVelocity, Smoothed, Smoothing, Vector};
pub use filter::{FrameClock, FrameTime};
#[cfg(feature = "alloc")]
pub use game_loop::GameLoop;
pub use inspect::Inspect;
pub use step::{FixedTimestep, Frame, FrameSample, FrameStats, Lost, Overrun, Step, Steps};
#[cfg(feature = "std")]
pub use time::MonotonicClock;
pub use time::{Rate, RatioError, SimDuration, SimTime, Tick, TimeScale};

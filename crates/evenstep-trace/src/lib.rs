//! Frame-time traces: how long the frames of real programs took on real machines.
//!
//! Players record them with PresentMon, CapFrameX, OCAT, FRAPS, MangoHud, Android's tools or Chrome. A trace tells the deltas
//! that the program's own loop would have read, and so can be replayed into any simulation; where it tells when frames were on
//! the screen, [`Chain::metrics`] measures the stutter and [`Chain::diagnose`] names it. [`Analysis`] does so for a file of any
//! size while it is read.
//!
//! [`Comparison`] says what a game would look like on such frames, under every way of stepping and drawing, on a simulated
//! [`Display`]; [`tournament`] holds delta filters against each other where the truth is known.
//!
//! ```
//! use evenstep_trace::{Rows, Trace};
//! use std::time::Duration;
//!
//! let text = "Application,ProcessID,SwapChainAddress,MsBetweenPresents\n\
//!             game.exe,7,0x1,16.7\n\
//!             game.exe,7,0x1,33.25\n";
//! let trace = Trace::parse(text.as_bytes(), "capture.csv", Rows::All)?;
//! assert_eq!(trace.main_chain().deltas, [16_700, 33_250].map(Duration::from_micros));
//! # Ok::<(), evenstep_trace::TraceError>(())
//! ```
#![forbid(unsafe_code)]

mod analysis;
mod columns;
mod comparison;
mod diagnose;
mod display;
mod distribution;
mod error;
mod events;
mod gauge;
mod gfxinfo;
mod json;
mod measure;
mod milliseconds;
mod noise;
mod number;
mod opening;
mod order;
mod present;
mod reading;
mod recording;
mod strategy;
mod timeline;
mod tournament;
mod trace;

pub use analysis::{Analysis, ChainAnalysis};
pub use comparison::{Comparison, Outcome, Picture, Recommended, StepsPerFrame};
pub use diagnose::{Diagnosis, StutterKind};
pub use display::Display;
pub use error::{RowProblem, TraceError};
pub use measure::{Absent, AnimationErrors, FrameTimes, Hitch, Measured, Metrics};
pub use noise::Noise;
pub use order::ChainName;
pub use present::Present;
pub use recording::write_recording;
pub use strategy::{Filter, Strategy};
pub use timeline::{Timeline, TimelineFrame};
pub use tournament::{Score, tournament};
pub use trace::{Chain, Format, Rows, Trace};

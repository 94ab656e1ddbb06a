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

mod error;
mod measure;
mod read;
mod simulate;

pub use error::{RowProblem, TraceError};
pub use measure::analysis::{Analysis, ChainAnalysis};
pub use measure::diagnosis::{Diagnosis, StutterKind};
pub use measure::metrics::{Absent, AnimationErrors, FrameTimes, Hitch, Measured, Metrics};
pub use read::bad_rows::Rows;
pub use read::chain_name::ChainName;
pub use read::format::Format;
pub use read::present::Present;
pub use read::recording::write_recording;
pub use read::trace::{Chain, Trace};
pub use simulate::capture::SyntheticCapture;
pub use simulate::comparison::{Comparison, Outcome, Picture, Recommended, StepsPerFrame};
pub use simulate::display::Display;
pub use simulate::exam::{DiagnosisScore, score_diagnosis};
pub use simulate::noise::Noise;
pub use simulate::strategy::{Filter, Strategy};
pub use simulate::timeline::{Timeline, TimelineFrame};
pub use simulate::tournament::{Score, tournament};

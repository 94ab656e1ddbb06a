//! Reads frame times that players recorded, diagnoses their stutter, and simulates its cures.
//!
//! A recording comes from PresentMon, CapFrameX, OCAT, FRAPS, MangoHud, Android's tools, Perfetto or Chrome. The crate has four stages:
//!
//! - **Read.** [`Trace`] holds the frame deltas of each swap chain, as the program's own loop would have measured them. Replay them
//!   into any simulation.
//! - **[`measure`].** [`Analysis`] computes metrics and diagnoses the stutter of a file of any size while reading it.
//!   [`SwapChain::analysis`] does so for frames in memory.
//! - **[`live`].** [`WatchedFile`](live::WatchedFile) does the same with a file that another program is writing.
//! - **[`simulate`].** [`Comparison`](simulate::Comparison) measures how evenly a game would move on these frames under every way of
//!   stepping and drawing.
//!
//! ```
//! use evenstep_trace::{BadRows, Trace, TraceError};
//! use std::time::Duration;
//!
//! fn main() -> Result<(), TraceError> {
//!     let text = "Application,ProcessID,SwapChainAddress,MsBetweenPresents\n\
//!                 game.exe,7,0x1,16.7\n\
//!                 game.exe,7,0x1,33.25\n";
//!     let trace = Trace::parse(text.as_bytes(), "capture.csv", BadRows::Fail)?;
//!     assert_eq!(trace.main_chain().deltas, [16_700, 33_250].map(Duration::from_micros));
//!     Ok(())
//! }
//! ```
#![forbid(unsafe_code)]

mod error;
pub mod live;
pub mod measure;
mod read;
pub mod simulate;
mod write;

pub use error::{BadRows, RowProblem, TraceError};
pub use measure::{Analysis, Diagnosis, Metrics, PresentMetrics, StutterKind, SwapChainAnalysis};
pub use read::{Format, LateBy, Present, SwapChain, SwapChainName, Trace};
pub use write::write_frame_times;

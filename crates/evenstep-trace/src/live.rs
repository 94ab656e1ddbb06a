//! Measures and diagnoses a recording while it is being written.
//!
//! [`GrowingAnalysis`] takes the bytes of a file in pieces, and can return at any time the analysis of the file as if it ended there.
//! [`WatchedFile`] reads a file that another program is writing, and starts over if it is truncated or replaced. A program that
//! `evenstep record` runs tells it by a [`ShownTimePipe`] which simulated time each frame shows.
//!
//! ```
//! use evenstep_trace::live::GrowingAnalysis;
//! use evenstep_trace::{Analysis, BadRows};
//!
//! let mut growing = GrowingAnalysis::new("list.txt", BadRows::Fail);
//! growing.push(b"16\n17\n1")?; // the last line is not complete, so it does not count yet
//! assert_eq!(growing.current()?.analysis.chains[0].metrics.frames, 2);
//! growing.push(b"6\n")?;
//! let whole = Analysis::read("16\n17\n16\n".as_bytes(), "list.txt", BadRows::Fail)?;
//! assert_eq!(growing.complete()?.analysis, whole);
//! # Ok::<(), evenstep_trace::TraceError>(())
//! ```

mod growing_analysis;
mod recent_frames;
mod shown_time_pipe;
mod watched_file;

pub use growing_analysis::{CurrentAnalysis, GrowingAnalysis};
pub use recent_frames::RECENT_FRAMES;
pub use shown_time_pipe::ShownTimePipe;
pub use watched_file::{FileEvent, WatchedFile};

//! Metrics of recorded frames, and the kind of stutter they show.
//!
//! ```
//! use evenstep_trace::{Analysis, BadRows};
//!
//! let analysis = Analysis::read("16\n17\n16\n".as_bytes(), "list.txt", BadRows::Fail)?;
//! assert_eq!(analysis.chains[0].metrics.frames, 3);
//! # Ok::<(), evenstep_trace::TraceError>(())
//! ```

pub(crate) mod account;
pub(crate) mod analysis;
mod diagnose;
pub(crate) mod diagnosis;
pub(crate) mod distribution;
mod evidence;
pub(crate) mod hitches;
mod levels;
pub(crate) mod metrics;
mod multiples_fit;
mod running_metrics;
mod samples;
mod thresholds;

pub use account::{UnevenKind, UnevenPart, Unevenness};
pub use analysis::Analysis;
pub use diagnosis::{Diagnosis, StutterKind, SwapChainAnalysis};
pub use hitches::{Hitch, HitchOf};
pub use metrics::{AnimationErrors, FrameTimes, Metrics, MissingMetric, PresentMetrics};

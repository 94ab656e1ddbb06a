//! The kinds of stutter, a diagnosis: a kind with its evidence and cure, and all that is found out about a swap chain.

use std::fmt;

use serde::Serialize;

use crate::measure::account::Unevenness;
use crate::measure::metrics::Metrics;
use crate::read::chain_name::SwapChainName;

/// A kind of stutter with its evidence and cure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The kind.
    pub kind: StutterKind,
    /// The measured numbers that show this kind of stutter, and when it happened if not throughout the recording.
    pub evidence: String,
    /// The setting that cures this kind of stutter, or a statement that no setting does.
    pub cure: &'static str,
    /// The refresh rate of the display in hertz, if the evidence rests on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_hz: Option<f64>,
}

/// A kind of stutter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StutterKind {
    /// Frames are even: there is nothing to cure.
    Even,
    /// Frames are displayed for unequal times, or never, although the program makes them evenly: their rate is not the display's, or
    /// their presentation is not paced.
    UnevenDisplay,
    /// Some frames missed their refresh and were displayed one or more refreshes later.
    MissedRefreshes,
    /// The program's frame times vary.
    UnevenFrames,
    /// Long frames, or stops of the display, at regular intervals or not.
    Hitches,
    /// The graphics card limits the frame rate.
    GpuBound,
    /// The program's own work limits the frame rate.
    CpuBound,
    /// Frames were generated between the program's own, as the file states.
    FrameGeneration,
    /// Not enough evidence for any other kind.
    Unknown,
}

impl StutterKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Even,
        Self::UnevenDisplay,
        Self::MissedRefreshes,
        Self::UnevenFrames,
        Self::Hitches,
        Self::GpuBound,
        Self::CpuBound,
        Self::FrameGeneration,
        Self::Unknown,
    ];
}

impl fmt::Display for StutterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Even => "even frames",
            Self::UnevenDisplay => "uneven display intervals",
            Self::MissedRefreshes => "missed refreshes",
            Self::UnevenFrames => "uneven frame times",
            Self::Hitches => "hitches",
            Self::GpuBound => "bound by the GPU",
            Self::CpuBound => "bound by the CPU",
            Self::FrameGeneration => "frame generation",
            Self::Unknown => "not enough evidence",
        })
    }
}

/// The metrics and the diagnosis of a swap chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SwapChainAnalysis {
    /// The name of the swap chain: application, process and address, which are `process`, `pid` and `swap_chain` in JSON.
    #[serde(flatten)]
    pub name: SwapChainName,
    /// Its metrics.
    #[serde(flatten)]
    pub metrics: Metrics,
    /// The account of its unevenness; none of fewer than 60 frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unevenness: Option<Unevenness>,
    /// Its kinds of stutter; at least one entry.
    pub diagnosis: Vec<Diagnosis>,
}

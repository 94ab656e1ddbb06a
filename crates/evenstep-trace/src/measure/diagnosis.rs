//! The kinds of stutter, and a diagnosis: a kind with its evidence and cure.

use std::fmt;

use serde::Serialize;

/// A kind of stutter with its evidence and cure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The kind.
    pub kind: StutterKind,
    /// The measured numbers that show this kind of stutter.
    pub evidence: String,
    /// The setting that cures this kind of stutter, or a statement that no setting does.
    pub cure: &'static str,
}

/// A kind of stutter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StutterKind {
    /// Frames are even: there is nothing to cure.
    Even,
    /// Frames are even, but not at the display's rate: some are displayed twice, or never.
    Beat,
    /// Frames are even, but are displayed for unequal times: bad frame pacing.
    UnevenDisplay,
    /// The display is even, but the deltas that the program measured are not.
    JitteryDeltas,
    /// Some frames missed their refresh and were displayed one or more refreshes later.
    MissedDeadlines,
    /// Long frames at regular intervals.
    PeriodicHitches,
    /// Occasional long frames.
    Hitches,
    /// The graphics card limits the frame rate.
    GpuBound,
    /// The program's own work limits the frame rate.
    CpuBound,
    /// A driver generated frames between the program's own.
    FrameGeneration,
    /// The recording does not show the kind of stutter.
    Unknown,
}

impl StutterKind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Even,
        Self::Beat,
        Self::UnevenDisplay,
        Self::JitteryDeltas,
        Self::MissedDeadlines,
        Self::PeriodicHitches,
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
            Self::Beat => "beat between rates",
            Self::UnevenDisplay => "uneven display intervals",
            Self::JitteryDeltas => "jittery deltas",
            Self::MissedDeadlines => "missed deadlines",
            Self::PeriodicHitches => "periodic hitches",
            Self::Hitches => "hitches",
            Self::GpuBound => "bound by the GPU",
            Self::CpuBound => "bound by the CPU",
            Self::FrameGeneration => "frame generation",
            Self::Unknown => "unknown",
        })
    }
}

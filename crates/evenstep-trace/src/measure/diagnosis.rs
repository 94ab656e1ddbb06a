use std::fmt;

use serde::Serialize;

/// A kind of stutter that was found, with what it was found by.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    /// What it is.
    pub kind: StutterKind,
    /// The numbers that show it.
    pub evidence: String,
    /// The setting that helps, or that none does.
    pub cure: &'static str,
}

/// A kind of stutter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StutterKind {
    /// Frames are even, and nothing is to be cured.
    Even,
    /// Frames come at an even rate that is not the display's, so that every so many is shown once more or not at all.
    Beat,
    /// The display is even, but the deltas that the program measured are not.
    JitteryDeltas,
    /// Some frames were not ready in time and came a refresh or more late.
    MissedDeadlines,
    /// Long frames that come again and again after the same time.
    PeriodicHitches,
    /// Long frames now and then.
    Hitches,
    /// The graphics card is busy nearly all of the time.
    GpuBound,
    /// The program's own work takes nearly all of the time.
    CpuBound,
    /// A driver generated frames between the program's own.
    FrameGeneration,
    /// It stutters, but the file does not tell how.
    Unknown,
}

impl StutterKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Even,
        Self::Beat,
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

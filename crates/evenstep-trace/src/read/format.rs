//! The file formats that can be read.

use std::fmt;

/// The kind of file that a trace comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// PresentMon 1.x, CapFrameX and OCAT: the time between presents.
    PresentMon1,
    /// PresentMon 2.x: the time between the starts of frames.
    PresentMon2,
    /// One number of milliseconds per line.
    Plain,
    /// Frame times that evenstep wrote.
    FrameTimes,
    /// A table of frame times that no known tool wrote.
    Table,
    /// A trace of Chrome as JSON: `BeginFrame` events.
    ChromeTrace,
    /// A capture of CapFrameX as JSON.
    CapFrameXJson,
    /// Frame times of FRAPS: a running clock.
    Fraps,
    /// A log of MangoHud.
    MangoHud,
    /// A trace of Perfetto: the frames of Android's FrameTimeline.
    Perfetto,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PresentMon1 => "PresentMon 1",
            Self::PresentMon2 => "PresentMon 2",
            Self::Plain => "one number per line",
            Self::FrameTimes => "evenstep recording",
            Self::Table => "a table of frame times",
            Self::ChromeTrace => "Chrome trace",
            Self::CapFrameXJson => "CapFrameX JSON",
            Self::Fraps => "FRAPS",
            Self::MangoHud => "MangoHud",
            Self::Perfetto => "Perfetto trace",
        })
    }
}

use std::fmt;

/// What kind of file a trace was in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PresentMon 1.x and its kin, CapFrameX and OCAT: the time between presents.
    PresentMon1,
    /// PresentMon 2.x: the time between the starts of frames.
    PresentMon2,
    /// One number of milliseconds per line.
    Plain,
    /// A recording of evenstep's own.
    Recording,
    /// Android's atrace as text: the starts of `Choreographer#doFrame`.
    Atrace,
    /// A trace of Chrome as JSON: `BeginFrame` events.
    ChromeTrace,
    /// A capture of CapFrameX as JSON.
    CapFrameXJson,
    /// Frame times of FRAPS: a clock that runs on.
    Fraps,
    /// A log of MangoHud.
    MangoHud,
    /// Android's `dumpsys gfxinfo … framestats`: when frames were meant to begin.
    Gfxinfo,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PresentMon1 => "PresentMon 1",
            Self::PresentMon2 => "PresentMon 2",
            Self::Plain => "one number per line",
            Self::Recording => "evenstep recording",
            Self::Atrace => "Android atrace",
            Self::ChromeTrace => "Chrome trace",
            Self::CapFrameXJson => "CapFrameX JSON",
            Self::Fraps => "FRAPS",
            Self::MangoHud => "MangoHud",
            Self::Gfxinfo => "Android gfxinfo",
        })
    }
}

//! Measures and diagnoses a file that is read piece by piece.

use std::fmt;

use crate::error::{BadRows, RowProblem, TraceError};
use crate::live::recent_frames::RecentFrames;
use crate::measure::Analysis;
use crate::measure::analysis::Tallies;
use crate::read::format::Format;
use crate::read::reader::{Read, Reader};
use crate::read::trace::SwapChain;

/// The analysis of a file that arrives in pieces.
///
/// [`current`](Self::current) returns at any time what [`Analysis::read`] would return for the lines so far. The figures are
/// bit-identical, regardless of how the lines were cut into pieces. Of a swap chain with more than 16 000 frames, `current` takes the
/// account and the diagnosis from blocks of frames at equal distances; [`complete`](Self::complete) takes them from up to 131 000 frames. The
/// analysis reads every format of lines: PresentMon, CapFrameX, OCAT, MangoHud, FRAPS, `FrameTimeNs`, other tables of frame times, and one
/// number per line.
///
/// Memory grows with the hitches only, as in [`Analysis::read`]. For each swap chain there are also its distributions, the newest
/// [`RECENT_FRAMES`] rows, and up to 4095 rows that wait for earlier ones. Percentiles are computed as in [`Analysis::read`].
///
/// [`RECENT_FRAMES`]: super::RECENT_FRAMES
pub struct GrowingAnalysis {
    file: String,
    reader: Reader,
    sinks: Sinks,
}

type Sinks = (Tallies, RecentFrames);

/// The analysis of the complete lines of a growing file at one moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CurrentAnalysis {
    /// The result of [`Analysis::read`] for the lines so far.
    pub analysis: Analysis,
    /// The newest rows of each of its swap chains, in the same order.
    pub recent: Vec<SwapChain>,
    /// The last row that could not be read, under [`BadRows::Skip`].
    pub last_skipped: Option<RowProblem>,
}

impl fmt::Debug for GrowingAnalysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GrowingAnalysis")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

impl GrowingAnalysis {
    /// Creates an analysis to which no bytes of the file have been added yet. Errors name the file `file`.
    #[must_use]
    pub fn new(file: &str, rows: BadRows) -> Self {
        Self {
            file: file.to_owned(),
            reader: Reader::new(file, rows),
            sinks: Sinks::default(),
        }
    }

    /// Adds the next bytes of the file. A line counts once its line ending has been added.
    ///
    /// # Errors
    ///
    /// As [`Analysis::read`], and [`TraceError::NoTable`] for formats that can be read only when the file is complete. After an error the
    /// rest of `bytes` is not read.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), TraceError> {
        self.reader.push(bytes, false, &mut self.sinks)?;
        match self.reader.format() {
            Some(format @ (Format::ChromeTrace | Format::CapFrameXJson | Format::Perfetto)) => {
                let file = self.file.clone();
                Err(TraceError::NoTable { file, format })
            }
            _ => Ok(()),
        }
    }

    /// The analysis of the complete lines. It takes one or two milliseconds: call it once per drawn frame at most.
    ///
    /// # Errors
    ///
    /// [`TraceError::Empty`] before the format of the file is known, [`TraceError::NoFrames`] before the first frame, and
    /// [`TraceError::Samples`] while the file appears to hold samples instead of all frames.
    pub fn current(&self) -> Result<CurrentAnalysis, TraceError> {
        // Rows that wait for earlier ones are measured in a copy.
        let mut sinks = self.sinks.clone();
        sinks.0.thin();
        let read = self.reader.clone().end(&mut sinks)?;
        current(read, sinks, &self.file)
    }

    /// The analysis of the complete file: its last line counts even without a line ending.
    ///
    /// # Errors
    ///
    /// As [`Analysis::read`].
    pub fn complete(mut self) -> Result<CurrentAnalysis, TraceError> {
        let read = self.reader.complete(&mut self.sinks)?;
        current(read, self.sinks, &self.file)
    }
}

fn current(read: Read, (tallies, recent): Sinks, file: &str) -> Result<CurrentAnalysis, TraceError> {
    let analysis = tallies.analysis(read, file)?;
    Ok(CurrentAnalysis {
        recent: analysis.chains.iter().map(|chain| recent.chain(&chain.name)).collect(),
        analysis,
        last_skipped: recent.last_skipped,
    })
}

//! Measures and diagnoses a file that is read piece by piece.

use std::borrow::Cow;
use std::fmt;

use crate::error::{BadRows, RowProblem, TraceError};
use crate::live::line_splitter::LineSplitter;
use crate::live::recent_frames::RecentFrames;
use crate::measure::analysis::Tallies;
use crate::measure::{Analysis, PresentMetrics, SwapChainAnalysis};
use crate::read::chain_name::SwapChainName;
use crate::read::decoder::Decoder;
use crate::read::format::Format;
use crate::read::lines::Line;
use crate::read::opening::{Opening, Preface};
use crate::read::reorder_buffer::ReorderBuffer;
use crate::read::table::Rows;
use crate::read::trace::SwapChain;

/// The analysis of a file that arrives in pieces.
///
/// [`snapshot`](Self::snapshot) returns at any time what [`Analysis::read`] would return for the lines so far. The figures are
/// bit-identical, regardless of how the lines were cut into pieces. The analysis reads tables: PresentMon, CapFrameX, OCAT,MangoHud, FRAPS,
/// `FrameTimeNs`, and one number per line.
///
/// Memory grows with the hitches only, as in [`Analysis::read`]. For each swap chain there are also its distributions, the newest
/// [`RECENT_FRAMES`] rows, and up to 4096 rows that wait for earlier ones. Percentiles are computed as in [`Analysis::read`].
///
/// [`RECENT_FRAMES`]: super::RECENT_FRAMES
pub struct GrowingAnalysis {
    file: String,
    bad_rows: BadRows,
    decoder: Decoder,
    splitter: LineSplitter,
    parser: Parser,
}

/// The analysis of the complete lines of a growing file at one moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
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
            .field("bad_rows", &self.bad_rows)
            .finish_non_exhaustive()
    }
}

impl GrowingAnalysis {
    /// Creates an analysis to which no bytes of the file have been added yet. Errors name the file `file`.
    #[must_use]
    pub fn new(file: &str, rows: BadRows) -> Self {
        Self {
            file: file.to_owned(),
            bad_rows: rows,
            decoder: Decoder::default(),
            splitter: LineSplitter::default(),
            parser: Parser::Preface(Preface::default()),
        }
    }

    /// Adds the next bytes of the file. A line counts once its line ending has been added.
    ///
    /// # Errors
    ///
    /// As [`Analysis::read`], and [`TraceError::NoTable`] for formats that can be read only when the file is complete. After an error the
    /// rest of `bytes` is not read.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), TraceError> {
        let Self {
            file,
            bad_rows,
            decoder,
            splitter,
            parser,
        } = self;
        splitter.push(&decoder.text(bytes), |line| parser.read(line, file, *bad_rows))
    }

    /// The analysis of the complete lines. It takes one or two milliseconds: call it once per drawn frame at most.
    ///
    /// # Errors
    ///
    /// [`TraceError::Empty`] before the format of the file is known, [`TraceError::NoFrames`] before the first frame, and
    /// [`TraceError::Samples`] while the file appears to hold samples instead of all frames.
    pub fn snapshot(&self) -> Result<Snapshot, TraceError> {
        match &self.parser {
            Parser::Preface(_) => Err(self.empty()),
            Parser::Table(table) => table.snapshot(&self.file),
        }
    }

    /// The analysis of the complete file: its last line counts even without a line ending.
    ///
    /// # Errors
    ///
    /// As [`Analysis::read`].
    pub fn complete(mut self) -> Result<Snapshot, TraceError> {
        let Self {
            file,
            bad_rows,
            decoder,
            splitter,
            parser,
        } = &mut self;
        splitter.push(&decoder.finish(), |line| parser.read(line, file, *bad_rows))?;
        splitter.finish(|line| parser.read(line, file, *bad_rows))?;
        self.snapshot()
    }

    fn empty(&self) -> TraceError {
        TraceError::Empty {
            file: self.file.clone(),
        }
    }
}

/// The state of the parser.
enum Parser {
    Preface(Preface),
    Table(Box<Table>),
}

type Sinks = (Tallies<fn(&SwapChainName, &PresentMetrics)>, RecentFrames);

struct Table {
    opening: Opening,
    /// Whether a line after the header has been read.
    has_begun: bool,
    rows: Rows,
    ordered: ReorderBuffer<'static, Sinks>,
}

impl Parser {
    fn read(&mut self, line: &Line<'_>, file: &str, bad_rows: BadRows) -> Result<(), TraceError> {
        match self {
            Self::Table(table) => table.read(line),
            Self::Preface(preface) => {
                let Some(opening) = preface.read(line, file)? else {
                    return Ok(());
                };
                let is_row = !opening.is_header;
                let mut table = Table::new(opening, file, bad_rows)?;
                if is_row {
                    table.read(line)?;
                }
                *self = Self::Table(Box::new(table));
                Ok(())
            }
        }
    }
}

impl Table {
    fn new(opening: Opening, file: &str, bad_rows: BadRows) -> Result<Self, TraceError> {
        let format = opening.format;
        if matches!(
            format,
            Format::ChromeTrace | Format::CapFrameXJson | Format::Atrace | Format::Gfxinfo
        ) {
            let file = file.to_owned();
            return Err(TraceError::NoTable { file, format });
        }
        let sinks: Sinks = (Tallies::new(|_, _| ()), RecentFrames::default());
        Ok(Self {
            rows: Rows::new(opening.delimiter),
            ordered: ReorderBuffer::of(
                Cow::Owned(file.to_owned()),
                bad_rows,
                Cow::Owned(opening.columns.clone()),
                sinks,
            ),
            opening,
            has_begun: false,
        })
    }

    fn read(&mut self, line: &Line<'_>) -> Result<(), TraceError> {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.opening.learn_first_row(line.text);
        }
        self.rows.read(line, &self.opening.columns, &mut self.ordered)
    }

    /// The analysis if the file ended here. Rows that wait for earlier ones are measured in a copy.
    fn snapshot(&self, file: &str) -> Result<Snapshot, TraceError> {
        let Opening { format, machine, .. } = &self.opening;
        let mut ordered = self.ordered.clone();
        if let Some(warning) = self.rows.warning() {
            ordered.warn(warning);
        }
        let ((tallies, recent), warnings) = ordered.finish(*format)?;
        let analysis = Analysis::new(*format, machine.clone(), warnings, tallies, file)?;
        let names = analysis.chains.iter().map(SwapChainAnalysis::name);
        Ok(Snapshot {
            recent: names.map(|name| recent.of(&name)).collect(),
            analysis,
            last_skipped: recent.last_skipped,
        })
    }
}

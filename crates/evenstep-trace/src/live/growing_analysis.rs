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

/// The analysis of a file that comes in pieces.
///
/// At any time it can say what [`Analysis::read`] would of the lines so far, with bit-identical figures, however they were cut into pieces. It reads
/// tables: PresentMon, CapFrameX, OCAT, MangoHud, FRAPS, the log of `evenstep-overlay`, and one number per line.
///
/// Memory is bounded as that of [`Analysis::read`]: for each swap chain its distributions, its hitches and its newest [`RECENT_FRAMES`] rows, and
/// up to 4096 rows that wait for earlier ones. Percentiles are by the same means as there.
///
/// [`RECENT_FRAMES`]: super::RECENT_FRAMES
pub struct GrowingAnalysis {
    file: String,
    bad_rows: BadRows,
    decoder: Decoder,
    splitter: LineSplitter,
    parser: Parser,
}

/// The analysis of the complete lines that a growing file has at some time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// What [`Analysis::read`] says of the lines so far.
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
    /// A file of which nothing has come yet. Errors call it `file`.
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

    /// Takes the next bytes of the file. A line counts when its end has come.
    ///
    /// # Errors
    ///
    /// As [`Analysis::read`], and [`TraceError::NoTable`] for files that mean something only as a whole. The rest of the bytes is not
    /// read then.
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
    /// [`TraceError::Empty`] before the file says what it is, [`TraceError::NoFrames`] before the first frame, and
    /// [`TraceError::Samples`] while the file looks like one of samples.
    pub fn snapshot(&self) -> Result<Snapshot, TraceError> {
        match &self.parser {
            Parser::Preface(_) => Err(self.empty()),
            Parser::Table(table) => table.snapshot(&self.file),
        }
    }

    /// The analysis of the file if it is complete: its last line counts, too.
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
    /// Whether a line has come after the header.
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

    /// The analysis if nothing follows. Rows that wait for earlier ones are measured in a copy.
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

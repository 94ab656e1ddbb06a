use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;
use std::time::Duration;

use csv::ByteRecord;

use crate::columns::{Columns, Unit};
use crate::opening::{self, Opening};
use crate::{RowProblem, TraceError, events, milliseconds};

/// The frame times in a file, by chain of presents.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What kind of file it was.
    pub format: Format,
    /// The chains that have frames, the one with the most frames first; the desktop's own come last.
    pub chains: Vec<Chain>,
    /// Rows that could not be read and were [skipped](Rows::Readable).
    pub skipped: Vec<RowProblem>,
    file: String,
}

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
        })
    }
}

/// The frames that one program showed in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The program's name; empty if the file does not tell.
    pub application: String,
    /// The process; empty if the file does not tell.
    pub process: String,
    /// The address of the swap chain; empty if the file does not tell.
    pub swap_chain: String,
    /// The frames' deltas, oldest first. Frames that were never displayed are among them; frames that a driver
    /// generated are not.
    pub deltas: Vec<Duration>,
}

impl Chain {
    /// Whether it is the desktop rather than a program.
    fn is_compositor(&self) -> bool {
        self.application.eq_ignore_ascii_case("dwm.exe")
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.application, self.process, self.swap_chain)
    }
}

/// What happens to rows that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// The first one is an error.
    #[default]
    All,
    /// They are skipped, and listed in [`Trace::skipped`].
    Readable,
}

impl Trace {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no trace, has no frames, or has a row that cannot be read.
    pub fn read(path: &Path, rows: Rows) -> Result<Self, TraceError> {
        let file = path.display().to_string();
        match File::open(path) {
            Ok(input) => Self::parse(input, &file, rows),
            Err(source) => Err(TraceError::Unreadable { file, source }),
        }
    }

    /// Reads a trace from anywhere. `file` is what errors call it.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn parse(input: impl Read, file: &str, rows: Rows) -> Result<Self, TraceError> {
        let mut input = BufReader::new(input);
        let opening = opening::read(&mut input, file)?;
        let mut gathered = Gathered::new(file, &opening.columns);
        let content = Cursor::new(&opening.content).chain(input);
        match opening.format {
            Format::Atrace => events::read_atrace(content, file, |key, time| gathered.instant(key, time))?,
            Format::ChromeTrace => events::read_chrome(content, file, |key, time| gathered.instant(key, time))?,
            _ => gathered.read_rows(content, &opening, rows)?,
        }
        gathered.into_trace(opening.format)
    }

    /// The chain with the most frames that is not the desktop's own.
    #[must_use]
    pub fn main_chain(&self) -> &Chain {
        &self.chains[0]
    }

    /// The chain of a name: that of the application, the process, the swap chain, or all three with slashes between
    /// them. Of several the one with the most frames.
    ///
    /// # Errors
    ///
    /// [`TraceError::NoSuchChain`], which lists those that there are.
    pub fn chain(&self, name: &str) -> Result<&Chain, TraceError> {
        let is_called = |chain: &&Chain| {
            let names = [&chain.application, &chain.process, &chain.swap_chain];
            names.iter().any(|own| own.eq_ignore_ascii_case(name)) || chain.to_string().eq_ignore_ascii_case(name)
        };
        self.chains.iter().find(is_called).ok_or_else(|| {
            let known: Vec<String> = self.chains.iter().map(Chain::to_string).collect();
            TraceError::NoSuchChain {
                file: self.file.clone(),
                wanted: name.to_owned(),
                known: known.join(", "),
            }
        })
    }
}

/// Application, process and swap chain.
pub(crate) type Key = (String, String, String);

/// The rows read so far.
struct Gathered<'a> {
    file: &'a str,
    columns: &'a Columns,
    /// Frames with the time by which they are put in order.
    frames: BTreeMap<Key, Vec<(f64, Duration)>>,
    /// Instants at which frames began, where that is what a file holds.
    instants: BTreeMap<Key, Vec<Duration>>,
    skipped: Vec<RowProblem>,
}

impl<'a> Gathered<'a> {
    fn new(file: &'a str, columns: &'a Columns) -> Self {
        Self {
            file,
            columns,
            frames: BTreeMap::new(),
            instants: BTreeMap::new(),
            skipped: Vec::new(),
        }
    }

    fn instant(&mut self, key: Key, time: Duration) {
        self.instants.entry(key).or_default().push(time);
    }

    fn read_rows(&mut self, content: impl Read, opening: &Opening, rows: Rows) -> Result<(), TraceError> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'#'))
            .delimiter(opening.delimiter)
            .from_reader(content);
        let mut record = ByteRecord::new();
        loop {
            match reader.read_byte_record(&mut record) {
                Ok(false) => return Ok(()),
                Ok(true) => {}
                Err(error) => return Err(self.unreadable(error)),
            }
            let line = opening.lines + record.position().map_or(0, csv::Position::line);
            match self.add(&record) {
                Ok(()) => {}
                Err((field, reason)) => self.refuse(line, field, reason, rows)?,
            }
        }
    }

    fn unreadable(&self, error: csv::Error) -> TraceError {
        TraceError::Unreadable {
            file: self.file.to_owned(),
            source: error.into(),
        }
    }

    fn refuse(&mut self, line: u64, field: String, reason: String, rows: Rows) -> Result<(), TraceError> {
        let file = self.file.to_owned();
        let problem = RowProblem {
            file,
            line,
            field,
            reason,
        };
        match rows {
            Rows::All => Err(TraceError::Row(problem)),
            Rows::Readable => {
                self.skipped.push(problem);
                Ok(())
            }
        }
    }

    /// Adds a row's frame, if it has one; answers with the field that is wrong and why.
    fn add(&mut self, record: &ByteRecord) -> Result<(), (String, String)> {
        let columns = self.columns;
        let text = |index: Option<usize>| -> Result<&str, (String, String)> {
            let Some(index) = index else { return Ok("") };
            let bytes = record.get(index).ok_or_else(|| {
                let (has, needs) = (record.len(), index + 1);
                (
                    columns.delta_name.clone(),
                    format!("the row ends after column {has}, and {needs} are needed"),
                )
            })?;
            let text =
                std::str::from_utf8(bytes).map_err(|_| (format!("column {}", index + 1), "is not text".to_owned()))?;
            Ok(text.trim())
        };
        let delta = text(Some(columns.delta))?;
        let frame_type = text(columns.frame_type)?;
        let is_generated = !matches!(frame_type, "" | "NA" | "Application" | "NotSet");
        if is_generated || delta == "NA" {
            return Ok(());
        }
        let delta = match columns.unit {
            Unit::Milliseconds => milliseconds::parse(delta),
            Unit::Nanoseconds => nanoseconds(delta),
        }
        .map_err(|reason| (columns.delta_name.clone(), reason))?;
        let time = text(columns.time)?.replace(',', ".").parse().unwrap_or(f64::NAN);
        let owned = |index| text(index).map(str::to_owned);
        let key = (
            owned(columns.application)?,
            owned(columns.process)?,
            owned(columns.swap_chain)?,
        );
        self.frames.entry(key).or_default().push((time, delta));
        Ok(())
    }

    fn into_trace(mut self, format: Format) -> Result<Trace, TraceError> {
        for (key, mut instants) in std::mem::take(&mut self.instants) {
            instants.sort_unstable();
            let deltas = instants
                .windows(2)
                .map(|pair| (pair[1].as_secs_f64(), pair[1] - pair[0]));
            self.frames.entry(key).or_default().extend(deltas);
        }
        let chains = self
            .frames
            .into_iter()
            .map(|((application, process, swap_chain), mut frames)| {
                // Rows are in the order of completion. Where a time is missing, that order stays.
                if frames.iter().all(|(time, _)| time.is_finite()) {
                    frames.sort_by(|one, other| one.0.total_cmp(&other.0));
                }
                Chain {
                    application,
                    process,
                    swap_chain,
                    deltas: frames.into_iter().map(|(_, delta)| delta).collect(),
                }
            });
        let mut chains: Vec<Chain> = chains
            .filter(|chain| chain.deltas.iter().any(|delta| !delta.is_zero()))
            .collect();
        chains.sort_by_key(|chain| (chain.is_compositor(), Reverse(chain.deltas.len())));
        if chains.is_empty() {
            return Err(TraceError::NoFrames {
                file: self.file.to_owned(),
                skipped: self.skipped.len(),
            });
        }
        Ok(Trace {
            format,
            chains,
            skipped: self.skipped,
            file: self.file.to_owned(),
        })
    }
}

fn nanoseconds(text: &str) -> Result<Duration, String> {
    let nanos = text
        .parse::<u64>()
        .map_err(|_| format!("{text:?} is no whole number of nanoseconds"))?;
    Ok(Duration::from_nanos(nanos))
}

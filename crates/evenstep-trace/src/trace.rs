use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;
use std::time::Duration;

use csv::StringRecord;

use crate::columns::{Columns, Unit};
use crate::json::Json;
use crate::opening::{self, Opening};
use crate::present::{ClockUnit, Present, Row};
use crate::{RowProblem, TraceError, events, gfxinfo, milliseconds};

/// The frame times in a file, by chain of presents.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What kind of file it was.
    pub format: Format,
    /// The chains that have frames, the one with the most frames first; the desktop's own come last.
    pub chains: Vec<Chain>,
    /// Rows that could not be read and were [skipped](Rows::Readable).
    pub skipped: Vec<RowProblem>,
    /// What is odd about the file, in sentences.
    pub warnings: Vec<String>,
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

/// The frames that one program showed in one place.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// What became of each present, in the order of their times, where the file tells: generated frames and those that
    /// were never displayed are among them.
    pub presents: Vec<Present>,
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
        let mut opening = opening::read(&mut input, file)?;
        let json = match opening.format {
            Format::ChromeTrace => Some(Json::read(Cursor::new(&opening.content).chain(&mut input), file)?),
            _ => None,
        };
        if let Some(Json::CapFrameX(_)) = &json {
            opening.format = Format::CapFrameXJson;
            opening.columns = Columns::of_presents();
        }
        let mut gathered = Gathered::new(file, &opening.columns);
        let content = Cursor::new(&opening.content).chain(input);
        match (json, opening.format) {
            (Some(Json::Chrome(events)), _) => events::frames(&events, |key, time| gathered.instant(key, time)),
            (Some(Json::CapFrameX(capture)), _) => gathered.frames.chains = capture.rows(file)?,
            (None, Format::Atrace) => events::read_atrace(content, file, |key, time| gathered.instant(key, time))?,
            (None, Format::Gfxinfo) => gfxinfo::read(content, file, |key, time| gathered.instant(key, time))?,
            (None, _) => gathered.read_rows(content, &opening, rows)?,
        }
        gathered.into_trace(opening.format)
    }

    /// What the file is called.
    pub(crate) fn file(&self) -> &str {
        &self.file
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
    rows: u64,
    frames: Frames,
    /// Instants at which frames began, where that is what a file holds.
    instants: BTreeMap<Key, Vec<Duration>>,
    skipped: Vec<RowProblem>,
    /// Values of the file's own that an unsigned wrap has spoilt.
    wrapped: u64,
}

/// Rows by chain.
#[derive(Default)]
struct Frames {
    chains: Vec<(Key, Vec<Row>)>,
    places: HashMap<Key, usize>,
    /// The place of the last row's chain, which is most often the next one's too.
    last: usize,
}

impl Frames {
    fn rows(&mut self, names: [&str; 3]) -> &mut Vec<Row> {
        let is_last = |((application, process, swap_chain), _): &(Key, Vec<Row>)| {
            [application, process, swap_chain].into_iter().eq(names)
        };
        let is_known = self.chains.get(self.last).is_some_and(is_last);
        // Where a few chains take turns, looking at them is faster than hashing names.
        let few = &self.chains[..self.chains.len().min(8)];
        if let (false, Some(place)) = (is_known, few.iter().position(is_last)) {
            self.last = place;
        } else if !is_known {
            let [application, process, swap_chain] = names.map(str::to_owned);
            let key = (application, process, swap_chain);
            let next = self.chains.len();
            self.last = *self.places.entry(key.clone()).or_insert(next);
            if self.last == next {
                self.chains.push((key, Vec::new()));
            }
        }
        &mut self.chains[self.last].1
    }
}

/// A field that is wrong, and why.
type Wrong = (String, String);

impl<'a> Gathered<'a> {
    fn new(file: &'a str, columns: &'a Columns) -> Self {
        Self {
            file,
            columns,
            rows: 0,
            frames: Frames::default(),
            instants: BTreeMap::new(),
            skipped: Vec::new(),
            wrapped: 0,
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
        let mut record = StringRecord::new();
        loop {
            let line = |position: Option<&csv::Position>| opening.lines + position.map_or(0, csv::Position::line);
            let (at, added) = match reader.read_record(&mut record) {
                Ok(false) => return Ok(()),
                Ok(true) => (line(record.position()), self.add(&record)),
                Err(error) => match error.kind() {
                    csv::ErrorKind::Utf8 { pos, err } => {
                        let field = format!("column {}", err.field() + 1);
                        (line(pos.as_ref()), Err((field, "is not text".to_owned())))
                    }
                    _ => return Err(self.unreadable(error)),
                },
            };
            if let Err((field, reason)) = added {
                self.refuse(at, field, reason, rows)?;
            }
            self.rows += 1;
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

    /// Adds a row, or answers with what is wrong with it.
    fn add(&mut self, record: &StringRecord) -> Result<(), Wrong> {
        let columns = self.columns;
        let text = |index: Option<usize>| text(columns, record, index);
        let is_generated = !matches!(text(columns.frame_type)?, "" | "NA" | "Application" | "NotSet");
        let delta = match text(Some(columns.delta))? {
            "NA" => None,
            delta => Some(
                match columns.unit {
                    Unit::Milliseconds => milliseconds::parse(delta),
                    Unit::Nanoseconds => nanoseconds(delta),
                }
                .map_err(|reason| (columns.delta_name.clone(), reason)),
            ),
        };
        // What a driver generated is not held against the row.
        let delta = if is_generated { None } else { delta.transpose()? };
        let names = [
            text(columns.application)?,
            text(columns.process)?,
            text(columns.swap_chain)?,
        ];
        // The columns about a present may be missing from a ragged row: then it tells nothing of it.
        let number = |index: Option<usize>| -> Option<f64> {
            let text = index.and_then(|_| text(index).ok())?;
            let number: Result<f64, _> = match text.contains(',') {
                true => text.replace(',', ".").parse(),
                false => text.parse(),
            };
            number.ok().filter(|number| number.is_finite())
        };
        let of = &columns.present;
        if let (true, Some(time)) = (columns.is_cumulative, delta) {
            let [application, process, swap_chain] = names.map(str::to_owned);
            self.instant((application, process, swap_chain), time);
            return Ok(());
        }
        let is_wrapped = |index| text(index).is_ok_and(|text| text.starts_with("-1.8") || text.starts_with("-18"));
        if is_wrapped(of.animation_error) {
            self.wrapped += u64::from(number(of.animation_error).is_some_and(|error| error < -1e14));
        }
        let is_dropped = number(of.dropped).is_some_and(|dropped| dropped != 0.0);
        let row = Row {
            number: self.rows,
            time: number(columns.time),
            delta,
            is_generated,
            cpu_start: number(of.cpu_start),
            cpu_busy: number(of.cpu_busy),
            gpu_busy: number(of.gpu_busy),
            until_displayed: number(of.until_displayed).filter(|_| !is_dropped),
            display_latency: number(of.display_latency),
            animation_time: number(of.animation_time),
        };
        self.frames.rows(names).push(row);
        Ok(())
    }

    /// A log with an interval holds a frame now and then: what it holds adds up to far less than what has elapsed.
    fn refuse_samples(&self, rows: &[Row]) -> Result<(), TraceError> {
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Ok(());
        };
        let elapsed = last
            .time
            .zip(first.time)
            .map_or(0.0, |(last, first)| (last - first) * 1e-9);
        let frames: f64 = rows[1..]
            .iter()
            .filter_map(|row| row.delta)
            .map(|delta| delta.as_secs_f64())
            .sum();
        if rows.len() > 2 && frames < 0.8 * elapsed {
            return Err(TraceError::Samples {
                file: self.file.to_owned(),
                frames,
                elapsed,
            });
        }
        Ok(())
    }

    fn into_trace(mut self, format: Format) -> Result<Trace, TraceError> {
        let frames = std::mem::take(&mut self.frames.chains);
        let clock = ClockUnit::find(self.columns, &frames);
        let mut chains: BTreeMap<Key, Chain> = BTreeMap::new();
        for (key, mut rows) in frames {
            // Rows are in the order of completion. Where a time is missing, that order stays.
            if rows.iter().all(|row| row.time.is_some()) {
                rows.sort_by(|one, other| one.time.partial_cmp(&other.time).unwrap_or(Ordering::Equal));
            }
            let chain = chains.entry(key).or_default();
            if format == Format::MangoHud {
                self.refuse_samples(&rows)?;
            }
            chain.deltas = rows.iter().filter_map(|row| row.delta).collect();
            chain.presents = clock.presents(self.columns, &rows);
        }
        for (key, mut instants) in std::mem::take(&mut self.instants) {
            instants.sort_unstable();
            let deltas = instants.windows(2).map(|pair| pair[1] - pair[0]);
            chains.entry(key).or_default().deltas.extend(deltas);
        }
        let named = chains
            .into_iter()
            .map(|((application, process, swap_chain), chain)| Chain {
                application,
                process,
                swap_chain,
                ..chain
            });
        let has_time = |chain: &Chain| chain.deltas.iter().any(|delta| !delta.is_zero());
        let mut chains: Vec<Chain> = named.filter(has_time).collect();
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
            warnings: warnings(self.wrapped),
            file: self.file.to_owned(),
        })
    }
}

/// The text of a field; empty where the file has no such column.
fn text<'r>(columns: &Columns, record: &'r StringRecord, index: Option<usize>) -> Result<&'r str, Wrong> {
    let Some(index) = index else { return Ok("") };
    let text = record.get(index).ok_or_else(|| {
        let (has, needs) = (record.len(), index + 1);
        (
            columns.delta_name.clone(),
            format!("the row ends after column {has}, and {needs} are needed"),
        )
    })?;
    Ok(text.trim())
}

fn warnings(wrapped: u64) -> Vec<String> {
    let text = format!(
        "{wrapped} animation errors of the file's own are wrapped numbers near -1.8447e15 and count as missing"
    );
    if wrapped > 0 { vec![text] } else { Vec::new() }
}

fn nanoseconds(text: &str) -> Result<Duration, String> {
    let nanos = text
        .parse::<u64>()
        .map_err(|_| format!("{text:?} is no whole number of nanoseconds"))?;
    Ok(Duration::from_nanos(nanos))
}

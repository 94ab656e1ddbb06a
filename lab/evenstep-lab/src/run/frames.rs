//! The sources of the frames of a run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use evenstep::{Rate, RatioError, SimTime};
use evenstep_trace::{BadRows, Trace};

use evenstep_cli::failure::Failure;

/// The argument of `--frames`.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Even(Rate),
    File(PathBuf),
    Wrong(String, RatioError),
}

impl From<OsString> for Source {
    fn from(name: OsString) -> Self {
        let Some(text) = name.to_str() else {
            return Self::File(PathBuf::from(name));
        };
        let looks_like_a_number = text.starts_with(|first: char| first.is_ascii_digit() || "-.".contains(first));
        match text.parse::<Rate>() {
            Ok(rate) => Self::Even(rate),
            Err(error) if looks_like_a_number && !Path::new(text).exists() => Self::Wrong(text.to_owned(), error),
            Err(_) => Self::File(PathBuf::from(name)),
        }
    }
}

/// An endless sequence of frames.
pub(crate) struct Frames {
    pub(crate) name: String,
    /// The length of the source, if it ends.
    pub(crate) length: Option<Duration>,
    /// Rows of a trace that could not be read.
    pub(crate) skipped_rows: usize,
    kind: Kind,
}

enum Kind {
    Even { rate: Rate, count: u64 },
    Recorded { deltas: Vec<Duration>, next: usize },
}

impl Frames {
    /// Opens a source.
    pub(crate) fn open(source: &Source, chain: Option<&str>, rows: BadRows) -> Result<Self, Failure> {
        match source {
            Source::File(path) => {
                let trace = Trace::read(path, rows)?;
                let chain = chain.map_or_else(|| Ok(trace.main_chain()), |name| trace.chain(name))?;
                let program = if chain.name.application.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", chain.name.application)
                };
                let name = format!("{}{program}, {}", path.display(), trace.format);
                Ok(Self {
                    skipped_rows: trace.skipped.len(),
                    ..Self::recorded(name, chain.deltas.clone())
                })
            }
            _ if chain.is_some() => Err(Failure::Usage("--chain needs --frames FILE".to_owned())),
            Source::Even(rate) => Ok(Self::even(*rate)),
            Source::Wrong(text, error) => Err(Failure::Usage(format!(
                "--frames {text}: no such file, and as a rate it {error}"
            ))),
        }
    }

    /// Frames at an exact rate.
    pub(crate) fn even(rate: Rate) -> Self {
        Self {
            name: rate.to_string(),
            length: None,
            skipped_rows: 0,
            kind: Kind::Even { rate, count: 0 },
        }
    }

    /// Recorded frames, repeated.
    pub(crate) fn recorded(name: String, deltas: Vec<Duration>) -> Self {
        Self {
            name,
            length: Some(deltas.iter().sum()),
            skipped_rows: 0,
            kind: Kind::Recorded { deltas, next: 0 },
        }
    }

    /// The frame rate, if it is known beforehand.
    pub(crate) fn hertz(&self) -> Option<f64> {
        match &self.kind {
            Kind::Even { rate, .. } => Some(rate.as_hz_f64()),
            Kind::Recorded { .. } => None,
        }
    }

    /// The next frame's delta. A trace that ends starts over.
    pub(crate) fn next(&mut self) -> Duration {
        match &mut self.kind {
            Kind::Even { rate, count } => {
                let last = shown_at(*count, *rate);
                *count += 1;
                shown_at(*count, *rate).saturating_sub(last)
            }
            Kind::Recorded { deltas, next } => {
                let delta = deltas.get(*next).copied().unwrap_or_default();
                *next = (*next + 1) % deltas.len().max(1);
                delta
            }
        }
    }
}

/// When a display at `rate` shows its frame `count`: in the first nanosecond that is not too early, so that a display
/// at the rate of the steps runs one step a frame.
fn shown_at(count: u64, rate: Rate) -> Duration {
    let exact = SimTime::at_tick(count, rate);
    let early = exact.to_duration();
    if SimTime::at(early) < exact {
        early.saturating_add(Duration::from_nanos(1))
    } else {
        early
    }
}

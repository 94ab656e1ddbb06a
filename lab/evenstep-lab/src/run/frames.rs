//! The sources of the frames of a run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use evenstep::{Rate, RatioError};
use evenstep_scenes::Display;
use evenstep_trace::{BadRows, Trace};

use evenstep_cli::failure::Failure;

/// The argument of `--frames`.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Display(Display),
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
            _ if text == Display::FLUCTUATING => Self::Display(Display::fluctuating()),
            Ok(rate) => Self::Display(Display::even(rate)),
            Err(error) if looks_like_a_number && !Path::new(text).exists() => Self::Wrong(text.to_owned(), error),
            Err(_) => Self::File(PathBuf::from(name)),
        }
    }
}

/// An endless sequence of frames.
#[derive(Clone)]
pub(crate) struct Frames {
    pub(crate) name: String,
    /// The length of the source, if it ends.
    pub(crate) length: Option<Duration>,
    /// Rows of a trace that could not be read.
    pub(crate) skipped_rows: usize,
    display: Display,
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
            Source::Display(display) => Ok(Self::shown_by(display.clone())),
            Source::Wrong(text, error) => Err(Failure::Usage(format!(
                "--frames {text}: no such file, and as a rate it {error}"
            ))),
        }
    }

    /// Frames at an exact rate.
    pub(crate) fn even(rate: Rate) -> Self {
        Self::shown_by(Display::even(rate))
    }

    fn shown_by(display: Display) -> Self {
        let name = display
            .rate()
            .map_or("a display between 40 and 60 Hz".to_owned(), |rate| rate.to_string());
        Self {
            name,
            length: None,
            skipped_rows: 0,
            display,
        }
    }

    /// Recorded frames, repeated.
    pub(crate) fn recorded(name: String, deltas: Vec<Duration>) -> Self {
        Self {
            name,
            length: Some(deltas.iter().sum()),
            skipped_rows: 0,
            display: Display::recorded(deltas),
        }
    }

    /// The frame rate, if it is known beforehand.
    pub(crate) fn hertz(&self) -> Option<f64> {
        self.display.rate().map(Rate::as_hz_f64)
    }

    /// The next frame's delta. A trace that ends starts over.
    pub(crate) fn next(&mut self) -> Duration {
        self.display.next_delta()
    }
}

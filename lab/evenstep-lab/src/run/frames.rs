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
    display: Display,
}

impl Frames {
    /// Opens a source.
    pub(crate) fn open(source: &Source) -> Result<Self, Failure> {
        match source {
            Source::File(path) => {
                let trace = Trace::read(path, BadRows::Fail)?;
                let chain = trace.main_chain();
                let program = if chain.name.application.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", chain.name.application)
                };
                Ok(Self {
                    name: format!("{}{program}, {}", path.display(), trace.format),
                    length: Some(chain.deltas.iter().sum()),
                    display: Display::recorded(chain.deltas.clone()),
                })
            }
            Source::Display(display) => {
                let rate = display.rate().map(|rate| rate.to_string());
                Ok(Self {
                    name: rate.unwrap_or_else(|| "a display between 40 and 60 Hz".to_owned()),
                    length: None,
                    display: display.clone(),
                })
            }
            Source::Wrong(text, error) => Err(Failure::Usage(format!(
                "--frames {text}: no such file, and as a rate it {error}"
            ))),
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

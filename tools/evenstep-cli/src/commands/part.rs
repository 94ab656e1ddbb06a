//! Measures a recording, or a part of it.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use evenstep_trace::{Analysis, Trace, TraceError};

use crate::failure::Failure;
use crate::output::analysis::Recording;
use crate::values::seconds;
use crate::{input, values};

/// Options that choose what is measured of each recording. For a part of its time, all frames of a recording are in memory.
#[derive(Args, Default)]
pub(crate) struct Part {
    /// Only the chain of this name: an application, process or swap chain.
    #[arg(long, value_name = "NAME")]
    pub(crate) chain: Option<String>,
    /// Skip unreadable rows, and count them.
    #[arg(long)]
    lenient: bool,
    /// Leave out the frames before this time since the start of the recording.
    #[arg(long, value_name = "S", value_parser = seconds)]
    from: Option<Duration>,
    /// Leave out the frames after this time.
    #[arg(long, value_name = "S", value_parser = seconds)]
    to: Option<Duration>,
    /// Leave out this time at the start and at the end of each chain, such as the second that the key of the capture disturbs.
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with_all = ["from", "to"])]
    skip: Option<Duration>,
}

impl Part {
    /// All of a recording's time.
    pub(crate) fn whole(chain: Option<String>, lenient: bool) -> Self {
        Self {
            chain,
            lenient,
            ..Self::default()
        }
    }

    fn is_whole(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.skip.is_none()
    }

    /// Cuts a recording, and measures the part.
    fn select(&self, analysis: Analysis, trace: &mut Trace) -> Result<Analysis, Failure> {
        if self.is_whole() {
            return Ok(analysis);
        }
        let (from, to) = (self.from.unwrap_or_default(), self.to.unwrap_or(Duration::MAX));
        let ms = |time: Duration| 1e3 * time.as_secs_f64();
        let cut = analysis.cut(trace, |chain| match (self.skip, chain.span()) {
            (Some(skip), (start, end)) => (start + ms(skip), end - ms(skip)),
            (None, _) => (ms(from), ms(to)),
        });
        let part = match (self.skip, self.to) {
            (Some(skip), _) => format!("without {} s at each end", skip.as_secs_f64()),
            (_, Some(to)) => format!("from {} s to {} s", from.as_secs_f64(), to.as_secs_f64()),
            (_, None) => format!("from {} s", from.as_secs_f64()),
        };
        cut.map_err(|error| match error {
            TraceError::NoFrames { file, .. } => Failure::Usage(format!(
                "{file}: nothing is left {part}; give an earlier --from, a later --to or a shorter --skip"
            )),
            error => error.into(),
        })
    }

    /// Measures a recording while it is read. It is read only once, because it may be a pipe. `keeps_frames` says whether the frames are
    /// needed after the measurement.
    pub(crate) fn measure(&self, file: &Path, keeps_frames: bool) -> Result<Recording, Failure> {
        let (input, name) = (input::open(file)?, file.display().to_string());
        let rows = values::rows(self.lenient);
        let (mut analysis, mut trace) = match keeps_frames || !self.is_whole() {
            true => Analysis::read_with_trace(input, &name, rows).map(|(analysis, trace)| (analysis, Some(trace)))?,
            false => (Analysis::read(input, &name, rows)?, None),
        };
        if let Some(chain) = &self.chain {
            analysis = analysis.only(chain)?;
        }
        if let Some(trace) = &mut trace {
            analysis = self.select(analysis, trace)?;
        }
        Ok(Recording { analysis, trace })
    }
}

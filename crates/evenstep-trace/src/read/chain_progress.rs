//! What is known of a swap chain while its rows are read.

use std::time::Duration;

use crate::error::TraceError;
use crate::read::agreement::Agreement;
use crate::read::chain_name::SwapChainName;
use crate::read::clock::Times;
use crate::read::columns::{Columns, Deltas};
use crate::read::row::Row;

/// The state of a swap chain.
#[derive(Clone, Default)]
pub(super) struct ChainProgress {
    pub(super) name: SwapChainName,
    /// The newest time, if rows hold times instead of deltas.
    pub(super) instant: Option<Duration>,
    /// The time of generated frames since the program's last frame. It is added to the program's next frame.
    pub(super) generated: Duration,
    /// How long the call that presented the program's last frame took, in nanoseconds.
    pub(super) in_present: Option<i64>,
    pub(super) times: Times,
    /// The first and the latest time by which rows are sorted.
    pub(super) span: Option<(f64, f64)>,
    pub(super) rows: u64,
    /// The sum of all deltas but the first.
    pub(super) later_frames: Duration,
    pub(super) agreement: Agreement,
    /// The first and the last delta, and how many deltas were longer than the previous one.
    pub(super) deltas: Option<(Duration, Duration)>,
    pub(super) growing: u64,
}

/// The fewest numbers of a list that only increases.
const MIN_GROWING: u64 = 20;

impl ChainProgress {
    pub(super) fn add(&mut self, time: f64, delta: Option<Duration>) {
        if self.span.is_some() {
            self.later_frames = self.later_frames.saturating_add(delta.unwrap_or_default());
        }
        let (first, latest) = self.span.unwrap_or((time, time));
        self.span = Some((first, latest.max(time)));
        if let Some(delta) = delta {
            let (first, last) = self.deltas.unwrap_or((delta, delta));
            self.growing += u64::from(delta > last);
            self.deltas = Some((first, delta));
        }
        self.rows += 1;
    }

    /// The delta of the program's loop, which goes on when the call to present returns, if only the time between these calls and their
    /// lengths are known.
    pub(super) fn between_returns(
        &mut self,
        columns: &Columns,
        row: &Row,
        between_calls: Duration,
    ) -> Option<Duration> {
        if columns.deltas != Deltas::Presents || row.present.is_generated {
            return None;
        }
        let took = (row.in_present? * 1e6) as i64;
        let before = self.in_present.replace(took)?;
        let nanos = i64::try_from(between_calls.as_nanos()).ok()?;
        let between = nanos.saturating_add(took).saturating_sub(before);
        Some(Duration::from_nanos(between.max(0).unsigned_abs()))
    }

    /// The warning about a list of frame times whose numbers only increase.
    pub(super) fn running_clock(&self) -> Option<String> {
        let (first, last) = self.deltas?;
        let is_clock = self.rows >= MIN_GROWING && self.growing as f64 >= 0.99 * (self.rows - 1) as f64;
        is_clock.then(|| {
            format!(
                "the numbers grow from {} to {} and are read as frame times in milliseconds; if they are times since the beginning, \
                 write the differences",
                milliseconds(first),
                milliseconds(last)
            )
        })
    }

    /// Refuses a log of samples: the sum of its frame times is much less than the elapsed time.
    pub(super) fn refuse_samples(&self, file: &str) -> Result<(), TraceError> {
        let elapsed = self.span.map_or(0.0, |(first, last)| last - first) * 1e-9;
        let frames = self.later_frames.as_secs_f64();
        if self.rows > 2 && frames < 0.8 * elapsed {
            return Err(TraceError::Samples {
                file: file.to_owned(),
                frames,
                elapsed,
            });
        }
        Ok(())
    }
}

pub(super) fn milliseconds(delta: Duration) -> f64 {
    delta.as_secs_f64() * 1e3
}

//! The values of one row of a file.

use std::time::Duration;

use crate::read::present::Present;

/// The values of a row, in the units of its columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// Its line in the file; 0 if unknown.
    pub(crate) line: u64,
    /// The clock that sorts the rows: of presents, else of starts, else of rows.
    pub(crate) time: Option<f64>,
    /// When the program began to work on the frame; unknown where it is known for how long it worked.
    pub(crate) start: Option<f64>,
    /// The [`quantum`](crate::read::number::Precision::quantum) of the time; 0 if unknown.
    pub(crate) quantum: f32,
    /// The quantum of the interval in the same row, in milliseconds; while the unit is unknown, seconds are assumed.
    pub(crate) interval_quantum: f32,
    /// The frame's delta if it has one. For instants, the time at which the frame began. While the unit is unknown, seconds are
    /// assumed.
    pub(crate) delta: Option<Duration>,
    /// The time since the last present.
    pub(crate) between_presents: Option<f64>,
    /// The time from the present to the screen; none if the frame was not displayed.
    pub(crate) until_displayed: Option<f64>,
    pub(crate) display_latency: Option<f64>,
    pub(crate) between_displays: Option<f64>,
    /// How long the call to present took.
    pub(crate) in_present: Option<f64>,
    /// What the row states about its present, whose times are not known yet. Its number is set while reading.
    pub(crate) present: Present,
}

impl Row {
    /// The row of a frame that began at `instant`.
    pub(crate) fn at(instant: Duration) -> Self {
        Self {
            delta: Some(instant),
            ..Self::default()
        }
    }
}

//! Writes frame times as a CSV file.

use std::io::{self, Write};
use std::time::Duration;

/// Writes deltas as a CSV file with one column, `FrameTimeNs`, which [`Trace::read`](crate::Trace::read) reads back exactly.
/// Deltas beyond 584 years are written as 584 years.
///
/// # Errors
///
/// If the output cannot be written.
///
/// ```
/// use evenstep_trace::{BadRows, Trace, write_frame_times};
/// use std::time::Duration;
///
/// let deltas = [Duration::from_nanos(16_666_667), Duration::from_millis(20)];
/// let mut file = Vec::new();
/// write_frame_times(&mut file, &deltas)?;
/// let trace = Trace::parse(file.as_slice(), "recording.csv", BadRows::Fail)?;
/// assert_eq!(trace.main_chain().deltas, deltas);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_frame_times(mut output: impl Write, deltas: &[Duration]) -> io::Result<()> {
    writeln!(output, "FrameTimeNs")?;
    for delta in deltas {
        writeln!(output, "{}", u64::try_from(delta.as_nanos()).unwrap_or(u64::MAX))?;
    }
    output.flush()
}

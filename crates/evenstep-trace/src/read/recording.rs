use std::io::{self, Write};
use std::time::Duration;

/// Writes deltas so that [`Trace::read`](crate::Trace::read) reads them back exactly: a CSV file with one column,
/// `FrameTimeNs`. Deltas beyond 584 years are written as that.
///
/// # Errors
///
/// If the output cannot be written.
///
/// ```
/// use evenstep_trace::{Rows, Trace, write_recording};
/// use std::time::Duration;
///
/// let deltas = [Duration::from_nanos(16_666_667), Duration::from_millis(20)];
/// let mut file = Vec::new();
/// write_recording(&mut file, &deltas)?;
/// let trace = Trace::parse(file.as_slice(), "recording.csv", Rows::All)?;
/// assert_eq!(trace.main_chain().deltas, deltas);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_recording(mut output: impl Write, deltas: &[Duration]) -> io::Result<()> {
    writeln!(output, "FrameTimeNs")?;
    for delta in deltas {
        writeln!(output, "{}", u64::try_from(delta.as_nanos()).unwrap_or(u64::MAX))?;
    }
    output.flush()
}

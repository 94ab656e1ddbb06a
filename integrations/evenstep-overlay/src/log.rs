//! Writes a frame log as CSV.

use std::io::{self, Write};
use std::time::Duration;

use evenstep::{Frame, FrameStats};

/// Writes a line for every frame to a file that `evenstep analyze` reads: CSV with the columns `FrameTimeNs`, `Steps`, `Alpha`,
/// `DrawnMs`, `ClampedMs`, `SuspendedMs`, `DroppedSteps` and `RealTimeFactor`, which is the
/// [factor](FrameStats::real_time_factor) of the last 64 frames.
///
/// ```
/// use evenstep::{FixedTimestep, Rate};
/// use evenstep_overlay::FrameLog;
/// use std::time::Duration;
///
/// let mut timestep = FixedTimestep::new(Rate::hz(50));
/// let mut file = Vec::new(); // in a game: a BufWriter over a File
/// let mut log = FrameLog::new(&mut file)?;
/// let delta = Duration::from_millis(30);
/// log.record(delta, &timestep.advance(delta))?;
/// drop(log);
/// let text = String::from_utf8(file).unwrap();
/// assert_eq!(text.lines().nth(1), Some("30000000,1,0.5,10,0,0,0,1"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FrameLog<W> {
    output: W,
    stats: FrameStats<64>,
}

impl<W: Write> FrameLog<W> {
    /// Creates a log and writes the header with the column names.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn new(mut output: W) -> io::Result<Self> {
        writeln!(
            output,
            "FrameTimeNs,Steps,Alpha,DrawnMs,ClampedMs,SuspendedMs,DroppedSteps,RealTimeFactor"
        )?;
        Ok(Self {
            output,
            stats: FrameStats::new(),
        })
    }

    /// Writes a frame, with the time `delta` since the previous one. Times above 584 years are written as 584 years.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn record(&mut self, delta: Duration, frame: &Frame) -> io::Result<()> {
        let millis = |time: Duration| 1e3 * time.as_secs_f64();
        let lost = frame.lost();
        self.stats.record(delta, frame);
        writeln!(
            self.output,
            "{},{},{},{},{},{},{},{}",
            u64::try_from(delta.as_nanos()).unwrap_or(u64::MAX),
            frame.steps().len(),
            frame.alpha(),
            millis(frame.drawn_time().to_duration()),
            millis(lost.clamped),
            millis(lost.suspended),
            lost.dropped,
            self.stats.real_time_factor()
        )
    }

    /// Flushes the output.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

//! Reports to a recorder which simulated time each frame shows.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use evenstep::SimTime;

/// Reports to `evenstep record`, which runs the program, the simulated time that each frame of its window shows. From it and the times at
/// which frames are displayed the recorder computes the animation error; without it a frame is taken to show the time at which its work
/// began.
///
/// The recorder names a pipe in an environment variable. A write never waits: if the recorder does not read, times are dropped and
/// [counted](Self::dropped), and later times are still assigned to their frames.
///
/// ```
/// use evenstep_trace::live::ShownTimePipe;
/// use evenstep::{FixedTimestep, Rate, Smoothing};
/// use std::time::Duration;
///
/// let mut timestep = FixedTimestep::new(Rate::hz(60));
/// let mut shown = ShownTimePipe::from_env(); // none without a recorder
/// let frame = timestep.advance(Duration::from_millis(7));
/// if let Some(shown) = &mut shown {
///     shown.record(frame.shown_time(Smoothing::Interpolate)); // and then the frame is drawn and committed
/// }
/// ```
#[derive(Debug)]
pub struct ShownTimePipe {
    pipe: File,
    line: Vec<u8>,
    /// Lines that were dropped and are written as empty ones later, so that the lines after them belong to their frames.
    owed: u32,
    dropped: u64,
}

/// At most this number of empty lines is written: with a time they are shorter than the largest atomic write of a pipe, and a recorder
/// keeps fewer.
const MAX_OWED: u32 = 1024;

impl ShownTimePipe {
    /// The environment variable that names the pipe.
    pub const VARIABLE: &str = "EVENSTEP_FRAME_LOG";

    /// Opens the pipe that the environment names. None if no recorder has started the program, or it has ended.
    #[must_use]
    pub fn from_env() -> Option<Self> {
        let path = std::env::var_os(Self::VARIABLE)?;
        Self::open(Path::new(&path)).ok()
    }

    /// Opens a pipe.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, no process reads it, or this is not Linux.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            pipe: open_without_waiting(path)?,
            line: Vec::new(),
            owed: 0,
            dropped: 0,
        })
    }

    /// Writes the simulated time that the next frame of the window shows, its [`shown_time`](evenstep::Frame::shown_time).
    /// Call it once for each frame, before the frame is committed. Returns whether the line was written to the pipe.
    pub fn record(&mut self, shown: SimTime) -> bool {
        self.line.clear();
        self.line.resize(self.owed as usize, b'\n');
        // Writing to memory cannot fail.
        let _ = writeln!(self.line, "{}", shown.to_duration().as_nanos());
        // A pipe takes lines as short as these whole or not at all.
        let is_written = matches!(self.pipe.write(&self.line), Ok(count) if count == self.line.len());
        if is_written {
            self.owed = 0;
        } else {
            self.owed = (self.owed + 1).min(MAX_OWED);
            self.dropped += 1;
        }
        is_written
    }

    /// The number of dropped times. The recording has the commit times of their frames instead.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

/// `O_NONBLOCK`, which has another number on some old processors.
#[cfg(target_os = "linux")]
const NONBLOCK: i32 = if cfg!(any(target_arch = "mips", target_arch = "mips64")) {
    0o200
} else if cfg!(any(target_arch = "sparc", target_arch = "sparc64")) {
    0o40_000
} else {
    0o4_000
};

#[cfg(target_os = "linux")]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    File::options().write(true).custom_flags(NONBLOCK).open(path)
}

#[cfg(not(target_os = "linux"))]
fn open_without_waiting(_: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use evenstep::Rate;

    use super::*;

    #[test]
    fn each_dropped_time_is_an_empty_line_before_the_next_one_up_to_their_maximum() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let at = |tick| SimTime::at_tick(tick, Rate::hz(1000));
        for (dropped, empty) in [(0, 0), (1, 1), (3, 3), (1024, 1024), (1025, 1024)] {
            fs::write(&path, "").unwrap();
            let mut shown = ShownTimePipe {
                // Writes to it fail, like those to a full pipe.
                pipe: File::open(&path).unwrap(),
                line: Vec::new(),
                owed: 0,
                dropped: 0,
            };
            for tick in 0..dropped {
                assert!(!shown.record(at(tick)));
            }
            shown.pipe = File::options().append(true).open(&path).unwrap();
            assert!(shown.record(at(7)) && shown.record(at(8)));
            assert_eq!(shown.dropped(), dropped);
            let written = fs::read_to_string(&path).unwrap();
            assert_eq!(written, "\n".repeat(empty) + "7000000\n8000000\n", "{dropped} dropped");
        }
    }
}

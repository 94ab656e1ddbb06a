//! A pipe into which a program writes the simulated times of its frames.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{CWD, Mode, OFlags, mkfifoat, open};

#[cfg(doc)]
use evenstep_trace::live::ShownTimePipe;

/// A program writes a time before the frame that shows it. If it is ahead by more frames than this, older times had no frame.
const MAX_AHEAD: usize = 16;

/// No number of nanoseconds has more digits.
const MAX_LINE_BYTES: usize = 32;

/// The reading end of a named pipe into which a program writes the simulated times of its frames, by a [`ShownTimePipe`] or by itself. The
/// environment variable [`ShownTimePipe::VARIABLE`] names the pipe to the program. Before it commits a frame of its window, it writes the
/// simulated time that the frame shows as a line with a whole number of nanoseconds. Lines belong to frames in their order.
#[derive(Debug)]
pub struct ShownTimeReader {
    pipe: File,
    line: Vec<u8>,
    times: VecDeque<Option<Duration>>,
}

impl ShownTimeReader {
    /// Makes a pipe of this name.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR)?;
        // A reader that also writes is never at the end of the pipe, and a program that opens it need not wait.
        let pipe = open(path, OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self {
            pipe: pipe.into(),
            line: Vec::new(),
            times: VecDeque::new(),
        })
    }

    /// The time of the next frame; none if the program has written none, or no number.
    pub(super) fn next_time(&mut self) -> Option<Duration> {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = self.pipe.read(&mut bytes) {
            bytes[..count].iter().for_each(|byte| self.push(*byte));
        }
        self.times.pop_front().flatten()
    }

    fn push(&mut self, byte: u8) {
        if byte != b'\n' {
            if self.line.len() < MAX_LINE_BYTES {
                self.line.push(byte);
            }
            return;
        }
        let text = std::str::from_utf8(&self.line).unwrap_or_default();
        self.times.push_back(text.trim().parse().ok().map(Duration::from_nanos));
        self.line.clear();
        if self.times.len() > MAX_AHEAD {
            self.times.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use evenstep::SimTime;
    use evenstep_trace::live::ShownTimePipe;

    use super::*;

    fn at(nanos: u64) -> SimTime {
        SimTime::ZERO + Duration::from_nanos(nanos).into()
    }

    #[test]
    fn a_log_that_nobody_reads_drops_times_without_waiting_and_later_ones_keep_their_frames() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames");
        let mut pipe = ShownTimeReader::create(&path).unwrap();
        let mut log = ShownTimePipe::open(&path).unwrap();
        // The pipe has a limit, so this ends.
        let mut written = 0;
        while log.record(at(written)) {
            written += 1;
        }
        assert!(!log.record(at(written + 1)) && !log.record(at(written + 2)));
        assert_eq!(log.dropped(), 3);
        // All waiting times but the newest are too far ahead.
        let mut newest = Vec::new();
        while let Some(time) = pipe.next_time() {
            newest.push(time.as_nanos() as u64);
        }
        assert_eq!(newest, (written - MAX_AHEAD as u64..written).collect::<Vec<_>>());
        // The three frames without a time are reported as those, and the next has its own.
        assert!(log.record(at(77)));
        assert_eq!(
            [(); 5].map(|()| pipe.next_time()),
            [None, None, None, Some(Duration::from_nanos(77)), None]
        );
        assert_eq!(log.dropped(), 3);
    }

    #[test]
    fn a_log_whose_recorder_has_ended_is_not_opened_and_drops_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames");
        let pipe = ShownTimeReader::create(&path).unwrap();
        let mut log = ShownTimePipe::open(&path).unwrap();
        drop(pipe);
        assert!(!log.record(at(1)));
        assert!(ShownTimePipe::open(&path).is_err());
    }
}

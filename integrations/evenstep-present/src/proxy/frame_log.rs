//! A pipe into which a program writes the simulated times of its frames.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{CWD, Mode, OFlags, mkfifoat, open};

/// The environment variable that names the pipe to the program.
pub const FRAME_LOG: &str = "EVENSTEP_FRAME_LOG";

/// A program writes a time before the frame that shows it. If it is ahead by more frames than this, older times had no frame.
const MOST_AHEAD: usize = 16;

/// No number of nanoseconds has more digits.
const LONGEST_LINE: usize = 32;

/// A named pipe. Before it commits a frame of its window, the program writes the simulated time that the frame shows as a line with a
/// whole number of nanoseconds. Lines belong to frames in their order.
#[derive(Debug)]
pub struct FrameLogPipe {
    pipe: File,
    line: Vec<u8>,
    times: VecDeque<Option<Duration>>,
}

impl FrameLogPipe {
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
            if self.line.len() < LONGEST_LINE {
                self.line.push(byte);
            }
            return;
        }
        let text = std::str::from_utf8(&self.line).unwrap_or_default();
        self.times.push_back(text.trim().parse().ok().map(Duration::from_nanos));
        self.line.clear();
        if self.times.len() > MOST_AHEAD {
            self.times.pop_front();
        }
    }
}

//! Lets a test play a game: the test sends the time of each frame to standard input.

use std::io::{BufRead, BufReader, Stdin};
use std::time::Duration;

use evenstep::{Frame, MonotonicClock};

/// The source of frame times: the clock of the computer, or a test.
///
/// A test sets `EVENSTEP_STAGE` to the size of the window, such as `480x270`. The program then reads a line from its standard input
/// before each frame: the frame's time in nanoseconds, `?` to report its state, or `lose` to lose its surface. It ends when its input ends.
pub(crate) struct Stage {
    clock: MonotonicClock,
    script: Option<Script>,
    frames: u64,
}

struct Script {
    lines: BufReader<Stdin>,
    /// The time of the last frame.
    now: Duration,
}

/// The next action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Draw a frame at this time.
    Frame(Duration),
    /// Create the surface again, as if it was lost.
    LoseSurface,
    /// Report the state of the window.
    Tell,
    /// End the game.
    End,
}

/// The environment variable with the size of the window. It is set while a test plays.
const VARIABLE: &str = "EVENSTEP_STAGE";

impl Stage {
    /// The stage that the environment selects.
    pub(crate) fn new(clock: MonotonicClock) -> Self {
        let script = Self::size().map(|_| Script {
            lines: BufReader::new(std::io::stdin()),
            now: Duration::ZERO,
        });
        Self {
            clock,
            script,
            frames: 0,
        }
    }

    /// The size of the window that a test asks for, in pixels.
    pub(crate) fn size() -> Option<[u32; 2]> {
        let size = std::env::var(VARIABLE).ok()?;
        let (width, height) = size.split_once('x')?;
        Some([width.parse().ok()?, height.parse().ok()?])
    }

    /// Whether a test sets the time.
    pub(crate) const fn is_scripted(&self) -> bool {
        self.script.is_some()
    }

    /// The timestamp of input that arrived at a time of the computer's clock. While a test plays, it is the time of the last frame.
    pub(crate) fn time_of(&self, arrived: Duration) -> Duration {
        self.script.as_ref().map_or(arrived, |script| script.now)
    }

    /// The current time, for input.
    pub(crate) fn now(&self) -> Duration {
        self.time_of(self.clock.now())
    }

    /// The next action. While a test plays, this waits for a line of its script.
    pub(crate) fn next_moment(&mut self) -> Moment {
        let Some(script) = &mut self.script else {
            return Moment::Frame(self.clock.now());
        };
        let mut line = String::new();
        if script.lines.read_line(&mut line).is_err() {
            return Moment::End;
        }
        match line.trim() {
            "?" => Moment::Tell,
            "lose" => Moment::LoseSurface,
            nanos => nanos.parse().map_or(Moment::End, |nanos| {
                script.now = Duration::from_nanos(nanos);
                Moment::Frame(script.now)
            }),
        }
    }

    /// Reports a frame to a test: its number, the steps so far and the time that it shows.
    pub(crate) fn drawn(&mut self, frame: &Frame) {
        self.frames += 1;
        if self.script.is_some() {
            let (steps, drawn) = (frame.tick(), frame.drawn_time().as_secs_f64());
            println!("frame={} steps={steps} drawn={drawn:.6}", self.frames);
        }
    }

    /// Reports the state of the window to a test that has asked for it.
    pub(crate) fn tell(&self, inputs: u64, size: [u32; 2], is_hidden: bool) {
        let [width, height] = size;
        println!("inputs={inputs} width={width} height={height} hidden={is_hidden}");
    }

    /// Reports to a test that the program ends normally.
    pub(crate) fn end(&self) {
        if self.script.is_some() {
            println!("end=clean frames={}", self.frames);
        }
    }
}

//! Lets a test play a game: it gives the time of each frame by standard input.

use std::io::{BufRead, BufReader, Stdin};
use std::time::Duration;

use evenstep::{Frame, MonotonicClock};

/// When frames happen: by the clock of the computer, or as a test says.
///
/// A test sets `EVENSTEP_STAGE` to the size of the window, such as `480x270`. The program then reads a line from its standard input
/// before each frame: the frame's time in nanoseconds, or `?` to hear how it goes. It ends where its input ends.
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

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Draw a frame at this time.
    Frame(Duration),
    /// Make the surface again, as if it was lost.
    LoseSurface,
    /// Tell how it goes.
    Tell,
    /// There is nothing more to play.
    End,
}

/// Names the size of the window when a test plays.
const VARIABLE: &str = "EVENSTEP_STAGE";

impl Stage {
    /// The stage that the environment asks for.
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

    /// The size that a test wants the window to have, in pixels.
    pub(crate) fn size() -> Option<[u32; 2]> {
        let size = std::env::var(VARIABLE).ok()?;
        let (width, height) = size.split_once('x')?;
        Some([width.parse().ok()?, height.parse().ok()?])
    }

    /// Whether a test says what the time is.
    pub(crate) const fn is_scripted(&self) -> bool {
        self.script.is_some()
    }

    /// The time of input that arrived at a time of the computer's clock. While a test plays, it is that of the last frame.
    pub(crate) fn time_of(&self, arrived: Duration) -> Duration {
        self.script.as_ref().map_or(arrived, |script| script.now)
    }

    /// The time now, for input.
    pub(crate) fn now(&self) -> Duration {
        self.time_of(self.clock.now())
    }

    /// What to do next. While a test plays, this waits for its line.
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

    /// Tells a test how a frame went: its steps and the time that it shows.
    pub(crate) fn drawn(&mut self, frame: &Frame) {
        self.frames += 1;
        if self.script.is_some() {
            let (steps, drawn) = (frame.tick(), frame.drawn_time().as_secs_f64());
            println!("frame={} steps={steps} drawn={drawn:.6}", self.frames);
        }
    }

    /// Tells a test how the window is, when it asks.
    pub(crate) fn tell(&self, inputs: u64, size: [u32; 2], is_hidden: bool) {
        let [width, height] = size;
        println!("inputs={inputs} width={width} height={height} hidden={is_hidden}");
    }

    /// Tells a test that the program ends as it should.
    pub(crate) fn end(&self) {
        if self.script.is_some() {
            println!("end=clean frames={}", self.frames);
        }
    }
}

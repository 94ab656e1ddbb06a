//! Plays a game frame by frame, in a window on an X server of its own.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::desktop::Desktop;
use crate::pictures::{self, Picture};
use crate::xvfb_server::Xvfb;

/// The longest wait for a state, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A line of a program's output, as names and values.
pub(crate) type Line = HashMap<String, String>;

pub(crate) struct Play {
    pub(crate) desktop: Desktop,
    program: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The rate of the frames that `play_to` draws, in hertz.
    refresh_rate: f64,
    /// The number of frames that were drawn after the first one, in which no time passes.
    frames: u64,
    _server: Xvfb,
}

fn parse(line: &str) -> Line {
    let words = line.split_whitespace().filter_map(|word| word.split_once('='));
    words.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

pub(crate) fn number(line: &Line, name: &str) -> f64 {
    line[name].parse().unwrap()
}

impl Play {
    /// Starts a program in a window of this size, with 60 frames a second.
    pub(crate) fn start(program: &str, size: &str) -> Self {
        Self::start_at(60.0, program, size)
    }

    /// Starts a program in a window of this size. Mesa draws a large lit picture in about 0.1 s, so long games have few frames.
    pub(crate) fn start_at(refresh_rate: f64, program: &str, size: &str) -> Self {
        let server = Xvfb::start("1280x800", &[]);
        let mut command = Command::new(program);
        command.env("DISPLAY", server.name()).env("EVENSTEP_STAGE", size);
        command.env_remove("WAYLAND_DISPLAY").env("LIBGL_ALWAYS_SOFTWARE", "1");
        let mut program = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = program.stdin.take().unwrap();
        let output = BufReader::new(program.stdout.take().unwrap());
        let desktop = wait_for("the window", || Desktop::connect(server.name()).ok());
        let mut play = Self {
            desktop,
            program,
            input,
            output,
            refresh_rate,
            frames: 0,
            _server: server,
        };
        play.until("the first answer", |_| true);
        play.say("0").expect("a first frame, in which no time passes");
        play
    }

    fn say(&mut self, line: &str) -> Option<Line> {
        // A program that has just ended takes no more input, but its last output can still be read.
        let _ = writeln!(self.input, "{line}");
        let mut answer = String::new();
        self.output.read_line(&mut answer).ok()?;
        (!answer.is_empty()).then(|| parse(&answer))
    }

    /// Asks for the state of the window until the state meets a condition.
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&Line) -> bool) -> Line {
        wait_for(what, || self.say("?").filter(&is_so))
    }

    /// Runs an action that sends the program at least `events` events, and waits until they have arrived.
    pub(crate) fn hand(&mut self, events: u32, act: impl FnOnce(&Desktop) -> Result<(), Box<dyn std::error::Error>>) {
        let before = number(&self.until("an answer", |_| true), "inputs");
        act(&self.desktop).unwrap();
        self.until("the input", |line| number(line, "inputs") >= before + f64::from(events));
    }

    /// Draws frames until `seconds` have passed since the start. Returns the report of the last frame.
    pub(crate) fn play_to(&mut self, seconds: f64) -> Line {
        let last = (seconds * self.refresh_rate).round() as u64;
        assert!(last > self.frames);
        let mut printed = None;
        while self.frames < last {
            printed = Some(self.draw_at((self.frames + 1) as f64 / self.refresh_rate));
        }
        printed.unwrap()
    }

    /// Draws a frame at a time in seconds. Returns its report.
    pub(crate) fn draw_at(&mut self, seconds: f64) -> Line {
        self.frames += 1;
        let nanos = (seconds * 1e9).round();
        let printed = self.say(&format!("{nanos}")).expect("the program goes on");
        assert_eq!(number(&printed, "frame"), (self.frames + 1) as f64);
        printed
    }

    /// Makes the game lose its surface.
    pub(crate) fn lose_surface(&mut self) {
        writeln!(self.input, "lose").unwrap();
    }

    /// Waits until the window shows the picture that is stored under a name. Of a thousand pixels, `per_thousand` may differ. With
    /// `KEEP_PICTURES=1`, stores a screenshot first.
    pub(crate) fn assert_shows(&mut self, name: &str, per_thousand: f64) {
        let kept = pictures::kept(name);
        if std::env::var_os("KEEP_PICTURES").is_some() {
            // Long enough for any frame to arrive, since there is no picture yet to compare with.
            std::thread::sleep(Duration::from_secs(1));
            self.desktop.picture().unwrap().write(&kept);
        }
        let expected = Picture::read(&kept);
        let deadline = Instant::now() + PATIENCE / 3;
        loop {
            let shown = self.desktop.picture().unwrap();
            let difference = shown.difference(&expected);
            if difference <= per_thousand {
                return;
            }
            if Instant::now() > deadline {
                let drawn = pictures::drawn(name);
                shown.write(&drawn);
                let (drawn, kept) = (drawn.display(), kept.display());
                panic!("{difference:.2} of a thousand pixels of {drawn} differ from {kept}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a screenshot of the window meets a condition.
    pub(crate) fn until_shown(&self, what: &str, is_so: impl Fn(&Picture) -> bool) -> Picture {
        wait_for(what, || self.desktop.picture().ok().filter(&is_so))
    }

    /// Waits until the program has ended. Returns its exit status and its last line of output.
    pub(crate) fn end(mut self) -> (ExitStatus, Line) {
        let mut last = Line::new();
        wait_for("the end", || match self.say("?") {
            Some(line) => {
                last = line;
                None
            }
            None => Some(()),
        });
        (self.program.wait().unwrap(), last)
    }

    /// Waits until the program has ended normally, and checks that it has drawn each frame.
    pub(crate) fn assert_ends(self) {
        let frames = self.frames;
        let (exit, printed) = self.end();
        assert!(exit.success(), "{exit}, {printed:?}");
        assert_eq!(printed.get("end").map(String::as_str), Some("clean"), "{printed:?}");
        assert_eq!(number(&printed, "frames"), (frames + 1) as f64);
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

pub(crate) fn wait_for<T>(what: &str, mut is_there: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = is_there() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what} did not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

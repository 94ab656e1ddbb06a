//! `evenstep watch`: shows a recording while it is being written.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use crossterm::event::KeyCode;
use evenstep_trace::live::{CurrentAnalysis, FileEvent, WatchedFile};
use evenstep_trace::{Analysis, BadRows, TraceError};

use crate::failure::{Failure, warn};
use crate::interrupt;
use crate::output::terminal::Terminal;
use crate::output::watch_screen::{Screen, State};
use crate::output::{self, analysis};
use crate::values::seconds_above_zero;

/// The arguments of `watch`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The recording, which need not exist yet: a table such as PresentMon's or MangoHud's, or a plain list.
    file: PathBuf,
    /// End when the file has not changed for this many seconds; without, continue until you quit.
    #[arg(long, value_name = "S", value_parser = seconds_above_zero, allow_hyphen_values = true)]
    until_idle: Option<Duration>,
}

/// The interval between polls of the keyboard and the file.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Shows the recording until the user quits or it stops changing. Then prints the output of `analyze`.
pub(crate) fn watch(args: &Arguments) -> Result<ExitCode, Failure> {
    interrupt::take_stop_requests();
    let mut watched = Watched {
        name: args.file.display().to_string(),
        file: WatchedFile::new(&args.file, BadRows::Skip),
        until_idle: args.until_idle,
        changed: Instant::now(),
    };
    let is_complete = watched.show()?;
    let last = if is_complete {
        watched.file.complete()?
    } else {
        match watched.file.current() {
            Ok(current) => current,
            // A recording that has no frame yet has no analysis.
            Err(TraceError::Empty { .. } | TraceError::NoFrames { .. }) => return Ok(ExitCode::SUCCESS),
            Err(error) => return Err(error.into()),
        }
    };
    output::print(&analysis::text(&[last.analysis]))?;
    Ok(ExitCode::SUCCESS)
}

struct Watched {
    name: String,
    file: WatchedFile,
    until_idle: Option<Duration>,
    /// When the file last changed.
    changed: Instant,
}

impl Watched {
    /// Returns whether the file counts as complete.
    fn show(&mut self) -> Result<bool, Failure> {
        if io::stdout().is_terminal() && io::stdin().is_terminal() {
            self.on_screen(&mut Terminal::open().map_err(unusable)?)
        } else {
            self.in_lines()
        }
    }

    fn poll(&mut self) -> Result<FileEvent, TraceError> {
        let event = self.file.poll()?;
        if matches!(event, FileEvent::Grew | FileEvent::Restarted) {
            self.changed = Instant::now();
        }
        Ok(event)
    }

    /// Whether nothing more is awaited.
    fn is_over(&self) -> bool {
        self.until_idle.is_some_and(|most| self.changed.elapsed() >= most)
    }

    /// Draws on the terminal. Whether the file counts as complete.
    fn on_screen(&mut self, terminal: &mut Terminal) -> Result<bool, Failure> {
        let mut screen = Screen::new(&self.name);
        let mut is_held = false;
        loop {
            let event = self.poll()?;
            let has_changed = matches!(event, FileEvent::Grew | FileEvent::Restarted);
            if !is_held {
                screen.state = match event {
                    FileEvent::Missing => State::Missing,
                    _ => State::Growing,
                };
                if has_changed {
                    screen.show(self.file.current());
                }
            }
            terminal.draw(|size| screen.rows(size)).map_err(unusable)?;
            if self.is_over() || interrupt::is_stop_requested() {
                return Ok(!interrupt::is_stop_requested());
            }
            // A long file may have more bytes already. Without any wait, no key would be read.
            let wait = if has_changed {
                Duration::from_millis(1)
            } else {
                POLL_INTERVAL
            };
            match terminal.key(wait).map_err(unusable)? {
                Some(KeyCode::Char('q') | KeyCode::Esc) => return Ok(false),
                Some(KeyCode::Char(' ')) => {
                    is_held = !is_held;
                    screen.state = State::Held;
                    if !is_held {
                        screen.show(self.file.current());
                    }
                }
                Some(KeyCode::Tab) => screen.next_chain(),
                _ => {}
            }
        }
    }

    /// Writes a line for each second of the recording. Whether the file counts as complete.
    fn in_lines(&mut self) -> Result<bool, Failure> {
        let mut reported = 0.0;
        let mut is_missing = false;
        loop {
            let event = self.poll()?;
            match event {
                FileEvent::Missing if !is_missing && self.until_idle.is_none() => {
                    warn(&format!("{}: does not exist yet; waiting for it", self.name));
                }
                FileEvent::Restarted => {
                    warn(&format!("{}: was replaced; reading it from its beginning", self.name));
                    reported = 0.0;
                }
                _ => {}
            }
            is_missing = event == FileEvent::Missing;
            if let Ok(CurrentAnalysis { analysis, .. }) = self.file.current()
                && analysis.chains[0].metrics.seconds.floor() > reported
            {
                reported = analysis.chains[0].metrics.seconds.floor();
                output::print(&line(&analysis))?;
            }
            if self.is_over() || interrupt::is_stop_requested() {
                return Ok(!interrupt::is_stop_requested());
            }
            if !matches!(event, FileEvent::Grew | FileEvent::Restarted) {
                thread::sleep(self.until_idle.map_or(POLL_INTERVAL, |idle| POLL_INTERVAL.min(idle)));
            }
        }
    }
}

/// The metrics and diagnosis of the main chain, in one line.
fn line(analysis: &Analysis) -> String {
    let chain = &analysis.chains[0];
    let (metrics, times) = (&chain.metrics, &chain.metrics.frame_time_ms);
    let kinds: Vec<String> = chain.diagnosis.iter().map(|found| found.kind.to_string()).collect();
    format!(
        "{:9.1} s {:8} frames {:7.1} fps  median {:7.2} ms  99 % {:7.2}  longest {:8.2}  {}\n",
        metrics.seconds,
        metrics.frames,
        metrics.fps_average,
        times.median,
        times.p99,
        times.max,
        kinds.join(", ")
    )
}

fn unusable(error: io::Error) -> Failure {
    Failure::Run(format!(
        "the terminal cannot be used: {error}; send standard output to a pipe or a file"
    ))
}

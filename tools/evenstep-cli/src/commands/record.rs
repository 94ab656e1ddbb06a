//! `evenstep record`: runs a program and records when its frames were presented.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use evenstep_trace::live::ShownTimePipe;
use evenstep_trace::{Analysis, BadRows, TraceError};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::{NamedTempFile, TempPath};

use self::rows::Rows;
use self::timing::Timing;
use super::check::{self, Checks};
use crate::failure::{self, Failure, warn};
use crate::output::output_file::Files;
use crate::output::{self, analysis};
use crate::proxy::{self, Proxy, ProxyError, Report, ShownTimeReader};
use crate::{input, interrupt};

mod rows;
mod timing;

/// The arguments of `record`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The file to write, with PresentMon's columns; it grows while the program runs. Without this option the recording is not kept.
    #[arg(short, long, value_name = "OUT.csv")]
    output: Option<PathBuf>,
    #[command(flatten)]
    checks: Checks,
    /// The program and its arguments, after `--`.
    #[arg(required = true, last = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

/// The interval at which rows are written and the program is polled.
const INTERVAL: Duration = Duration::from_millis(100);

/// A program that was asked to end and still runs after this time is killed.
const KILL_AFTER: Duration = Duration::from_secs(5);

/// Runs the program, writes its frames while it runs, and analyses and checks them when it has ended. The exit code is the program's or,
/// if that is 0, the one of the checks.
pub(crate) fn record(args: &Arguments) -> Result<ExitCode, Failure> {
    interrupt::take_stop_requests();
    let mut files = Files::default();
    // Rows are written while the program runs, so this file is written in place, unlike other outputs.
    files.output("--output", args.output.as_deref())?;
    if args.output.as_deref() == Some(Path::new(input::STANDARD_INPUT)) {
        return Err(Failure::Usage(
            "-: --output: a recording is a file; give it a name, or leave --output out to see the analysis only"
                .to_owned(),
        ));
    }
    let checks = args.checks.are_any().then(|| args.checks.ready(&mut files));
    let checks = checks.transpose()?;
    let (proxy, socket) = start_proxy().map_err(|error| no_proxy(&error))?;
    let file = RecordFile::open(args.output.as_deref())?;
    if !proxy.has_presentation_times() {
        warn("the compositor has no presentation feedback (wp_presentation): only the times of commits are recorded");
    }
    let shown_times = proxy.path().with_added_extension("frames");
    match ShownTimeReader::create(&shown_times) {
        Ok(pipe) => proxy.read_shown_times(pipe),
        Err(error) => warn(&format!(
            "{}: cannot be made, so simulated times are not recorded: {}",
            shown_times.display(),
            failure::reason(&error)
        )),
    }
    let child = start(args, &socket, &shown_times).inspect_err(|_| file.leave())?;
    let mut recording = Recording::begin(file, &proxy, child);
    let status = loop {
        if let Some(status) = recording.step(&proxy) {
            break status;
        }
    };
    let (file, timing) = recording.finish(proxy)?;
    let is_analyzed = analyzed(&file.path, &file.name)?;
    output::print(&timing.text())?;
    let checked = match checks {
        None => ExitCode::SUCCESS,
        Some(_) if !is_analyzed => ExitCode::from(1),
        Some(checks) => {
            let (path, name) = (file.path.clone(), file.name.clone());
            checks.check(&[check::Recording { path, name }], ExitCode::SUCCESS)?
        }
    };
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    Ok(match code {
        Some(0) => checked,
        code => code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1).into(),
    })
}

/// The proxy, and the name of its socket: the first that is free, because a killed recorder leaves its own.
fn start_proxy() -> Result<(Proxy, PathBuf), ProxyError> {
    let compositor = proxy::environment()?;
    let mut socket = PathBuf::from(format!("evenstep-{}", std::process::id()));
    loop {
        match Proxy::start(&socket, compositor.clone()) {
            Err(ProxyError::Socket { error, .. }) if error.kind() == io::ErrorKind::AddrInUse => {
                socket.as_mut_os_string().push("-");
            }
            started => return started.map(|proxy| (proxy, socket)),
        }
    }
}

fn no_proxy(error: &ProxyError) -> Failure {
    let mend = match error {
        ProxyError::Socket { .. } => "XDG_RUNTIME_DIR must name a folder that exists and is yours",
        _ => "this needs a Wayland desktop that WAYLAND_DISPLAY names",
    };
    Failure::Run(format!("{error}; {mend}"))
}

/// Starts the program on the socket.
fn start(args: &Arguments, socket: &Path, shown_times: &Path) -> Result<Child, Failure> {
    let (program, rest) = (&args.program[0], &args.program[1..]);
    let mut command = Command::new(program);
    command
        .args(rest)
        .env("WAYLAND_DISPLAY", socket)
        .env(ShownTimePipe::VARIABLE, shown_times);
    // An open connection to the compositor itself.
    command.env_remove("WAYLAND_SOCKET");
    command.spawn().map_err(|error| {
        let _ = std::fs::remove_file(shown_times);
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "there is no such program".to_owned(),
            _ => failure::reason(&error),
        };
        let program = Path::new(program).display();
        Failure::Run(format!(
            "{program}: cannot be started: {reason}; give the name or the path of a program after --"
        ))
    })
}

/// The file that the rows are written to.
struct RecordFile {
    file: File,
    path: PathBuf,
    /// Its name in messages: the same in each run.
    name: String,
    /// Whether there was no such file before.
    is_new: bool,
    /// Deletes a recording that is not kept.
    _temporary: Option<TempPath>,
}

impl RecordFile {
    /// Opens it before the program starts: no program runs without a recording. An earlier recording keeps its rows until then.
    fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            let created = NamedTempFile::new().map_err(|error| {
                let (folder, reason) = (std::env::temp_dir(), failure::reason(&error));
                let folder = folder.display();
                Failure::Run(format!(
                    "{folder}: no temporary file can be made: {reason}; set TMPDIR to a folder that exists and is yours, or give --output"
                ))
            })?;
            let (file, temporary) = created.into_parts();
            return Ok(Self {
                file,
                path: temporary.to_path_buf(),
                name: "recording".to_owned(),
                is_new: true,
                _temporary: Some(temporary),
            });
        };
        let is_new = !path.exists();
        let opened = File::options().write(true).create(true).truncate(false).open(path);
        Ok(Self {
            file: opened.map_err(|error| Failure::unwritable(path, "--output", &error))?,
            path: path.to_owned(),
            name: path.display().to_string(),
            is_new,
            _temporary: None,
        })
    }

    /// Leaves things as they were before it was opened, where no program was started.
    fn leave(&self) {
        if self.is_new {
            let _ = self.path.canonicalize().and_then(std::fs::remove_file);
        }
    }
}

struct Recording {
    child: Child,
    /// The time at which the program was asked to end.
    asked_to_end: Option<Instant>,
    /// The program's exit status, once it has ended.
    status: Option<ExitStatus>,
    rows: Rows,
    file: RecordFile,
    /// A failure to write. The program then continues, but no more rows are written.
    fault: Option<Failure>,
    lost: u64,
}

impl Recording {
    fn begin(file: RecordFile, proxy: &Proxy, child: Child) -> Self {
        let rows = Rows::new(proxy.now(), proxy.has_presentation_times());
        // Pipes and devices have no length.
        let _ = file.file.set_len(0);
        let mut recording = Self {
            child,
            asked_to_end: None,
            status: None,
            rows,
            file,
            fault: None,
            lost: 0,
        };
        let header = recording.rows.header();
        recording.write(&header);
        recording
    }

    /// Writes the rows of the frames of one interval. Returns the program's exit status when the program and its connections have ended.
    fn step(&mut self, proxy: &Proxy) -> Option<ExitStatus> {
        // This thread polls instead of waiting for reports: a wake-up for each report would cost as much as forwarding the frame.
        thread::sleep(INTERVAL);
        self.take(proxy.reports().try_iter());
        if interrupt::is_stop_requested() {
            match self.asked_to_end {
                None => {
                    self.asked_to_end = Some(Instant::now());
                    self.end_program(Signal::TERM);
                }
                Some(since) if since.elapsed() > KILL_AFTER => self.end_program(Signal::KILL),
                Some(_) => {}
            }
        }
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status
            .filter(|_| proxy.connections() == 0 || self.asked_to_end.is_some())
    }

    fn end_program(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let (Some(pid), None) = (pid, self.status) {
            // The program may have ended by itself.
            let _ = kill_process(pid, signal);
        }
    }

    /// Writes the rows of reported frames.
    fn take(&mut self, reports: impl Iterator<Item = Report>) {
        let mut rows = String::new();
        for report in reports {
            match report {
                Report::Frame(frame) => rows.extend(self.rows.row(&frame)),
                Report::Ended {
                    application,
                    process,
                    fault,
                    lost,
                } => {
                    self.lost += lost;
                    if let Some(fault) = fault {
                        warn(&format!("the connection of {application} ({process}) ended: {fault}"));
                    }
                }
            }
        }
        self.write(&rows);
    }

    /// Writes whole lines, so that an interrupted recording can be read.
    fn write(&mut self, lines: &str) {
        if self.fault.is_some() || lines.is_empty() {
            return;
        }
        if let Err(error) = self.file.file.write_all(lines.as_bytes()) {
            let fault = Failure::unwritable(&self.file.path, "--output", &error);
            warn(&format!("{fault}; the program continues without a recording"));
            self.fault = Some(fault);
        }
    }

    /// Ends the proxy, and writes the remaining rows.
    fn finish(mut self, proxy: Proxy) -> Result<(RecordFile, Timing), Failure> {
        let shown_times = proxy.path().with_added_extension("frames");
        self.take(proxy.end());
        let _ = std::fs::remove_file(shown_times);
        if self.lost > 0 {
            warn(&format!(
                "{} frames were lost because the machine was too busy",
                self.lost
            ));
        }
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok((self.file, self.rows.timing)),
        }
    }
}

/// Prints the output of `analyze` for the recording; false if there are no frames.
fn analyzed(path: &Path, name: &str) -> Result<bool, Failure> {
    match Analysis::read(input::open(path)?, name, BadRows::Fail) {
        Ok(analysis) => output::print(&analysis::text(&[analysis])).map(|()| true),
        Err(TraceError::Empty { .. } | TraceError::NoFrames { .. }) => {
            warn(
                "the program showed no frames on Wayland; programs that prefer X11 need SDL_VIDEODRIVER=wayland, GDK_BACKEND=wayland or no DISPLAY",
            );
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

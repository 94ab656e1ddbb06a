//! Signal handling: when the user or the system asks the command to stop (Ctrl-C, SIGTERM, SIGHUP), unfinished files are removed. A
//! loop that holds a [`StopGuard`] may finish by itself and keep what it has recorded.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

static STATE: Mutex<State> = Mutex::new(State {
    partial: Vec::new(),
    has_guard: false,
    is_stop_requested: false,
    is_acknowledged: false,
});
static STOP_REQUESTED: Condvar = Condvar::new();

struct State {
    /// Files that are being written.
    partial: Vec<PathBuf>,
    /// Whether a [`StopGuard`] exists, whose holder finishes by itself.
    has_guard: bool,
    is_stop_requested: bool,
    /// Whether the holder of the guard has polled the request.
    is_acknowledged: bool,
}

/// A holder that does not poll the request within this time is blocked by a desktop, a pipe or a disk. The command is then ended as if
/// there were no holder.
#[cfg(unix)]
const POLL_TIMEOUT: Duration = Duration::from_secs(2);

/// The time that a holder has to finish after it has polled the request.
#[cfg(unix)]
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(60);

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs the signal handlers. Without them a signal ends the command at once.
pub(crate) fn install_handlers() -> io::Result<()> {
    static IS_INSTALLED: Mutex<bool> = Mutex::new(false);
    let mut is_installed = IS_INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if !*is_installed {
        spawn_signal_thread()?;
        *is_installed = true;
    }
    Ok(())
}

#[cfg(unix)]
fn spawn_signal_thread() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    // A file that grows beyond `ulimit -f` is then a write error, and the command is not killed.
    flag::register(SIGXFSZ, std::sync::Arc::default())?;
    let wanted = [SIGINT, SIGTERM, SIGHUP];
    let mut signals = Signals::new(wanted.into_iter().filter(|signal| !is_ignored(*signal)))?;
    let listener = std::thread::Builder::new().name("interrupt".to_owned());
    listener.spawn(move || {
        for signal in signals.forever() {
            stop(signal);
        }
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn spawn_signal_thread() -> io::Result<()> {
    Ok(())
}

/// Whether the parent process set a signal to be ignored, as `nohup` does. Where that cannot be found out, SIGHUP is not
/// handled.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.map_or(signal == signal_hook::consts::SIGHUP, |mask| {
        mask >> (signal - 1) & 1 == 1
    })
}

/// Requests the holder of the guard to finish. On a second request, or without a guard, ends the command.
#[cfg(unix)]
fn stop(signal: i32) {
    let mut state = lock();
    if state.has_guard && !state.is_stop_requested {
        state.is_stop_requested = true;
        STOP_REQUESTED.notify_all();
        let watchdog = std::thread::Builder::new().name("interrupt".to_owned());
        let spawned = watchdog.spawn(move || {
            std::thread::sleep(POLL_TIMEOUT);
            if lock().is_acknowledged {
                std::thread::sleep(SHUTDOWN_TIMEOUT);
            }
            let state = lock();
            if state.has_guard {
                end(signal, state);
            }
        });
        if spawned.is_ok() {
            return;
        }
    }
    end(signal, state);
}

/// Ends the command. The lock on the state keeps other threads from beginning another file.
#[cfg(unix)]
fn end(signal: i32, state: MutexGuard<'_, State>) {
    for file in &state.partial {
        // The command is ending, so an error cannot be reported.
        let _ = fs::remove_file(file);
    }
    // The exit status then tells the parent process which signal ended the command.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal);
}

/// While a guard exists, its holder handles the first request to stop.
pub(crate) struct StopGuard(());

/// Defers the first request to stop: the holder of the guard polls [`is_stop_requested`] at least every second, and finishes within a
/// minute. If it does not, it is ended.
pub(crate) fn take_stop_requests() -> io::Result<StopGuard> {
    lock().has_guard = true;
    let guard = StopGuard(());
    install_handlers()?;
    Ok(guard)
}

impl Drop for StopGuard {
    fn drop(&mut self) {
        lock().has_guard = false;
    }
}

/// Whether the holder of the guard is requested to stop. The call acknowledges the request.
pub(crate) fn is_stop_requested() -> bool {
    let mut state = lock();
    state.is_acknowledged |= state.is_stop_requested;
    state.is_stop_requested
}

/// Sleeps for `length`, or until a stop is requested.
pub(crate) fn sleep(length: Duration) {
    let Some(end) = Instant::now().checked_add(length) else {
        return;
    };
    let mut state = lock();
    while !state.is_stop_requested {
        let rest = end.saturating_duration_since(Instant::now());
        if rest.is_zero() {
            return;
        }
        let woken = STOP_REQUESTED.wait_timeout(state, rest);
        state = woken.unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// A temporary file that is removed unless it is finished, also when the command is stopped.
pub(crate) struct PartialFile(Option<NamedTempFile>);

impl PartialFile {
    /// Creates the file by `create`, and registers it for removal.
    pub(crate) fn begin(create: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<Self> {
        let mut state = lock();
        let file = create()?;
        state.partial.push(file.path().to_owned());
        Ok(Self(Some(file)))
    }

    /// The file, to be written.
    pub(crate) fn file(&self) -> io::Result<&fs::File> {
        let file = self.0.as_ref().ok_or(io::ErrorKind::NotFound)?;
        Ok(file.as_file())
    }

    /// Renames the file to `target`, which is replaced.
    pub(crate) fn finish(mut self, target: &Path) -> io::Result<()> {
        let file = self.0.take().ok_or(io::ErrorKind::NotFound)?;
        let path = file.path().to_owned();
        let named = file.persist(target).map(drop).map_err(|error| error.error);
        unregister(&path);
        named
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let path = file.path().to_owned();
            drop(file);
            unregister(&path);
        }
    }
}

fn unregister(path: &Path) {
    lock().partial.retain(|partial| partial != path);
}

/// Runs some short work to its end, even if the command is requested to stop meanwhile.
pub(crate) fn without_interruption<T>(work: impl FnOnce() -> T) -> T {
    let _state = lock();
    work()
}

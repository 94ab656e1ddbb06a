//! What happens when the user or the system asks the command to stop (Ctrl-C, SIGTERM, SIGHUP): unfinished files are removed,
//! and a loop that has recorded something may end in its own way.

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
    /// Files and folders that are being written.
    partial: Vec<PathBuf>,
    /// Whether something wants to end in its own way.
    has_guard: bool,
    is_stop_requested: bool,
    /// Whether the holder knows.
    is_acknowledged: bool,
}

/// A holder that does not look for so long waits for something that may never come: a desktop, a pipe or a disk. It is ended as if
/// there were none.
const POLL_TIMEOUT: Duration = Duration::from_secs(2);

/// So long a holder that knows takes to end at most; two peers of `duel` wait for each other's last inputs.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(60);

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens from now on. Until then the command is simply ended.
pub fn install_handlers() -> io::Result<()> {
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

    // A file that grows beyond `ulimit -f` is an error of writing, no reason to be killed.
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

/// Whether whoever started the command wants it to ignore a signal, as `nohup` does. Where that is not known, SIGHUP is left
/// alone.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.map_or(signal == signal_hook::consts::SIGHUP, |mask| {
        mask >> (signal - 1) & 1 == 1
    })
}

/// Asks whoever holds the command to end; a second time, or where nobody does, ends it.
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

/// Ends the command. Locked, so that no file is begun any more.
#[cfg(unix)]
fn end(signal: i32, state: MutexGuard<'_, State>) {
    for file in &state.partial {
        remove(file);
    }
    // Whoever started the command is to see that it was stopped, and by what.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal);
}

/// Removes a file, or a folder with all that is in it. What is left behind then cannot be helped.
#[cfg(unix)]
fn remove(path: &Path) {
    /// Other threads may put files into a folder until it is gone.
    const TRIES: usize = 100;
    if fs::remove_file(path).is_err() {
        let _ = (0..TRIES).any(|_| fs::remove_dir_all(path).is_ok());
    }
}

/// While there is one, the first request to stop is for its holder to follow.
pub struct StopGuard(());

/// Takes the first request to stop from now on: whoever holds this looks every second at least whether [`is_stop_requested`], and ends within a
/// minute. If it does not, it is ended.
pub fn take_stop_requests() -> io::Result<StopGuard> {
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

/// Whether the holder was asked to stop. Then it knows.
pub fn is_stop_requested() -> bool {
    let mut state = lock();
    state.is_acknowledged |= state.is_stop_requested;
    state.is_stop_requested
}

/// Sleeps for so long, or until the holder is asked to stop.
pub fn sleep(length: Duration) {
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

/// A file that is removed unless it is finished, also when the command is stopped.
pub struct PartialFile(Option<NamedTempFile>);

impl PartialFile {
    /// Begins one.
    pub fn begin(create: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<Self> {
        let mut state = lock();
        let file = create()?;
        state.partial.push(file.path().to_owned());
        Ok(Self(Some(file)))
    }

    /// The file, to be written.
    pub fn file(&self) -> io::Result<&fs::File> {
        let file = self.0.as_ref().ok_or(io::ErrorKind::NotFound)?;
        Ok(file.as_file())
    }

    /// Gives it its name; what had it before is gone.
    pub fn finish(mut self, target: &Path) -> io::Result<()> {
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

/// A folder that is removed with all that is in it unless it is finished, also when the command is stopped.
#[cfg(feature = "parquet")]
pub struct PartialFolder(tempfile::TempDir);

#[cfg(feature = "parquet")]
impl PartialFolder {
    /// Begins one beside the place where it is to be.
    pub fn begin(target: &Path) -> io::Result<Self> {
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".evenstep-");
        // Temporary folders are for their owner only; what was asked for is as any other new folder.
        #[cfg(unix)]
        let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let mut state = lock();
        let folder = builder.tempdir_in(parent.unwrap_or(Path::new(".")))?;
        state.partial.push(folder.path().to_owned());
        Ok(Self(folder))
    }

    /// Where it is until it has its name.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Gives it its name. A folder of that name that is not empty is an error.
    pub fn finish(self, target: &Path) -> io::Result<()> {
        fs::rename(self.path(), target)
    }
}

#[cfg(feature = "parquet")]
impl Drop for PartialFolder {
    fn drop(&mut self) {
        unregister(self.path());
    }
}

fn unregister(path: &Path) {
    lock().partial.retain(|partial| partial != path);
}

/// Does something short to its end, whatever asks the command to stop meanwhile.
pub fn without_interruption<T>(work: impl FnOnce() -> T) -> T {
    let _state = lock();
    work()
}

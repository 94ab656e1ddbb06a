//! Signal handling: when the user or the system asks the command to stop (Ctrl-C, SIGTERM, SIGHUP), it ends at once, but not while it
//! replaces a file. A command that records may finish by itself and keep what it has recorded.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;

static STATE: Mutex<State> = Mutex::new(State {
    finishes_itself: false,
    is_stop_requested: false,
});

struct State {
    finishes_itself: bool,
    is_stop_requested: bool,
}

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs the signal handlers. Without them a signal ends the command at once.
pub(crate) fn install_handlers() -> Result<(), Failure> {
    #[cfg(unix)]
    unix::spawn_signal_thread().map_err(|error| {
        Failure::Run(format!(
            "the handler for Ctrl-C cannot be installed: {error}; close other programs"
        ))
    })?;
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::sync::mpsc;
    use std::time::Duration;
    use std::{fs, io, process, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};

    use super::lock;
    use crate::output::terminal;

    /// How long the terminal may take to be restored.
    const TIMEOUT: Duration = Duration::from_secs(1);

    pub(super) fn spawn_signal_thread() -> io::Result<()> {
        // A file that grows beyond `ulimit -f` is then a write error, and the command is not killed.
        flag::register(SIGXFSZ, std::sync::Arc::default())?;
        let wanted = [SIGINT, SIGTERM, SIGHUP];
        let mut signals = Signals::new(wanted.into_iter().filter(|signal| !is_ignored(*signal)))?;
        let listener = thread::Builder::new().name("interrupt".to_owned());
        listener.spawn(move || signals.forever().for_each(stop))?;
        Ok(())
    }

    /// Whether the parent process set a signal to be ignored, as `nohup` does. Where that cannot be found out, SIGHUP is not
    /// handled.
    fn is_ignored(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.map_or(signal == SIGHUP, |mask| mask >> (signal - 1) & 1 == 1)
    }

    /// Requests the command to finish if it does so itself. Otherwise, or on a second request, ends it.
    fn stop(signal: i32) {
        // The lock keeps other threads from beginning to replace a file.
        let mut state = lock();
        if state.finishes_itself && !state.is_stop_requested {
            state.is_stop_requested = true;
            return;
        }
        restore_terminal();
        // The exit status then tells the parent process which signal ended the command.
        let _ = low_level::emulate_default_handler(signal);
        process::exit(128 + signal);
    }

    /// Restores the terminal, also while another thread draws on it. Gives up after [`TIMEOUT`] if nothing reads what is written to it.
    fn restore_terminal() {
        let (sender, restored) = mpsc::channel::<()>();
        let restorer = thread::Builder::new().spawn(move || {
            terminal::restore();
            drop(sender);
        });
        if restorer.is_ok() {
            let _ = restored.recv_timeout(TIMEOUT);
        }
    }
}

/// Leaves the first request to stop to the command: it polls [`is_stop_requested`] at least every second, and finishes.
pub(crate) fn take_stop_requests() {
    lock().finishes_itself = true;
}

/// Whether the command is requested to finish.
pub(crate) fn is_stop_requested() -> bool {
    lock().is_stop_requested
}

/// Runs some short work to its end, even if the command is requested to stop meanwhile.
pub(crate) fn without_interruption<T>(work: impl FnOnce() -> T) -> T {
    let _state = lock();
    work()
}

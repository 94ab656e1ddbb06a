//! The stages of a long command: prints which one runs, and at the end the time of each.

use std::sync::Mutex;
use std::time::Instant;

use anyhow::Result;

/// The stages of one command. Some may run beside others, on threads.
pub(crate) struct Stages {
    command: &'static str,
    started: Instant,
    done: Mutex<Vec<(String, f64)>>,
}

impl Stages {
    pub(crate) fn of(command: &'static str) -> Self {
        Self {
            command,
            started: Instant::now(),
            done: Mutex::default(),
        }
    }

    /// Runs a stage, and prints its beginning and its time.
    pub(crate) fn run<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let command = self.command;
        println!("{command}: {name} …");
        let started = Instant::now();
        let answer = work()?;
        let seconds = started.elapsed().as_secs_f64();
        println!("{command}: {name}: {seconds:.0} s");
        let mut done = self.done.lock().unwrap_or_else(|error| error.into_inner());
        done.push((name.to_owned(), seconds));
        Ok(answer)
    }

    /// Prints the time of each stage. The sum exceeds the total if stages ran at the same time.
    pub(crate) fn print(&self) {
        let total = self.started.elapsed().as_secs_f64();
        println!("\n{}: {total:.0} s, some of it at the same time:", self.command);
        let done = self.done.lock().unwrap_or_else(|error| error.into_inner());
        done.iter()
            .for_each(|(name, seconds)| println!("{seconds:6.0} s  {name}"));
    }
}

//! A simulation beside the renderer, on its own thread or as a value to which the program passes the time.
//!
//! ```
//! use evenstep::thread::{SimThread, Simulation, StepInput};
//! use evenstep::{FixedTimestep, Rate, Step};
//! use std::time::Instant;
//!
//! struct Ball(f64);
//!
//! impl Simulation for Ball {
//!     type Input = f64; // a push
//!     type Snapshot = f64;
//!
//!     fn step(&mut self, step: &Step, pushes: &mut StepInput<'_, f64>) {
//!         self.0 += step.dt + pushes.sum::<f64>();
//!     }
//!
//!     fn snapshot(&self) -> f64 {
//!         self.0
//!     }
//! }
//!
//! let mut simulation = SimThread::spawn(FixedTimestep::new(Rate::hz(60)), || Ball(0.0))?;
//! simulation.send(Instant::now(), 1.0).expect("there is room"); // when it happened
//! let _height = simulation.view(Instant::now())?.drawn(); // once a frame
//! simulation.stop()?;
//! # Ok::<(), evenstep::thread::SimThreadError>(())
//! ```
//!
//! Where the program has threads or a clock of its own, it uses a [`SimWorker`].

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{OnceLock, mpsc};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crate::step::FixedTimestep;
use crate::time::{MonotonicClock, TimeScale};

mod remote;
mod simulation;
mod step_timer;
mod view;
mod worker;

pub use remote::SimRemote;
pub use simulation::{Simulation, StepInput};
pub use step_timer::StepTimer;
pub use view::{SimStats, View};
pub use worker::{SimWorker, Wake};

/// So long before a step the thread stops listening for commands and sleeps precisely.
const LISTEN_UNTIL: Duration = Duration::from_millis(2);

/// A simulation on its own thread, at its own rate, independent of the renderer.
///
/// The simulation is built in its thread and never leaves it, so it need not be `Send`. The renderer requests a [`view`](Self::view) of the
/// last two snapshots at an instant of its own; neither side ever waits for the other. Input is sent with the time at which it happened,
/// and reaches the step of that time. If the machine cannot keep up, the timestep's caps and [`Overrun`](crate::Overrun) decide, and
/// [`SimStats`] reports the lost time.
///
/// ```
/// use evenstep::{FixedTimestep, Rate, Step};
/// use evenstep::thread::{SimThread, Simulation, StepInput};
/// use std::time::{Duration, Instant};
///
/// struct Counter(f64);
///
/// impl Simulation for Counter {
///     type Input = f64;
///     type Snapshot = f64;
///
///     fn step(&mut self, step: &Step, input: &mut StepInput<'_, f64>) {
///         self.0 += step.dt + input.sum::<f64>();
///     }
///
///     fn snapshot(&self) -> f64 {
///         self.0
///     }
/// }
///
/// let mut thread = SimThread::spawn(FixedTimestep::new(Rate::hz(1000)), || Counter(0.0))?;
/// thread.send(Instant::now(), 100.0).expect("there is room");
/// while thread.view(Instant::now())?.drawn() < 100.0 {
///     std::thread::sleep(Duration::from_millis(1)); // draw
/// }
/// thread.stop()?;
/// # Ok::<(), evenstep::thread::SimThreadError>(())
/// ```
///
/// # The handover
///
/// The two snapshots with their time are written into one slot of a triple buffer and published by one atomic exchange (crate
/// `triple_buffer`, whose own tests race threads and run under Miri). evenstep adds no shared memory to it: data in the other direction
/// goes through the standard library's channels, and the message of a panic through a `OnceLock`. A snapshot is therefore received whole or
/// not at all; a test here looks for torn ones for as long as it runs.
#[derive(Debug)]
pub struct SimThread<I, S: Send> {
    remote: SimRemote<I, S>,
    panic: Arc<OnceLock<String>>,
    thread: Option<JoinHandle<()>>,
}

/// Why there is no simulation to view.
#[derive(Debug)]
#[non_exhaustive]
pub enum SimThreadError {
    /// The operating system could not create a thread.
    Spawn(io::Error),
    /// The simulation panicked with this message: while it was built, in a step or in a snapshot.
    Panicked(String),
}

impl fmt::Display for SimThreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spawn(error) => write!(f, "no thread for the simulation: {error}"),
            Self::Panicked(message) => write!(f, "the simulation panicked: {message}"),
        }
    }
}

impl core::error::Error for SimThreadError {}

impl<I: Send + 'static, S: Clone + Send + 'static> SimThread<I, S> {
    /// Starts a thread that builds a simulation and steps it as `timestep` says. Waits until it is built.
    ///
    /// # Errors
    ///
    /// If there is no thread to be had, or building panics.
    pub fn spawn<M>(timestep: FixedTimestep, build: impl FnOnce() -> M + Send + 'static) -> Result<Self, SimThreadError>
    where
        M: Simulation<Input = I, Snapshot = S>,
    {
        let (ready, built) = mpsc::sync_channel(1);
        let panic = Arc::new(OnceLock::new());
        let panicked = Arc::clone(&panic);
        let work = move || {
            let (worker, remote) = SimWorker::new(timestep, build(), Instant::now());
            // The owner waits for this, and is gone only if it panicked.
            let _ = ready.send(remote);
            run(worker);
        };
        let run = move || {
            // Values that the simulation leaves are dropped without being published.
            if let Err(payload) = catch_unwind(AssertUnwindSafe(work)) {
                let _ = panicked.set(message(&*payload));
            }
        };
        let thread = Builder::new().name(String::from("simulation")).spawn(run);
        let thread = thread.map_err(SimThreadError::Spawn)?;
        match built.recv() {
            Ok(remote) => Ok(Self {
                remote,
                panic,
                thread: Some(thread),
            }),
            Err(_) => {
                let _ = thread.join();
                Err(SimThreadError::Panicked(panic.get().cloned().unwrap_or_default()))
            }
        }
    }

    /// The view for an instant of the renderer's, usually now or when the frame will be presented. Never waits.
    ///
    /// Views do not go backwards: an instant before an earlier view's returns that view again. However long an instant is before or
    /// after the newest snapshot, alpha stays from 0 to below 1.
    ///
    /// # Errors
    ///
    /// If the simulation panicked.
    pub fn view(&mut self, now: Instant) -> Result<View<'_, S>, SimThreadError> {
        self.check()?;
        Ok(self.remote.view(now))
    }

    /// Sends input that happened at an instant, to be delivered to the step of that time. Accepted input arrives, also after
    /// a long pause. Never waits. An instant before the [origin](Self::origin) counts as the origin, and one in the future waits for
    /// its step. If more than 1024 inputs wait for their steps, the rest comes in a later step and counts as
    /// [late](crate::input::InputCounts::late).
    ///
    /// # Errors
    ///
    /// Returns the input if [1024](SimRemote::INPUT_CAPACITY) wait, which [`SimStats`] counts, or if the simulation is gone.
    pub fn send(&mut self, at: Instant, input: I) -> Result<(), I> {
        self.remote.send(at, input)
    }

    /// When the simulation's time began: without pauses, clamps and another speed, tick `n` is due `n + 1` periods later.
    #[must_use]
    pub const fn origin(&self) -> Instant {
        self.remote.origin()
    }

    /// Sets the time scale; [`TimeScale::PAUSED`] stops simulated time.
    pub fn set_time_scale(&self, scale: TimeScale) {
        self.remote.set_time_scale(scale);
    }

    /// Runs one more step without using up any time, for stepping through a pause.
    pub fn step_once(&self) {
        self.remote.step_once();
    }

    /// Stops the simulation and waits for its thread to end, which is after the current step.
    ///
    /// # Errors
    ///
    /// If the simulation panicked.
    pub fn stop(mut self) -> Result<(), SimThreadError> {
        self.join();
        self.check()
    }

    fn check(&self) -> Result<(), SimThreadError> {
        match self.panic.get() {
            Some(message) => Err(SimThreadError::Panicked(message.clone())),
            None => Ok(()),
        }
    }
}

impl<I, S: Send> SimThread<I, S> {
    fn join(&mut self) {
        self.remote.stop();
        if let Some(thread) = self.thread.take() {
            // It catches its panics, and keeps their messages.
            let _ = thread.join();
        }
    }
}

/// Stops the simulation and waits for its thread to end.
impl<I, S: Send> Drop for SimThread<I, S> {
    fn drop(&mut self) {
        self.join();
    }
}

/// Passes the time of the real clock to a worker until it stops.
fn run<M: Simulation>(mut worker: SimWorker<M>) {
    let start = Instant::now();
    let (clock, mut timer) = (MonotonicClock::from(start), StepTimer::new());
    loop {
        match worker.advance(Instant::now) {
            Wake::Stopped => return,
            Wake::OnCommand => {
                let _ = worker.listen(Duration::MAX);
            }
            Wake::At(due) => {
                let left = due.saturating_duration_since(Instant::now());
                if !worker.listen(left.saturating_sub(LISTEN_UNTIL)) {
                    timer.wait_until(&clock, due.saturating_duration_since(start));
                }
            }
        }
    }
}

fn message(payload: &(dyn core::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    String::from(text.unwrap_or("no message"))
}

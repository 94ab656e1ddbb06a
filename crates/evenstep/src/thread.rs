use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Sender, SyncSender, TrySendError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use triple_buffer::Output;

use crate::frame::LARGEST_ALPHA;
use crate::{Blend, FixedTimestep, InputBuffer, InputCounts, Step, Tick, TimeScale};

mod worker;

use worker::{Published, Worker};

/// How much input may be on its way to the simulation, and wait there for its step.
const INPUT_CAPACITY: usize = 1024;

/// A simulation that runs on a [`SimThread`].
pub trait Simulation {
    /// What the renderer sends.
    type Input: Send + 'static;
    /// What the renderer draws: a copy of as much of the state as it needs.
    type Snapshot: Clone + Send + 'static;

    /// Carries the simulation on by a step, with the input that falls in it.
    fn step(&mut self, step: &Step, input: &mut StepInput<'_, Self::Input>);

    /// The state as it can be drawn now.
    fn snapshot(&self) -> Self::Snapshot;
}

/// The input of a step, oldest first.
#[derive(Debug)]
pub struct StepInput<'a, I> {
    step: &'a Step,
    buffer: &'a mut InputBuffer<I>,
}

impl<I> Iterator for StepInput<'_, I> {
    type Item = I;

    fn next(&mut self) -> Option<I> {
        self.buffer.next(self.step)
    }
}

/// A simulation on a thread of its own, at a rate of its own, whatever the renderer does.
///
/// The simulation is built in its thread and never leaves it, so it need not be `Send`. The renderer asks for a
/// [`view`](Self::view) of the last two snapshots at an instant of its own; neither side ever waits for the other. Input is
/// sent with the time at which it happened, and reaches the step of that time. If the machine cannot keep up, the timestep's
/// caps and [`Overrun`](crate::Overrun) decide, and [`SimStats`] says what was lost.
///
/// ```
/// use evenstep::{FixedTimestep, Rate, SimThread, Simulation, Step, StepInput};
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
/// # Ok::<(), evenstep::SimThreadError>(())
/// ```
///
/// # The handover
///
/// The two snapshots with their time are written into one slot of a triple buffer and published by one atomic exchange
/// (crate `triple_buffer`, whose own tests race threads and run under Miri). evenstep adds no shared memory to it: what is
/// sent the other way goes through the standard library's channels, and the message of a panic through a `OnceLock`. So a
/// snapshot is seen whole or not at all; a test here looks for torn ones for as long as it runs.
pub struct SimThread<I, S: Send> {
    output: Output<Published<S>>,
    input: SyncSender<(Instant, I)>,
    commands: Sender<Command>,
    panic: Arc<OnceLock<String>>,
    thread: Option<JoinHandle<()>>,
    /// The latest tick and alpha that a view has shown.
    shown: (Tick, f64),
    refused: u64,
}

/// What the thread is told.
enum Command {
    Scale(TimeScale),
    StepOnce,
    Stop,
}

/// Why there is no simulation to view.
#[derive(Debug)]
#[non_exhaustive]
pub enum SimThreadError {
    /// The operating system gave no thread.
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

/// How a [`SimThread`] is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimStats {
    /// How long after its time the current tick was ready.
    pub lateness: Duration,
    /// Steps given up in all, because the machine could not keep up.
    pub dropped: u64,
    /// Real time given up in all, because a delta exceeded the timestep's limit.
    pub clamped: Duration,
    /// What became of input that did not come as it should.
    pub input: InputCounts,
}

/// What to draw at an instant: two snapshots, and where between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View<'a, S> {
    /// The snapshot before the current one; at first the same.
    pub previous: &'a S,
    /// The newest snapshot.
    pub current: &'a S,
    /// Where between them to draw: from 0, below 1.
    pub alpha: f64,
    /// How many steps the current snapshot is from the start.
    pub tick: Tick,
    /// How the simulation is doing.
    pub stats: SimStats,
}

impl<S: Blend> View<'_, S> {
    /// The snapshots blended at alpha.
    #[must_use]
    pub fn drawn(&self) -> S {
        self.previous.blend(self.current, self.alpha)
    }
}

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
        let (input, received) = mpsc::sync_channel(INPUT_CAPACITY);
        let (commands, orders) = mpsc::channel();
        let (ready, built) = mpsc::sync_channel(1);
        let panic = Arc::new(OnceLock::new());
        let panicked = Arc::clone(&panic);
        let run = move || {
            let work = || {
                let (worker, output) = Worker::new(timestep, build(), received, orders);
                // The owner waits for this, and is gone only if it panicked.
                let _ = ready.send(output);
                worker.run();
            };
            // Whatever the simulation leaves behind is dropped unseen; the slot under way was not published.
            if let Err(payload) = catch_unwind(AssertUnwindSafe(work)) {
                let _ = panicked.set(message(&*payload));
            }
        };
        let thread = Builder::new().name(String::from("simulation")).spawn(run);
        let thread = thread.map_err(SimThreadError::Spawn)?;
        match built.recv() {
            Ok(output) => Ok(Self {
                output,
                input,
                commands,
                panic,
                thread: Some(thread),
                shown: (0, 0.0),
                refused: 0,
            }),
            Err(_) => {
                let _ = thread.join();
                Err(SimThreadError::Panicked(panic.get().cloned().unwrap_or_default()))
            }
        }
    }

    /// What to draw at an instant of the renderer's, usually now or when the picture will be seen. Never waits.
    ///
    /// Views do not go backwards: an instant before that of an earlier view shows what that one did.
    ///
    /// # Errors
    ///
    /// If the simulation panicked.
    pub fn view(&mut self, now: Instant) -> Result<View<'_, S>, SimThreadError> {
        self.check()?;
        let published = self.output.read();
        let (last_tick, last_alpha) = self.shown;
        let alpha = published.alpha(now);
        let alpha = if published.tick == last_tick {
            alpha.max(last_alpha)
        } else {
            alpha
        };
        self.shown = (published.tick, alpha);
        let mut stats = published.stats;
        stats.input.refused += self.refused;
        Ok(View {
            previous: &published.previous,
            current: &published.current,
            alpha,
            tick: published.tick,
            stats,
        })
    }

    /// Sends input that happened at an instant, to be delivered to the step of that time. Never waits.
    ///
    /// # Errors
    ///
    /// Hands the input back if too much of it is on its way, which [`SimStats`] counts, or if the simulation is gone.
    pub fn send(&mut self, at: Instant, input: I) -> Result<(), I> {
        self.input.try_send((at, input)).map_err(|error| {
            self.refused += 1;
            match error {
                TrySendError::Full((_, input)) | TrySendError::Disconnected((_, input)) => input,
            }
        })
    }

    /// Lets simulated time pass at another speed; [`TimeScale::PAUSED`] stops it.
    pub fn set_time_scale(&self, scale: TimeScale) {
        self.command(Command::Scale(scale));
    }

    /// Runs one step that is paid for by no time, for stepping through a pause.
    pub fn step_once(&self) {
        self.command(Command::StepOnce);
    }

    /// A thread that is gone obeys no more; [`view`](Self::view) and [`stop`](Self::stop) say why it is.
    fn command(&self, command: Command) {
        let _ = self.commands.send(command);
    }

    /// Stops the simulation and waits for its thread to end, which is after the step at hand.
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
        let _ = self.commands.send(Command::Stop);
        if let Some(thread) = self.thread.take() {
            // It catches its panics, and keeps what they say.
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

impl<I, S: Send> fmt::Debug for SimThread<I, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimThread")
            .field("shown", &self.shown)
            .finish_non_exhaustive()
    }
}

impl<S> Published<S> {
    fn alpha(&self, now: Instant) -> f64 {
        let alpha = match self.frozen {
            Some(alpha) => alpha,
            None => now.saturating_duration_since(self.at).as_secs_f64() / self.real_period,
        };
        alpha.min(LARGEST_ALPHA)
    }
}

fn message(payload: &(dyn core::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    String::from(text.unwrap_or("no message"))
}

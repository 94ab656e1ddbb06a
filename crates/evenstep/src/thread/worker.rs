//! The simulation side, as a value to which the program passes the time.

use core::fmt;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use triple_buffer::{Input, TripleBuffer};

use super::remote::{Command, SimRemote};
use super::view::{Published, SimStats};
use super::{Simulation, StepInput};
use crate::filter::FrameClock;
use crate::input::InputQueue;
use crate::step::{FixedTimestep, Frame, FrameStats};
use crate::time::{Tick, TimeScale};

/// If steps are rarer than the longest delta, the worker advances at least once per longest delta, but sleeps for at least this.
const MIN_SLEEP: Duration = Duration::from_millis(1);

/// The number of frames in the rolling statistics.
const STATS_WINDOW: usize = 256;

/// In a frame of many slow steps, a state is published at least this often.
const PUBLISH_WITHIN: Duration = Duration::from_millis(5);

/// A simulation beside the renderer, as a value to which the program passes the time: the inner part of a
/// [`SimThread`](super::SimThread).
///
/// Use it if the program starts the thread itself: on an executor, in a worker of a browser, in a test with a simulated clock. Call
/// [`advance`](Self::advance) when it is due.
///
/// ```
/// use evenstep::{FixedTimestep, Rate, Step};
/// use evenstep::thread::{SimWorker, Simulation, StepInput, Wake};
/// use std::time::{Duration, Instant};
///
/// struct Adder(u32);
///
/// impl Simulation for Adder {
///     type Input = u32;
///     type Snapshot = u32;
///
///     fn step(&mut self, _: &Step, input: &mut StepInput<'_, u32>) {
///         self.0 += input.sum::<u32>();
///     }
///
///     fn snapshot(&self) -> u32 {
///         self.0
///     }
/// }
///
/// let start = Instant::now();
/// let (mut worker, mut remote) = SimWorker::new(FixedTimestep::new(Rate::hz(100)), Adder(0), start);
/// remote.send(start + Duration::from_millis(4), 7).expect("there is room");
/// let later = start + Duration::from_millis(13);
/// assert_eq!(worker.advance(|| later), Wake::At(start + Duration::from_millis(20)));
/// assert_eq!(*remote.view(later).current, 7);
/// ```
pub struct SimWorker<M: Simulation> {
    simulation: M,
    timestep: FixedTimestep,
    input: InputQueue<M::Input>,
    received: Receiver<(Instant, M::Input)>,
    commands: Receiver<Command>,
    pending: PendingCommands,
    output: Input<Published<M::Snapshot>>,
    /// The last two snapshots; the first is the older.
    snapshots: [M::Snapshot; 2],
    stats: SimStats,
    frames: FrameStats<STATS_WINDOW>,
    start: Instant,
    /// Times since the start.
    clock: FrameClock<()>,
    now: Instant,
    /// When a state of the present frame was published, or when the frame began.
    published: Instant,
}

/// When to call [`SimWorker::advance`] next.
///
/// Closed: a program must carry out each kind, so a new one is a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// At an instant, or when a command was sent.
    At(Instant),
    /// When a command is sent: time stands still, or the next step lies beyond the last instant of the clock.
    OnCommand,
    /// Never again: it was stopped, or its remote is gone.
    Stopped,
}

/// Commands that were received and not carried out.
#[derive(Default)]
struct PendingCommands {
    scale: Option<TimeScale>,
    single_steps: u32,
    stop: bool,
}

impl<M: Simulation> SimWorker<M> {
    /// A simulation at tick 0 whose time begins now, and the renderer's side of it.
    pub fn new(timestep: FixedTimestep, simulation: M, now: Instant) -> (Self, SimRemote<M::Input, M::Snapshot>) {
        let capacity = SimRemote::<M::Input, M::Snapshot>::INPUT_CAPACITY;
        let (input, received) = mpsc::sync_channel(capacity);
        let (sender, commands) = mpsc::channel();
        let first = simulation.snapshot();
        let stats = SimStats {
            real_time_factor: 1.0,
            ..SimStats::default()
        };
        let (output, renderer) = TripleBuffer::new(&Published {
            previous: first.clone(),
            current: first.clone(),
            tick: timestep.tick(),
            at: now,
            alpha: 0.0,
            until_next: None,
            period: timestep.rate().period_secs_f64(),
            stats,
        })
        .split();
        let mut clock = FrameClock::unfiltered();
        clock.begin_frame(Duration::ZERO);
        let worker = Self {
            simulation,
            timestep,
            input: InputQueue::new(capacity),
            received,
            commands,
            pending: PendingCommands::default(),
            output,
            snapshots: [first.clone(), first],
            stats,
            frames: FrameStats::new(),
            start: now,
            clock,
            now,
            published: now,
        };
        (worker, SimRemote::new(renderer, input, sender, now))
    }

    /// Runs the steps that are due, carries out commands and publishes the state. The clock is read before the steps and after them. A
    /// command takes effect now: the time before it passed at the former speed. A clock that goes back is treated as one that stood still.
    pub fn advance(&mut self, mut clock: impl FnMut() -> Instant) -> Wake {
        self.receive();
        if self.pending.stop {
            return Wake::Stopped;
        }
        let now = clock();
        let mut frame = self.run_frame(now, &mut clock);
        let mut has_stepped = frame.step_count() > 0;
        let pending = core::mem::take(&mut self.pending);
        if pending.scale.is_some() || pending.single_steps > 0 {
            if let Some(scale) = pending.scale {
                self.timestep.set_time_scale(scale);
            }
            (0..pending.single_steps).for_each(|_| self.timestep.step_once());
            frame = self.run_frame(now, &mut clock);
            has_stepped |= frame.step_count() > 0;
        }
        if has_stepped {
            let due = self.now.checked_sub(self.real(frame.overstep().as_secs_f64()));
            self.stats.lateness = due.map_or(Duration::ZERO, |due| clock().saturating_duration_since(due));
        }
        self.publish(&frame, frame.tick(), self.timestep.until_next_step());
        self.wake()
    }

    fn receive(&mut self) {
        loop {
            match self.commands.try_recv() {
                Ok(command) => self.pending.add(command),
                Err(TryRecvError::Disconnected) => return self.pending.add(Command::Stop),
                Err(TryRecvError::Empty) => return,
            }
        }
    }

    /// Waits for a command, for so long at most; true if one came. Carries it out with the next call of `advance`.
    pub(super) fn listen(&mut self, at_most: Duration) -> bool {
        match self.commands.recv_timeout(at_most) {
            Ok(command) => self.pending.add(command),
            Err(RecvTimeoutError::Disconnected) => self.pending.add(Command::Stop),
            Err(RecvTimeoutError::Timeout) => return false,
        }
        true
    }

    /// Advances to the present time. If steps are slow, the states between them are published as well.
    fn run_frame(&mut self, now: Instant, clock: &mut impl FnMut() -> Instant) -> Frame {
        let time = self.clock.begin_frame(now.saturating_duration_since(self.start));
        self.now = self.now.max(now);
        self.published = self.now;
        // What there is no room for waits in the channel, so that none is refused.
        let room = SimRemote::<M::Input, M::Snapshot>::INPUT_CAPACITY - self.input.len();
        for (at, event) in self.received.try_iter().take(room) {
            self.input.push_at(at.saturating_duration_since(self.start), event);
        }
        let frame = self.timestep.advance(time.delta);
        self.input.begin_frame(&time, &frame);
        self.frames.record(time.delta, &frame);
        let period = self.real(self.timestep.rate().period_secs_f64());
        let mut begin = time.now();
        for step in frame.steps() {
            let mut input = StepInput {
                step: &step,
                queue: &mut self.input,
            };
            self.simulation.step(&step, &mut input);
            self.snapshots.swap(0, 1);
            self.snapshots[1] = self.simulation.snapshot();
            let now = clock();
            if frame.single_steps() == 0 {
                let due = frame.due(&time, &step);
                let end = now.saturating_duration_since(self.start);
                self.stats.deadline_misses += u64::from(end > due.saturating_add(period));
                self.stats.longest_lateness = self.stats.longest_lateness.max(begin.saturating_sub(due));
                begin = end;
            }
            if !step.is_last() && now.saturating_duration_since(self.published) >= PUBLISH_WITHIN {
                self.publish(&frame, step.tick + 1, None);
                self.published = clock();
            }
        }
        self.stats.dropped += frame.lost().dropped;
        self.stats.clamped += frame.lost().clamped;
        frame
    }

    fn publish(&mut self, frame: &Frame, tick: Tick, until_next: Option<Duration>) {
        self.stats.input = self.input.counts();
        self.stats.real_time_factor = self.frames.real_time_factor();
        let period = self.timestep.rate().period_secs_f64() / self.timestep.time_scale().as_f64();
        let slot = self.output.input_buffer_mut();
        slot.previous.clone_from(&self.snapshots[0]);
        slot.current.clone_from(&self.snapshots[1]);
        slot.tick = tick;
        slot.at = self.now;
        slot.alpha = frame.alpha();
        slot.until_next = until_next;
        slot.period = period;
        slot.stats = self.stats;
        self.output.publish();
    }

    fn wake(&self) -> Wake {
        let Some(until) = self.timestep.until_next_step() else {
            return Wake::OnCommand;
        };
        let longest = self.timestep.max_delta();
        let sleep = if until > longest {
            (longest / 2).max(MIN_SLEEP)
        } else {
            until
        };
        // An instant that the clock cannot show never comes.
        self.now.checked_add(sleep).map_or(Wake::OnCommand, Wake::At)
    }

    /// The real time that this many simulated seconds take.
    fn real(&self, simulated: f64) -> Duration {
        Duration::try_from_secs_f64(simulated / self.timestep.time_scale().as_f64()).unwrap_or_default()
    }
}

impl PendingCommands {
    fn add(&mut self, command: Command) {
        match command {
            Command::Scale(scale) => self.scale = Some(scale),
            Command::StepOnce => self.single_steps = self.single_steps.saturating_add(1),
            Command::Stop => self.stop = true,
        }
    }
}

impl<M: Simulation> fmt::Debug for SimWorker<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimWorker")
            .field("timestep", &self.timestep)
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use spin_sleep::SpinSleeper;
use triple_buffer::{Input, Output, TripleBuffer};

use super::{Command, INPUT_CAPACITY, SimStats, Simulation, StepInput};
use crate::{FixedTimestep, Frame, InputBuffer, Tick, TimeScale};

/// So long before a step the thread stops listening for commands and sleeps precisely.
const LISTEN_UNTIL: Duration = Duration::from_millis(2);

/// A paused thread looks for input so often, that its queue does not fill.
const PAUSED: Duration = Duration::from_millis(10);

/// What the simulation hands over.
#[derive(Clone)]
pub(super) struct Published<S> {
    pub(super) previous: S,
    pub(super) current: S,
    pub(super) tick: Tick,
    /// When the current state's time was.
    pub(super) at: Instant,
    /// Real seconds that a step takes at the present time scale.
    pub(super) real_period: f64,
    /// Alpha while time stands still.
    pub(super) frozen: Option<f64>,
    pub(super) stats: SimStats,
}

/// The simulation in its thread.
pub(super) struct Worker<M: Simulation> {
    simulation: M,
    timestep: FixedTimestep,
    input: InputBuffer<M::Input>,
    received: Receiver<(Instant, M::Input)>,
    commands: Receiver<Command>,
    output: Input<Published<M::Snapshot>>,
    /// The last two snapshots; the first is the older.
    snapshots: [M::Snapshot; 2],
    stats: SimStats,
    start: Instant,
    now: Instant,
}

impl<M: Simulation> Worker<M> {
    pub(super) fn new(
        timestep: FixedTimestep,
        simulation: M,
        received: Receiver<(Instant, M::Input)>,
        commands: Receiver<Command>,
    ) -> (Self, Output<Published<M::Snapshot>>) {
        let first = simulation.snapshot();
        let now = Instant::now();
        let (output, renderer) = TripleBuffer::new(&Published {
            previous: first.clone(),
            current: first.clone(),
            tick: 0,
            at: now,
            real_period: timestep.rate().period_secs_f64(),
            frozen: None,
            stats: SimStats::default(),
        })
        .split();
        let worker = Self {
            simulation,
            timestep,
            input: InputBuffer::new(INPUT_CAPACITY),
            received,
            commands,
            output,
            snapshots: [first.clone(), first],
            stats: SimStats::default(),
            start: now,
            now,
        };
        (worker, renderer)
    }

    /// Steps until it is told to stop.
    pub(super) fn run(mut self) {
        let sleeper = SpinSleeper::default();
        loop {
            let frame = self.advance();
            let due = self.next_due(&frame);
            let listen = due
                .saturating_duration_since(Instant::now())
                .saturating_sub(LISTEN_UNTIL);
            match self.commands.recv_timeout(listen) {
                Ok(Command::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(command) => self.obey(command),
                Err(RecvTimeoutError::Timeout) => {
                    sleeper.sleep(due.saturating_duration_since(Instant::now()));
                }
            }
        }
    }

    /// Lets the time pass that has passed, and hands over the result.
    fn advance(&mut self) -> Frame {
        let now = Instant::now();
        let delta = now.saturating_duration_since(self.now);
        self.now = now;
        for (at, event) in self.received.try_iter() {
            // What finds no room is counted by the buffer.
            let _ = self.input.push(at.saturating_duration_since(self.start), event);
        }
        let frame = self.timestep.advance(delta);
        self.input
            .begin_frame(now.saturating_duration_since(self.start), &frame);
        for step in frame.steps() {
            let mut input = StepInput {
                step: &step,
                buffer: &mut self.input,
            };
            self.simulation.step(&step, &mut input);
            self.snapshots.swap(0, 1);
            self.snapshots[1] = self.simulation.snapshot();
        }
        self.publish(&frame);
        frame
    }

    /// A command takes effect now: what passed before it passed at the former speed.
    fn obey(&mut self, command: Command) {
        let _ = self.advance();
        match command {
            Command::Scale(scale) => self.timestep.set_time_scale(scale),
            Command::StepOnce => self.timestep.step_once(),
            Command::Stop => {}
        }
    }

    fn publish(&mut self, frame: &Frame) {
        let lost = frame.lost();
        self.stats.dropped += lost.dropped;
        self.stats.clamped += lost.clamped;
        self.stats.input = self.input.counts();
        let at = self.current_at(frame);
        if frame.steps().len() > 0 {
            self.stats.lateness = Instant::now().saturating_duration_since(at);
        }
        let (scale, period) = (self.timestep.time_scale(), self.timestep.rate().period_secs_f64());
        let slot = self.output.input_buffer_mut();
        slot.previous.clone_from(&self.snapshots[0]);
        slot.current.clone_from(&self.snapshots[1]);
        slot.tick = frame.tick();
        slot.at = at;
        slot.real_period = period / scale.as_f64();
        slot.frozen = scale.is_paused().then(|| frame.alpha());
        slot.stats = self.stats;
        self.output.publish();
    }

    /// When the current state's time was.
    fn current_at(&self, frame: &Frame) -> Instant {
        let since = real(
            frame.alpha() * self.timestep.rate().period_secs_f64(),
            self.timestep.time_scale(),
        );
        self.now.checked_sub(since).unwrap_or(self.now)
    }

    /// When the next step is due.
    fn next_due(&self, frame: &Frame) -> Instant {
        if self.timestep.time_scale().is_paused() {
            return Instant::now() + PAUSED;
        }
        if frame.is_behind() {
            return Instant::now();
        }
        let period = self.timestep.rate().period_secs_f64();
        let until = real((1.0 - frame.alpha()) * period, self.timestep.time_scale());
        // A nanosecond more, so that the step is not missed by what was rounded away.
        let until = until
            .saturating_add(Duration::from_nanos(1))
            .min(Duration::from_secs(3600));
        self.now + until
    }
}

/// How much real time so many simulated seconds take.
fn real(simulated: f64, scale: TimeScale) -> Duration {
    Duration::try_from_secs_f64(simulated / scale.as_f64()).unwrap_or_default()
}

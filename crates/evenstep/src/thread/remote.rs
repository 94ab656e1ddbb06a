//! The renderer's side of a simulation on another thread.

use std::sync::mpsc::{Sender, SyncSender, TrySendError};
use std::time::Instant;

use triple_buffer::Output;

use super::view::{Published, View};
use crate::time::{Tick, TimeScale};

/// The renderer's side of a [`SimWorker`](super::SimWorker): it draws, sends input and commands, and never waits.
#[derive(Debug)]
pub struct SimRemote<I, S: Send> {
    pub(super) output: Output<Published<S>>,
    pub(super) input: SyncSender<(Instant, I)>,
    pub(super) commands: Sender<Command>,
    /// The latest tick and alpha that a view has shown.
    shown: (Tick, f64),
    refused: u64,
    origin: Instant,
}

/// A command to the simulation.
#[derive(Debug)]
pub(super) enum Command {
    Scale(TimeScale),
    StepOnce,
    Stop,
}

impl<I, S: Send> SimRemote<I, S> {
    /// The most inputs that wait for the simulation to take them. It takes as many before their steps have run.
    pub const INPUT_CAPACITY: usize = 1024;

    pub(super) fn new(
        output: Output<Published<S>>,
        input: SyncSender<(Instant, I)>,
        commands: Sender<Command>,
        origin: Instant,
    ) -> Self {
        Self {
            output,
            input,
            commands,
            shown: (0, 0.0),
            refused: 0,
            origin,
        }
    }

    /// When the simulation's time began: without pauses, clamps and another speed, tick `n` is due `n + 1` periods later.
    #[must_use]
    pub const fn origin(&self) -> Instant {
        self.origin
    }

    /// The view for an instant of the renderer's, usually now or when the frame will be presented. Never waits.
    ///
    /// Views do not go backwards: an instant before an earlier view's returns that view again. However long an instant is before or
    /// after the newest snapshot, alpha stays from 0 to below 1.
    pub fn view(&mut self, now: Instant) -> View<'_, S> {
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
        View {
            previous: &published.previous,
            current: &published.current,
            alpha,
            tick: published.tick,
            stats,
        }
    }

    /// Sends input that happened at an instant, to be delivered to the step of that time. Accepted input arrives. Never
    /// waits. An instant before the [origin](Self::origin) counts as the origin, and one in the future waits for its step.
    /// If more than 1024 inputs wait for their steps, the rest comes in a later step and counts as
    /// [late](crate::input::InputCounts::late).
    ///
    /// # Errors
    ///
    /// Returns the input if too much of it waits, which [`SimStats`](super::SimStats) counts, or if the simulation is gone. A key
    /// whose release is lost is stuck: send a release again that was returned.
    pub fn send(&mut self, at: Instant, input: I) -> Result<(), I> {
        self.input.try_send((at, input)).map_err(|error| {
            self.refused += u64::from(matches!(error, TrySendError::Full(_)));
            let (TrySendError::Full((_, input)) | TrySendError::Disconnected((_, input))) = error;
            input
        })
    }

    /// Lets simulated time pass at another speed; [`TimeScale::PAUSED`] stops it.
    pub fn set_time_scale(&self, scale: TimeScale) {
        self.command(Command::Scale(scale));
    }

    /// Runs one step that uses up no time, for stepping through a pause.
    pub fn step_once(&self) {
        self.command(Command::StepOnce);
    }

    /// Ends the simulation; its worker then returns that it has stopped.
    pub fn stop(&self) {
        self.command(Command::Stop);
    }

    /// A simulation that is gone obeys no more.
    fn command(&self, command: Command) {
        let _ = self.commands.send(command);
    }
}

//! One of the two machines, with its player.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Overrun, Rate, Step, Tick};
use evenstep_ggrs::Rollback;
use evenstep_ggrs::ggrs::{Config, GgrsError, P2PSession, PlayerType, PredictRepeatLast, SessionBuilder};
use simulated_network::GgrsNetwork;

use super::arena::{Arena, Puck};

/// Steps a second.
pub(crate) const RATE: u32 = 60;

/// The most ticks by which a machine that predicts runs ahead of the other's inputs.
const WINDOW: usize = 16;

/// The window of machines that wait for each other, which do not use it. With a window of 0 GGRS 0.13 needs inputs that are delayed
/// by a whole round trip (its issue 116). It forgets inputs that are older than two windows, and then cannot read packets that were
/// sent before the acknowledgement of those inputs arrived.
const UNUSED_WINDOW: usize = 48;

/// The longest time of waiting steps that is made up for.
const BACKLOG: Duration = Duration::from_millis(500);

/// The time after which a machine counts as disconnected. It is very long, because a page may be hidden for years.
const DISCONNECT_AFTER: Duration = Duration::from_secs(1 << 32);

/// The number of inputs whose delays are averaged.
const ANSWERS: usize = 60;

struct Setup;

impl Config for Setup {
    type Input = u8;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = usize;
}

/// One of two machines, with a player.
pub(crate) struct Machine {
    session: P2PSession<Setup>,
    pub(crate) rollback: Rollback<[Puck; 2], u8, ()>,
    timestep: FixedTimestep,
    pub(crate) arena: Arena,
    pub(crate) alpha: f64,
    /// The number of ticks after which inputs take effect, if the machine waits for the other's inputs.
    lockstep: Option<Tick>,
    /// The time that the machine stood still because it waited.
    pub(crate) stood_still: Duration,
    /// The times at which the inputs of future ticks were read, and the delays of the last inputs.
    reads: VecDeque<Duration>,
    waits: VecDeque<Duration>,
}

impl Machine {
    /// The machine of a player. It predicts, or in lockstep waits for the other's inputs, which take effect `delay` ticks after
    /// they were read.
    pub(crate) fn new(network: &GgrsNetwork, player: usize, lockstep: Option<Tick>) -> Result<Self, GgrsError> {
        let mut builder = SessionBuilder::<Setup>::new()
            .with_max_prediction_window(if lockstep.is_some() { UNUSED_WINDOW } else { WINDOW })
            .with_input_delay(lockstep.unwrap_or(0) as usize)
            .with_disconnect_timeout(DISCONNECT_AFTER);
        builder = builder.add_player(PlayerType::Local, player)?;
        builder = builder.add_player(PlayerType::Remote(1 - player), 1 - player)?;
        Ok(Self {
            session: builder.start_p2p_session(network.socket(player))?,
            rollback: Rollback::new(),
            timestep: FixedTimestep::new(Rate::hz(RATE)).with_overrun(Overrun::Carry { max_backlog: BACKLOG }),
            arena: Arena::new(),
            alpha: 0.0,
            lockstep,
            stood_still: Duration::ZERO,
            reads: VecDeque::new(),
            waits: VecDeque::new(),
        })
    }

    /// Runs a frame with a delta, at a time of the network, like a game's loop. `read` returns the keys of a tick.
    pub(crate) fn frame(
        &mut self,
        delta: Duration,
        now: Duration,
        mut read: impl FnMut(Tick) -> u8,
    ) -> Result<(), GgrsError> {
        self.arena.glide(delta);
        let tick = self.rollback.tick();
        let granted = self.timestep.advance(delta);
        let frame = self.wait(granted);
        let reads = &mut self.reads;
        let read = |step: &Step, _| {
            reads.push_back(now);
            read(step.tick)
        };
        let frame = self
            .rollback
            .run(&mut self.session, &mut self.arena, &mut self.timestep, frame, read)?;
        self.alpha = frame.alpha();
        if self.rollback.tick() < tick + Tick::from(granted.step_count()) {
            self.stood_still += delta;
        }
        self.note_waits(tick, now);
        Ok(())
    }

    /// In lockstep, gives back the steps whose inputs are not all known. In the first ticks no inputs take effect.
    fn wait(&mut self, frame: Frame) -> Frame {
        let Some(input_delay) = self.lockstep else {
            return frame;
        };
        self.session.poll_remote_clients();
        let known = Tick::try_from(self.session.confirmed_frame()).map_or(0, |last| last + 1);
        let most = known.max(input_delay).saturating_sub(self.rollback.tick());
        let unrun = Tick::from(frame.step_count()).saturating_sub(most);
        self.timestep.give_back(frame, unrun as u32)
    }

    /// Records how long the inputs of the ticks since a tick waited.
    fn note_waits(&mut self, since: Tick, now: Duration) {
        for _ in since.max(self.lockstep.unwrap_or(0))..self.rollback.tick() {
            if self.waits.len() == ANSWERS {
                self.waits.pop_front();
            }
            let wait = self.reads.pop_front().map(|read| now.saturating_sub(read));
            self.waits.extend(wait);
        }
    }

    /// Whether it has received packets of the other machine.
    pub(crate) fn is_connected(&self) -> bool {
        !self.timestep.time_scale().is_paused()
    }

    /// The mean time that the last inputs waited for their ticks, in milliseconds.
    pub(crate) fn answers_after(&self) -> f64 {
        let sum: Duration = self.waits.iter().sum();
        sum.as_secs_f64() * 1e3 / self.waits.len().max(1) as f64
    }
}

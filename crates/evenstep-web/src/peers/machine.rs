use std::collections::VecDeque;
use std::time::Duration;

use evenstep::{FixedTimestep, Overrun, Rate, Step, Tick};
use evenstep_ggrs::Rollback;
use evenstep_ggrs::ggrs::{Config, GgrsError, P2PSession, PlayerType, PredictRepeatLast, SessionBuilder};

use super::arena::Arena;
use super::wire::Wire;

/// Steps a second.
pub(crate) const RATE: u32 = 60;

/// Ticks by which a machine runs ahead of the other's inputs at most.
const WINDOW: usize = 16;

/// Steps that had to wait are made up for if they are of this time or less.
const BACKLOG: Duration = Duration::from_millis(500);

/// For so long nobody is given up: a page may be hidden for years.
const PATIENCE: Duration = Duration::from_secs(1 << 32);

/// Answers to so many inputs are averaged.
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
    pub(crate) rollback: Rollback<Arena>,
    pub(crate) timestep: FixedTimestep,
    pub(crate) arena: Arena,
    pub(crate) alpha: f64,
    /// Inputs take effect so many ticks after they were read.
    input_delay: u64,
    /// When the inputs of ticks were read that are still to come, and how long those of the last ones waited.
    reads: VecDeque<Duration>,
    waits: VecDeque<Duration>,
}

impl Machine {
    /// The machine of a player. Without prediction its inputs take effect `lockstep` ticks after they were read.
    pub(crate) fn new(wire: &Wire, player: usize, lockstep: Option<u64>, arena: Arena) -> Result<Self, GgrsError> {
        let input_delay = lockstep.unwrap_or(0);
        let mut builder = SessionBuilder::<Setup>::new()
            .with_max_prediction_window(if lockstep.is_some() { 0 } else { WINDOW })
            .with_input_delay(input_delay as usize)
            .with_disconnect_timeout(PATIENCE);
        builder = builder.add_player(PlayerType::Local, player)?;
        builder = builder.add_player(PlayerType::Remote(1 - player), 1 - player)?;
        Ok(Self {
            session: builder.start_p2p_session(wire.socket(player))?,
            rollback: Rollback::new(),
            timestep: FixedTimestep::new(Rate::hz(RATE)).with_overrun(Overrun::Carry { max_backlog: BACKLOG }),
            arena,
            alpha: 0.0,
            input_delay,
            reads: VecDeque::new(),
            waits: VecDeque::new(),
        })
    }

    /// Runs a frame after so much time, at a time of the wire, as a game's loop does. `read` is asked for the keys of a tick.
    pub(crate) fn frame(
        &mut self,
        delta: Duration,
        now: Duration,
        mut read: impl FnMut(Tick) -> u8,
    ) -> Result<(), GgrsError> {
        self.arena.glide(delta);
        let before = self.rollback.tick();
        let frame = self.timestep.advance(delta);
        let reads = &mut self.reads;
        let read = |step: &Step, _| {
            reads.push_back(now);
            read(step.tick)
        };
        let frame = self
            .rollback
            .run(&mut self.session, &mut self.arena, &mut self.timestep, frame, read)?;
        self.alpha = frame.alpha();
        for _ in before.max(self.input_delay)..self.rollback.tick() {
            if self.waits.len() == ANSWERS {
                self.waits.pop_front();
            }
            let wait = self.reads.pop_front().map(|read| now.saturating_sub(read));
            self.waits.extend(wait);
        }
        Ok(())
    }

    /// Whether it has heard of the other.
    pub(crate) fn is_connected(&self) -> bool {
        !self.timestep.time_scale().is_paused()
    }

    /// How long the last inputs waited for their ticks, on average, in milliseconds.
    pub(crate) fn answers_after(&self) -> f64 {
        let sum: Duration = self.waits.iter().sum();
        sum.as_secs_f64() * 1e3 / self.waits.len().max(1) as f64
    }
}

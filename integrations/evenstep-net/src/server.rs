//! The server of a game: messages go in, states come out.

use alloc::collections::BTreeMap;
use core::time::Duration;

use evenstep::{FixedTimestep, Frame, SimTime, Smoothing, Tick};

use crate::game::{PlayerId, PredictedGame};
use crate::inbox::Inbox;
use crate::message::{ClientMessage, Hello, HelloError, ServerMessage};
use crate::sync::Pong;

/// The server of a game: messages go in, states come out. It owns no socket and reads no clock.
///
/// Pass it each message when it arrives, call [`frame`](Self::frame) at least once in each tick, and after a frame with steps send each
/// player its [message](Self::message). A tick is run at its end, so that its inputs have until then to arrive; an [`Inbox`] decides
/// which of them count. The state after a tick depends only on the joins, leaves and messages before it.
///
/// The simulated time runs at the speed of the clock. See [the crate](crate) for an example.
#[derive(Debug)]
pub struct Server<G: PredictedGame> {
    game: G,
    timestep: FixedTimestep,
    now: Duration,
    inbox: Inbox<G::PlayerInput>,
    /// For each player when its last message was sent, on its own clock, and received.
    last_messages: BTreeMap<PlayerId, (Duration, Duration)>,
}

impl<G: PredictedGame> Server<G> {
    /// Creates a server for a game in its initial state. If no tick may be lost, give the timestep an
    /// [overrun policy](evenstep::Overrun) that carries time over.
    #[must_use]
    pub fn new(game: G, timestep: FixedTimestep) -> Self {
        Self {
            game,
            inbox: Inbox::new(timestep.rate()),
            timestep,
            now: Duration::ZERO,
            last_messages: BTreeMap::new(),
        }
    }

    /// Adds a player from the next tick on. Does nothing if the player already takes part.
    pub fn join(&mut self, id: PlayerId) {
        self.inbox.join(id);
    }

    /// Removes a player from the next tick on.
    pub fn leave(&mut self, id: PlayerId) {
        self.inbox.leave(id);
        self.last_messages.remove(&id);
    }

    /// Processes a message that arrives at `now` on the server's clock. Messages of players that do not take part are ignored.
    ///
    /// # Errors
    ///
    /// [`HelloError`] if the client steps at another rate or predicts another player. Nothing has changed, and a client without another message
    /// is sent no states: disconnect it, and log the error.
    pub fn receive(
        &mut self,
        now: Duration,
        id: PlayerId,
        message: &ClientMessage<G::PlayerInput>,
    ) -> Result<(), HelloError> {
        if self.inbox.counts(id).is_none() {
            return Ok(());
        }
        let server = Hello {
            player: id,
            rate: self.timestep.rate(),
        };
        let client = message.hello;
        if client != server {
            return Err(HelloError { client, server });
        }
        let simulated = SimTime::at(self.simulated(now));
        self.inbox.receive(id, message.first, &message.inputs, simulated);
        self.last_messages.insert(id, (message.sent, now));
        Ok(())
    }

    /// Runs the ticks that are due at `now` on the server's clock.
    pub fn frame(&mut self, now: Duration) -> Frame {
        let frame = self.timestep.advance(now.saturating_sub(self.now));
        self.now = self.now.max(now);
        for step in frame.steps() {
            let input = G::input(self.inbox.take(step.tick));
            self.game.step(&step, &input);
        }
        frame
    }

    /// The message to send to a player at `now`, after the last tick; `None` if it does not take part, and before its first message.
    #[must_use]
    pub fn message(&self, now: Duration, id: PlayerId) -> Option<ServerMessage<G::Saved, G::PlayerInput>> {
        let (sent, received) = *self.last_messages.get(&id)?;
        let pong = Pong {
            sent,
            received,
            replied: now,
            arrived: Duration::ZERO,
            simulated: self.simulated(now),
        };
        Some(ServerMessage {
            tick: self.tick(),
            saved: self.game.save(),
            players: self.inbox.taken().to_vec(),
            pong,
            reports: self.inbox.reports(id).collect(),
        })
    }

    /// The simulated time at `now`: the time of the newest state and what has passed since.
    fn simulated(&self, now: Duration) -> Duration {
        let frame = self.timestep.idle_frame();
        let arrived = frame
            .shown_time(Smoothing::None)
            .to_duration()
            .saturating_add(frame.overstep().to_duration());
        arrived.saturating_add(now.saturating_sub(self.now))
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The inputs: who takes part, and how many inputs were late or missing.
    #[must_use]
    pub const fn inbox(&self) -> &Inbox<G::PlayerInput> {
        &self.inbox
    }

    /// The number of steps that led to the game's state.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.timestep.tick()
    }
}

//! The client of a server: predicts the game ahead of the server and corrects the prediction.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::time::Duration;

use evenstep::history::SavedStates;
use evenstep::inspect::hash;
use evenstep::{FixedTimestep, Frame, Overrun, Rate, Step, Tick, TimeScale};

use crate::game::{PlayerId, PredictedGame, TickInput};
use crate::inbox::{INPUT_WINDOW, MAX_INPUTS};
use crate::message::{ClientMessage, Hello, ServerMessage};
use crate::sync::{Pong, TickSync};

/// Each message contains at least this many of the newest inputs, and older ones only while the server may not have run their ticks.
const MIN_INPUTS: usize = 12;

/// The bounds of the interval after which inputs are sent again, which is half a tick.
const MESSAGE_INTERVAL: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(50)];

/// The largest number of ticks that are predicted beyond the server's newest state, and of inputs that are kept.
const MAX_PREDICTION: u64 = 256;

/// The client side of a [`Server`](crate::Server): predicts the game and corrects the prediction. It owns no socket and reads no clock.
///
/// It runs the game ahead of the server, in the steps of a [`FixedTimestep`] that a [`TickSync`] steers, so that its inputs arrive just
/// before the server runs their ticks. It predicts that each other player repeats its last input. Each state of the server is compared
/// with the prediction for that tick, by their [hashes](evenstep::inspect::hash). If they are equal, nothing happens. If not, the client
/// restores the server's state and simulates the ticks since then again; [`PredictedGame::after_correction`] can smooth the difference.
///
/// Once per frame pass it the received [messages](Self::receive), run the [frame](Self::frame), and send the [message](Self::message) if
/// there is one. See [the crate](crate) for the loop. One `Client` belongs to one connection: create a new one to reconnect.
#[derive(Debug)]
pub struct Client<G: PredictedGame> {
    hello: Hello,
    timestep: FixedTimestep,
    sync: TickSync,
    /// The average frame time, from which the safety margin of inputs follows.
    mean_frame: Duration,
    now: Duration,
    /// The player's inputs of the last ticks, oldest first.
    inputs: VecDeque<(Tick, G::PlayerInput)>,
    /// The inputs of all players in the last step of the server's newest state.
    players: Vec<TickInput<G::PlayerInput>>,
    /// The ticks of the server's newest state (`None` before the first) and of the predicted game.
    newest: Option<Tick>,
    predicted_tick: Tick,
    /// The hashes of the predicted states, from the one after `newest` on.
    predicted: SavedStates<u64>,
    /// When the last message was created, and the tick after its last input.
    last_message: Option<(Duration, Tick)>,
    /// The alpha of the last frame.
    alpha: f64,
    stats: ClientStats,
}

/// Statistics of a [`Client`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientStats {
    /// States received from the server, each newer than the last.
    pub states: u64,
    /// Of these: states that differed from the prediction. The first state does not count.
    pub corrections: u64,
    /// Ticks that were simulated again.
    pub resimulated: u64,
}

impl<G: PredictedGame> Client<G> {
    /// Creates the client of a player. The game may be in any state; `rate` must be the server's.
    #[must_use]
    pub fn new(id: PlayerId, rate: Rate) -> Self {
        let max_backlog = Duration::from_millis(500);
        Self {
            hello: Hello { player: id, rate },
            timestep: FixedTimestep::new(rate).with_overrun(Overrun::Carry { max_backlog }),
            sync: TickSync::new(rate),
            mean_frame: Duration::ZERO,
            now: Duration::ZERO,
            inputs: VecDeque::new(),
            players: Vec::new(),
            newest: None,
            predicted_tick: 0,
            predicted: SavedStates::new(MAX_PREDICTION as usize),
            last_message: None,
            alpha: 0.0,
            stats: ClientStats::default(),
        }
    }

    /// Processes a message of the server as soon as it has arrived, at `now` on the client's clock. A state that is older than the
    /// newest one is ignored.
    pub fn receive(&mut self, now: Duration, message: ServerMessage<G::Saved, G::PlayerInput>, game: &mut G) {
        self.sync.observe_pong(Pong {
            arrived: now,
            ..message.pong
        });
        for report in message.reports {
            self.sync.observe_input(report);
        }
        let tick = message.tick;
        if self.newest.is_some_and(|newest| tick <= newest) {
            return;
        }
        self.predicted.forget_before(tick);
        let is_same =
            self.predicted.get(tick) == Some(&hash(&message.saved)) && self.predicted_others(&message.players);
        self.players = message.players;
        let is_first = self.newest.replace(tick).is_none();
        if !is_same {
            self.correct(tick, &message.saved, game, is_first);
        }
        self.stats.states += 1;
    }

    /// Whether the inputs of the other players are as predicted.
    fn predicted_others(&self, players: &[TickInput<G::PlayerInput>]) -> bool {
        let own = self.hello.player;
        let mut pairs = players.iter().zip(&self.players);
        let is_same = |one: &TickInput<_>, other: &TickInput<_>| hash(&one.input) == hash(&other.input);
        players.len() == self.players.len()
            && pairs.all(|(one, other)| one.player == other.player && (one.player == own || is_same(one, other)))
    }

    /// Restores the server's state and simulates again up to the tick that the game had reached.
    fn correct(&mut self, tick: Tick, saved: &G::Saved, game: &mut G, is_first: bool) {
        let end = self.predicted_tick;
        let is_ahead = !is_first && (tick..tick.saturating_add(MAX_PREDICTION)).contains(&end);
        if is_ahead {
            game.before_correction(self.alpha);
            self.stats.corrections += 1;
        }
        game.restore(saved);
        self.predicted_tick = tick;
        self.predicted.forget_from(0);
        if is_ahead {
            self.stats.resimulated += end - tick;
            self.simulate(game, end);
            game.after_correction(self.alpha);
        }
    }

    /// Runs the steps that are due at `now` on the client's clock. `read` is called once for each tick that the player takes part in, in
    /// order. Returns the frame to draw.
    pub fn frame(&mut self, now: Duration, game: &mut G, mut read: impl FnMut(Tick) -> G::PlayerInput) -> Frame {
        let delta = now.saturating_sub(self.now);
        let frame = self.timestep.advance(delta);
        self.now = self.now.max(now);
        self.update_margin(delta);
        for step in frame.steps() {
            let Some(tick) = self.sync.tick(step.tick) else {
                continue;
            };
            self.inputs.push_back((tick, read(tick)));
            if self.inputs.len() as u64 > MAX_PREDICTION {
                self.inputs.pop_front();
            }
            // Beyond that the server is silent or was far away: the client waits for its next state.
            let is_near = self.predicted_tick.saturating_add(INPUT_WINDOW) > tick;
            let is_heard = self
                .newest
                .is_some_and(|newest| newest.saturating_add(MAX_PREDICTION) > tick);
            if is_near && is_heard {
                self.simulate(game, tick.saturating_add(1));
            }
        }
        let adjustment = self
            .sync
            .advance(self.now, frame.tick(), frame.overstep(), TimeScale::NORMAL);
        self.timestep.set_time_scale(adjustment.speed);
        self.alpha = frame.alpha();
        frame
    }

    /// An input is read in the first frame after its tick has begun, so inputs are late by up to a frame time, in a beat of frames and
    /// ticks. A [`TickSync`] ignores the worst sixth of the delays that it remembers, which can be exactly the worst sixth of a beat.
    fn update_margin(&mut self, delta: Duration) {
        self.mean_frame = (self.mean_frame * 31 + delta.min(Duration::from_millis(250))) / 32;
        let margin = Duration::from_millis(1 + self.mean_frame.as_micros().div_ceil(6000) as u64);
        self.sync.set_margin(margin);
    }

    /// Predicts the game up to a tick.
    fn simulate(&mut self, game: &mut G, end: Tick) {
        while self.predicted_tick < end {
            let own = self.input(self.predicted_tick);
            let silent = self.predicted_tick.saturating_sub(self.newest.unwrap_or(0)) as u32 + 1;
            let mut players = self.players.clone();
            for player in &mut players {
                if player.player == self.hello.player {
                    (player.input, player.repeats) = (own, 0);
                } else if player.repeats > 0 {
                    player.repeats = player.repeats.saturating_add(silent);
                }
            }
            game.step(&Step::new(self.predicted_tick, self.hello.rate), &G::input(&players));
            self.predicted_tick += 1;
            self.predicted.push(self.predicted_tick, hash(&game.save()));
        }
    }

    /// The player's input for a tick; if it is unknown, the last one before it, as on the server.
    fn input(&self, tick: Tick) -> G::PlayerInput {
        let before = self.inputs.iter().rev().find(|(of, _)| *of <= tick);
        before.map_or_else(G::PlayerInput::default, |(_, input)| *input)
    }

    /// The message to send to the server after a frame, if one is due. It contains the inputs of the ticks that the server may not have
    /// run, including inputs that were sent before.
    ///
    /// A message is due when there is a new input. In case one is lost, inputs are repeated every half tick, at intervals of at least 5 ms
    /// and at most 50 ms, as far as there are frames.
    pub fn message(&mut self) -> Option<ClientMessage<G::PlayerInput>> {
        // The inputs of a message have consecutive ticks, but `self.inputs` can have gaps.
        let end = self.inputs.back().map_or(0, |(tick, _)| tick.saturating_add(1));
        let [shortest, longest] = MESSAGE_INTERVAL;
        let interval = Duration::from_nanos(self.hello.rate.period_nanos() / 2).clamp(shortest, longest);
        let is_due = |(sent, previous_end): (Duration, Tick)| previous_end < end || sent + interval <= self.now;
        if !self.last_message.is_none_or(is_due) {
            return None;
        }
        self.last_message = Some((self.now, end));
        let newest_first = self.inputs.iter().rev().zip((0..end).rev());
        let count = newest_first
            .take(MAX_INPUTS)
            .enumerate()
            .take_while(|(index, ((of, _), tick))| {
                let is_open = *index < MIN_INPUTS || self.newest.is_none_or(|newest| *tick >= newest);
                of == tick && is_open
            })
            .count();
        let inputs = self.inputs.range(self.inputs.len() - count..);
        Some(ClientMessage {
            hello: self.hello,
            sent: self.now,
            confirmed: self.newest,
            first: end - count as u64,
            inputs: inputs.map(|(_, input)| *input).collect(),
        })
    }

    /// The tick of the game's state, including predicted steps.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.predicted_tick
    }

    /// The tick of the newest state from the server; `None` before the first.
    #[must_use]
    pub const fn confirmed(&self) -> Option<Tick> {
        self.newest
    }

    /// The statistics so far.
    #[must_use]
    pub const fn stats(&self) -> ClientStats {
        self.stats
    }
}

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::network::{Pong, TickSync};
use evenstep::{FixedTimestep, Frame, Overrun, Rate, Step, Tick, TimeScale};

use crate::game::{PlayerId, PredictedGame};
use crate::inputs::INPUT_WINDOW;
use crate::message::{ClientMessage, Echo, MAX_INPUT_BYTES, MAX_INPUTS, ServerMessage, encode};
use crate::state::{Reassembly, State};

/// Inputs are sent again as long as the server may not have run their ticks, and at least in so many ticks.
const MIN_INPUTS: usize = 12;

/// Between messages there is at least the smaller of these, also where ticks are rare, and at most the larger.
const MESSAGE_INTERVAL: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(50)];

/// So many ticks are predicted beyond the server's newest state, and remembered.
const MAX_PREDICTION: u64 = 256;

/// A client of a [`Server`](crate::Server), as a value: it predicts the game and is corrected. It has no socket and reads no clock.
///
/// It runs the game ahead of the server, in the steps of a [`FixedTimestep`] that a [`TickSync`] steers, so that its inputs arrive
/// just before the server runs their ticks. Of the others it predicts that they do what they did last. Each state of the server is
/// compared with what was predicted for that tick, bit by bit. If they are equal, nothing happens. If not, the game goes on from the
/// server's state: the ticks since are simulated again, and [`PredictedGame::after_correction`] lets the picture glide.
///
/// Once a frame hand it the [messages](Self::receive) that arrived, run the [frame](Self::frame), and send the
/// [message](Self::message) if there is one. See [the crate](crate) for the loop. One `Client` belongs to one connection: who
/// connects anew does so with a new one.
#[derive(Debug)]
pub struct Client<G: PredictedGame> {
    id: PlayerId,
    rate: Rate,
    timestep: FixedTimestep,
    sync: TickSync,
    /// How long frames are on average, and by how much earlier than the network asks for inputs are sent for that.
    mean_frame: Duration,
    margin: Duration,
    now: Duration,
    /// What the player did in its last ticks, oldest first.
    inputs: VecDeque<(Tick, G::Player)>,
    /// What the players did in the last step of the server's newest state.
    players: Vec<(PlayerId, G::Player)>,
    /// How many steps led to the server's newest state, and to the game's; none before the first.
    newest: Option<Tick>,
    predicted_tick: Tick,
    /// The states that were predicted, as bytes, from that after `newest` steps on.
    predicted: VecDeque<(Tick, Vec<u8>)>,
    reassembly: Reassembly,
    /// When the last message was made, and how many ticks the player had taken part in.
    last_message: Option<(Duration, Tick)>,
    /// The last picture's.
    alpha: f64,
    stats: ClientStats,
}

/// How a [`Client`] is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientStats {
    /// States of the server that arrived, newer ones each time.
    pub states: u64,
    /// Of these: not as predicted. The first is none of them.
    pub corrections: u64,
    /// Ticks that were simulated again.
    pub resimulated: u64,
    /// States that are written with other bytes once they have been read: there is a `HashMap` or a `HashSet` in
    /// [`Rewind::Saved`](evenstep::history::Rewind::Saved). Each is a correction, whatever was predicted.
    pub unstable: u64,
    /// Messages that were none, and states that could not be read.
    pub malformed: u64,
}

impl<G: PredictedGame> Client<G> {
    /// For a player, and a game in any state, which steps at `rate` as at the server.
    #[must_use]
    pub fn new(id: PlayerId, rate: Rate) -> Self {
        let max_backlog = Duration::from_millis(500);
        Self {
            id,
            rate,
            timestep: FixedTimestep::new(rate).with_overrun(Overrun::Carry { max_backlog }),
            sync: TickSync::new(rate),
            mean_frame: Duration::ZERO,
            margin: Duration::ZERO,
            now: Duration::ZERO,
            inputs: VecDeque::new(),
            players: Vec::new(),
            newest: None,
            predicted_tick: 0,
            predicted: VecDeque::new(),
            reassembly: Reassembly::default(),
            last_message: None,
            alpha: 0.0,
            stats: ClientStats::default(),
        }
    }

    /// Takes a message of the server, as soon as it arrives: at `now` on the client's clock.
    pub fn receive(&mut self, now: Duration, message: &[u8], game: &mut G) {
        let Some(message) = ServerMessage::decode(message) else {
            self.stats.malformed += 1;
            return;
        };
        if let Some(echo) = message.echo {
            self.sync.observe_pong(pong(echo, now));
        }
        for report in message.reports {
            self.sync.observe_input(report);
        }
        if self.newest.is_some_and(|newest| message.tick <= newest) {
            return;
        }
        let whole = self
            .reassembly
            .insert(message.tick, message.fragment, message.fragments, message.body);
        if whole.is_some_and(|bytes| self.receive_state(message.tick, &bytes, game).is_none()) {
            self.stats.malformed += 1;
        }
    }

    /// Takes a newer state of the server. None if it is no state.
    fn receive_state(&mut self, tick: Tick, bytes: &[u8], game: &mut G) -> Option<()> {
        let state = State::<G>::decode(bytes)?;
        while self.predicted.front().is_some_and(|(of, _)| *of < tick) {
            self.predicted.pop_front();
        }
        let predicted = self.predicted.front().filter(|(of, _)| *of == tick);
        let was_right =
            predicted.is_some_and(|(_, saved)| saved == state.saved) && self.predicted_others(&state.players);
        if !was_right {
            let saved = state.saved()?;
            self.stats.unstable += u64::from(encode(&saved) != state.saved);
            self.players = state.players;
            self.correct(tick, &saved, game);
        }
        self.newest = Some(tick);
        self.stats.states += 1;
        Some(())
    }

    /// Whether the others do what they were predicted to do.
    fn predicted_others(&self, players: &[(PlayerId, G::Player)]) -> bool {
        let mut pairs = players.iter().zip(&self.players);
        players.len() == self.players.len()
            && pairs.all(|(one, other)| one.0 == other.0 && (one.0 == self.id || encode(&one.1) == encode(&other.1)))
    }

    /// Goes on from the server's state, as far as the game was.
    fn correct(&mut self, tick: Tick, saved: &G::Saved, game: &mut G) {
        let end = self.predicted_tick;
        let is_ahead = self.newest.is_some() && (tick..tick.saturating_add(MAX_PREDICTION)).contains(&end);
        if is_ahead {
            game.before_correction(self.alpha);
            self.stats.corrections += 1;
        }
        game.restore(saved);
        self.predicted_tick = tick;
        self.predicted.clear();
        if is_ahead {
            self.stats.resimulated += end - tick;
            self.simulate(game, end);
            game.after_correction(self.alpha);
        }
    }

    /// Runs the frame up to `now` on the client's clock: the steps that are due. `read` is asked once for each tick that the player
    /// takes part in, in order. Answers with the frame to draw.
    pub fn frame(&mut self, now: Duration, game: &mut G, mut read: impl FnMut(Tick) -> G::Player) -> Frame {
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
            // Beyond that the server is silent, or was far away: its next state is waited for.
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

    /// An input is made in the first frame after its tick has begun, so inputs are late by up to a frame, in a beat of frames and ticks.
    /// A [`TickSync`] passes over the worst sixth of what it remembers, which may be just the worst sixth of a beat.
    fn update_margin(&mut self, delta: Duration) {
        self.mean_frame = (self.mean_frame * 31 + delta.min(Duration::from_millis(250))) / 32;
        let margin = Duration::from_millis(1 + self.mean_frame.as_micros().div_ceil(6000) as u64);
        if margin != self.margin {
            self.margin = margin;
            self.sync = self.sync.clone().with_margin(margin);
        }
    }

    /// Predicts the game up to a tick.
    fn simulate(&mut self, game: &mut G, end: Tick) {
        while self.predicted_tick < end {
            let own = self.input(self.predicted_tick);
            let known = self.players.iter();
            let players: Vec<_> = known
                .map(|(id, input)| (*id, if *id == self.id { own } else { *input }))
                .collect();
            game.step(&Step::new(self.predicted_tick, self.rate), &G::input(&players));
            self.predicted_tick += 1;
            self.predicted.push_back((self.predicted_tick, encode(&game.save())));
        }
    }

    /// What the player does in a tick: as at the server what it did before, if that is not known.
    fn input(&self, tick: Tick) -> G::Player {
        let before = self.inputs.iter().rev().find(|(of, _)| *of <= tick);
        before.map_or_else(G::Player::default, |(_, input)| *input)
    }

    /// What to send to the server after a frame, if it is worth sending: the inputs of ticks that the server may not have run, also
    /// those that were sent before.
    ///
    /// There is a message for each new input, and some more in case one is lost: every half of a tick, but not more often than every
    /// 5 ms and not less often than every 50 ms, if there are frames.
    pub fn message(&mut self) -> Option<Vec<u8>> {
        // Ticks may be left out; what is sent has none missing.
        let end = self.inputs.back().map_or(0, |(tick, _)| tick.saturating_add(1));
        let [shortest, longest] = MESSAGE_INTERVAL;
        let interval =
            Duration::from_secs_f64(self.rate.period_secs_f64().clamp(0.0, 1.0) / 2.0).clamp(shortest, longest);
        let is_due = |(sent, previous_end): (Duration, Tick)| previous_end < end || sent + interval <= self.now;
        if !self.last_message.is_none_or(is_due) {
            return None;
        }
        self.last_message = Some((self.now, end));
        let mut bytes = 0;
        let newest_first = self.inputs.iter().rev().zip((0..end).rev());
        let count = newest_first
            .take(MAX_INPUTS)
            .enumerate()
            .take_while(|(index, ((of, input), tick))| {
                bytes += encode(input).len();
                let is_open = *index < MIN_INPUTS || self.newest.is_none_or(|newest| *tick >= newest);
                of == tick && is_open && bytes <= MAX_INPUT_BYTES
            })
            .count();
        let inputs = self.inputs.range(self.inputs.len() - count..);
        let message = ClientMessage {
            sent: self.now.as_nanos() as u64,
            first: end - count as u64,
            inputs: inputs.map(|(_, input)| *input).collect(),
        };
        Some(message.encode())
    }

    /// How many steps led to the game's state: the server's, and those predicted.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.predicted_tick
    }

    /// How many steps led to the newest state that came from the server; none before the first.
    #[must_use]
    pub const fn confirmed(&self) -> Option<Tick> {
        self.newest
    }

    /// How it is doing.
    #[must_use]
    pub const fn stats(&self) -> ClientStats {
        self.stats
    }
}

fn pong(echo: Echo, arrived: Duration) -> Pong {
    Pong {
        sent: Duration::from_nanos(echo.sent),
        received: Duration::from_nanos(echo.received),
        replied: Duration::from_nanos(echo.replied),
        arrived,
        simulated: Duration::from_nanos(echo.simulated),
    }
}

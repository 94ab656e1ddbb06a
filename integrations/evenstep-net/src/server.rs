use std::collections::BTreeMap;
use std::sync::Arc;

use evenstep::network::InputReport;
use evenstep::{Rate, SimTime, Step, Tick, TimeScale};

use crate::counts::Counts;
use crate::game::{GameError, PlayerId, PredictedGame};
use crate::inbox::{Inbox, InboxEvent};
use crate::inputs::{Arrival, PlayerInputs};
use crate::message::{ClientMessage, Echo, FRAGMENT_BYTES, MAX_FRAGMENTS, ServerMessage};
use crate::state::State;

/// The server of a game, as a value: messages go in, states come out. It has no socket and reads no clock.
///
/// What a tick makes of the game depends on the joins, leaves and messages that it was told of before that tick, and on nothing
/// else. A [`Host`](crate::Host) drives one on a [`SimThread`](evenstep::thread::SimThread).
///
/// - Inputs count in the tick that they are for. What comes when that tick has been run is late: it is counted, and changes nothing.
/// - Of a tick without a player's input, the player does what it did before.
/// - Of two inputs of one player for one tick the first counts.
/// - Inputs more than 64 ticks ahead are early: they are counted and dropped.
#[derive(Debug)]
pub struct Server<G: PredictedGame> {
    game: G,
    rate: Rate,
    tick: Tick,
    players: BTreeMap<PlayerId, Player<G::Player>>,
    /// What the players do in a tick. Kept for its memory, and to tell clients.
    last_inputs: Vec<(PlayerId, G::Player)>,
    total: Counts,
}

#[derive(Debug)]
struct Player<P> {
    inputs: PlayerInputs<P>,
    counts: Counts,
}

/// What a [`Server`] tells its clients after a tick.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// How many steps led to the state.
    pub tick: Tick,
    /// How early each player's last inputs were.
    pub reports: BTreeMap<PlayerId, Vec<InputReport>>,
    /// What was counted of each player that is there.
    pub players: BTreeMap<PlayerId, Counts>,
    /// What was counted in all.
    pub total: Counts,
    state: Arc<[u8]>,
}

impl<G: PredictedGame> Server<G> {
    /// A game in its first state, which steps at `rate`.
    ///
    /// # Errors
    ///
    /// If clients could not read the game's state or inputs, as far as the first state and the default input tell.
    pub fn new(game: G, rate: Rate) -> Result<Self, GameError> {
        GameError::check(&game)?;
        Ok(Self {
            game,
            rate,
            tick: 0,
            players: BTreeMap::new(),
            last_inputs: Vec::new(),
            total: Counts::default(),
        })
    }

    /// Takes what has come since the last tick: who came and went, and the messages.
    pub fn receive_all(&mut self, inbox: &mut Inbox<G::Player>) {
        inbox.drain(|id, event| match event {
            InboxEvent::Joined => self.join(id),
            InboxEvent::Left => self.leave(id),
            InboxEvent::Message(message, simulated) => self.receive(id, &message, simulated),
        });
    }

    /// A player takes part from the next tick on. One that does already goes on.
    pub fn join(&mut self, id: PlayerId) {
        self.players.entry(id).or_insert_with(|| {
            self.total.joins += 1;
            Player {
                inputs: PlayerInputs::new(),
                counts: Counts::default(),
            }
        });
    }

    /// A player takes part no longer, from the next tick on.
    pub fn leave(&mut self, id: PlayerId) {
        self.total.leaves += u64::from(self.players.remove(&id).is_some());
    }

    /// Takes a message that arrived when the server's simulated time was `simulated`. Of players that do not take part it is
    /// ignored.
    pub fn receive(&mut self, id: PlayerId, message: &ClientMessage<G::Player>, simulated: SimTime) {
        let Some(player) = self.players.get_mut(&id) else {
            return;
        };
        for (index, input) in (0..).zip(&message.inputs) {
            let Some(tick) = message.first.checked_add(index) else {
                return;
            };
            let arrival = player.inputs.insert(tick, *input, self.tick);
            let counts = [&mut player.counts, &mut self.total];
            match arrival {
                Arrival::Duplicate => continue,
                Arrival::InTime => {}
                Arrival::Late => counts.into_iter().for_each(|counts| counts.late += 1),
                Arrival::Early => counts.into_iter().for_each(|counts| counts.early += 1),
            }
            if let Some(report) = InputReport::on_arrival(tick, self.rate, simulated, TimeScale::NORMAL) {
                player.inputs.report(report);
            }
        }
    }

    /// Runs a tick. Ticks come in order.
    pub fn step(&mut self, step: &Step) {
        self.last_inputs.clear();
        for (id, player) in &mut self.players {
            let (input, is_known) = player.inputs.input_for(step.tick);
            if !is_known {
                player.counts.missing += 1;
                self.total.missing += 1;
            }
            self.last_inputs.push((*id, input));
        }
        self.game.step(step, &G::input(&self.last_inputs));
        self.tick = step.tick + 1;
    }

    /// What to tell the clients now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let state = State::<G>::encode(&self.last_inputs, &self.game.save());
        let mut total = self.total;
        total.unsent = u64::from(state.is_empty() || state.len() > MAX_FRAGMENTS * FRAGMENT_BYTES);
        Snapshot {
            tick: self.tick,
            reports: self.each(|player| player.inputs.reports()),
            players: self.each(|player| player.counts),
            total,
            state: state.into(),
        }
    }

    fn each<T>(&self, of: impl Fn(&Player<G::Player>) -> T) -> BTreeMap<PlayerId, T> {
        self.players.iter().map(|(id, player)| (*id, of(player))).collect()
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The players that took part in the last step, and what they did in it.
    #[must_use]
    pub fn last_inputs(&self) -> &[(PlayerId, G::Player)] {
        &self.last_inputs
    }

    /// How many steps led to its state.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.tick
    }
}

impl Snapshot {
    /// The messages to a player: one for each part of the state. None if the state could not be sent, which is counted.
    pub fn messages(&self, id: PlayerId, echo: Option<Echo>) -> impl Iterator<Item = Vec<u8>> {
        let fragments = self.state.chunks(FRAGMENT_BYTES);
        let count = if fragments.len() > MAX_FRAGMENTS {
            0
        } else {
            fragments.len()
        };
        let reports = self.reports.get(&id).cloned().unwrap_or_default();
        fragments.take(count).enumerate().map(move |(fragment, body)| {
            let message = ServerMessage {
                tick: self.tick,
                fragment: fragment as u8,
                fragments: count as u8,
                echo,
                reports: reports.clone(),
                body,
            };
            message.encode()
        })
    }
}

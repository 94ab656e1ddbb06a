//! The server of a game without sockets: inputs go in, states come out.

use std::collections::BTreeMap;
use std::sync::Arc;

use evenstep::network::InputReport;
use evenstep::{Rate, SimTime, Step, Tick, TimeScale};

use crate::counts::Counts;
use crate::delta::{Tree, read};
use crate::game::{GameError, PlayerId, PredictedGame};
use crate::inbox::{Inbox, InboxEvent};
use crate::inputs::{Arrival, PlayerInputs};
use crate::message::ClientMessage;

/// The server of a game: messages go in, states come out. It owns no socket and reads no clock.
///
/// The result of a tick depends only on the joins, leaves and messages that were passed in before that tick. A [`Host`](crate::Host) drives
/// a server on a [`SimThread`](evenstep::thread::SimThread).
///
/// - An input counts in the tick that it is for. An input for a tick that has been run is late: it is counted and changes nothing.
/// - In a tick without an input of a player, that player repeats its last input.
/// - Of two inputs of one player for one tick the first counts.
/// - Inputs more than 64 ticks ahead are early: they are counted and dropped.
#[derive(Debug)]
pub struct Server<G: PredictedGame> {
    game: G,
    rate: Rate,
    tick: Tick,
    players: BTreeMap<PlayerId, Player<G::PlayerInput>>,
    /// The players' inputs of the last tick, kept to reuse the memory and to send them to clients.
    last_inputs: Vec<(PlayerId, G::PlayerInput)>,
    total: Counts,
}

#[derive(Debug)]
struct Player<P> {
    inputs: PlayerInputs<P>,
    counts: Counts,
}

/// The state that a [`Server`] sends to its clients after a tick, by an [`Outbox`](crate::Outbox).
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The number of steps that led to the state.
    pub tick: Tick,
    /// How early each player's last inputs arrived.
    pub reports: BTreeMap<PlayerId, Vec<InputReport>>,
    /// The counters of each player that takes part.
    pub players: BTreeMap<PlayerId, Counts>,
    /// The totals of all counters.
    pub total: Counts,
    /// The players of the last step with their inputs, and the saved state; none if it could not be read.
    state: Option<Arc<Tree>>,
    /// The same for players that do not see everything.
    views: BTreeMap<PlayerId, Option<Arc<Tree>>>,
}

impl<G: PredictedGame> Server<G> {
    /// Creates a server for a game in its initial state, which steps at `rate`.
    ///
    /// # Errors
    ///
    /// If clients could not deserialize the state or inputs of the game, as far as the initial state and the default input show.
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

    /// Processes everything that has arrived since the last tick: joins, leaves and messages.
    pub fn receive_all(&mut self, inbox: &mut Inbox<G::PlayerInput>) {
        inbox.drain(|id, event| match event {
            InboxEvent::Joined => self.join(id),
            InboxEvent::Left => self.leave(id),
            InboxEvent::Message(message, simulated) => self.receive(id, &message, simulated),
        });
    }

    /// Adds a player from the next tick on. Does nothing if the player already takes part.
    pub fn join(&mut self, id: PlayerId) {
        self.players.entry(id).or_insert_with(|| {
            self.total.joins += 1;
            Player {
                inputs: PlayerInputs::new(),
                counts: Counts::default(),
            }
        });
    }

    /// Removes a player from the next tick on.
    pub fn leave(&mut self, id: PlayerId) {
        self.total.leaves += u64::from(self.players.remove(&id).is_some());
    }

    /// Processes a message that arrived when the server's simulated time was `simulated`. Messages of players that do not take part are
    /// ignored.
    pub fn receive(&mut self, id: PlayerId, message: &ClientMessage<G::PlayerInput>, simulated: SimTime) {
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
        save_quantized(&mut self.game);
        self.tick = step.tick + 1;
    }

    /// The state to send to the clients now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let state = Tree::new(&(&self.last_inputs, &self.game.save())).ok().map(Arc::new);
        let view = |id: &PlayerId| self.game.visible(*id, &self.last_inputs);
        let views = self.players.keys().filter_map(|id| {
            let view = view(id)?;
            Some((*id, Tree::new(&(&view.inputs, &view.saved)).ok().map(Arc::new)))
        });
        let views: BTreeMap<_, _> = views.collect();
        let mut total = self.total;
        total.unsent = u64::from(state.is_none() || views.values().any(Option::is_none));
        Snapshot {
            tick: self.tick,
            reports: self.each(|player| player.inputs.reports()),
            players: self.each(|player| player.counts),
            total,
            state,
            views,
        }
    }

    fn each<T>(&self, of: impl Fn(&Player<G::PlayerInput>) -> T) -> BTreeMap<PlayerId, T> {
        self.players.iter().map(|(id, player)| (*id, of(player))).collect()
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The players that took part in the last step, with their inputs.
    #[must_use]
    pub fn last_inputs(&self) -> &[(PlayerId, G::PlayerInput)] {
        &self.last_inputs
    }

    /// The number of steps that led to the game's state.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.tick
    }
}

impl Snapshot {
    /// The state that a player sees, and whether all players without a view of their own see the same.
    pub(crate) fn state(&self, id: PlayerId) -> Option<(&Arc<Tree>, bool)> {
        match self.views.get(&id) {
            Some(view) => view.as_ref().map(|view| (view, false)),
            None => self.state.as_ref().map(|state| (state, true)),
        }
    }
}

/// Rounds the quantized numbers of a game's state after a step, and returns the tree of the state.
pub(crate) fn save_quantized<G: PredictedGame>(game: &mut G) -> Option<Tree> {
    let tree = Tree::new(&game.save()).ok()?;
    if tree.is_quantized {
        game.restore(&read(&tree).ok()?);
    }
    Some(tree)
}

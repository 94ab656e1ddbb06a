//! A server, its clients and the network between them, on a virtual clock.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use evenstep::{FixedTimestep, Rate, Tick};
use evenstep_net::{Client, ClientMessage, PlayerId, Server, ServerMessage};
use fastrand::Rng;
use simulated_network::{LinkConditions, SimulatedNetwork};

use crate::balls::{Ball, Balls};
use crate::model::{Event, Log};

pub(crate) const RATE: Rate = Rate::hz(60);
const MS: Duration = Duration::from_millis(1);

pub(crate) struct Machine {
    pub(crate) client: Client<Balls>,
    pub(crate) game: Balls,
    /// When the machine starts, on the virtual clock; the machine's own clock starts then, and runs at this speed.
    begins: Duration,
    pub(crate) clock: f64,
    /// It runs no frames and receives nothing.
    pub(crate) is_asleep: bool,
    frame_length: Duration,
    next_frame: Duration,
    /// The game's states after each tick, as last predicted.
    pub(crate) states: BTreeMap<Tick, Vec<u8>>,
}

impl Machine {
    /// The time on the machine's clock.
    fn now(&self, now: Duration) -> Duration {
        (now - self.begins).mul_f64(self.clock)
    }
}

/// The server's address on the network; clients have their player's.
pub(crate) const SERVER: PlayerId = PlayerId::MAX;

#[derive(Clone)]
pub(crate) enum Packet {
    ToServer(ClientMessage<i8>),
    ToClient(ServerMessage<BTreeMap<PlayerId, Ball>, i8>),
}

pub(crate) struct World {
    pub(crate) network: SimulatedNetwork<PlayerId, Packet>,
    pub(crate) server: Server<Balls>,
    /// Inputs that have arrived at the server's machine, by player and tick.
    pub(crate) received: BTreeSet<(PlayerId, Tick)>,
    rate: Rate,
    pub(crate) machines: BTreeMap<PlayerId, Machine>,
    /// The frame time of clients; random for each client if `None`.
    pub(crate) frame_length: Option<Duration>,
    random: Rng,
    pub(crate) log: Log,
    /// The server's states after each tick.
    pub(crate) states: Vec<Vec<u8>>,
    /// A player's input for a tick.
    pub(crate) script: fn(PlayerId, Tick) -> i8,
}

impl World {
    pub(crate) fn new(seed: u64, conditions: LinkConditions, script: fn(PlayerId, Tick) -> i8) -> Self {
        Self::at(RATE, seed, conditions, script)
    }

    pub(crate) fn at(rate: Rate, seed: u64, conditions: LinkConditions, script: fn(PlayerId, Tick) -> i8) -> Self {
        Self {
            network: SimulatedNetwork::new(seed, conditions),
            server: Server::new(Balls::default(), FixedTimestep::new(rate)),
            received: BTreeSet::new(),
            rate,
            machines: BTreeMap::new(),
            frame_length: None,
            random: Rng::with_seed(seed),
            log: Vec::new(),
            states: Vec::new(),
            script,
        }
    }

    pub(crate) fn join(&mut self, id: PlayerId) {
        self.server.join(id);
        self.log.push((self.server.tick(), Event::Joined(id)));
        let machine = Machine {
            client: Client::new(id, self.rate),
            game: Balls::default(),
            begins: self.network.now(),
            clock: 1.0,
            is_asleep: false,
            frame_length: self.frame_length.unwrap_or(MS * self.random.u32(5..25)),
            next_frame: self.network.now(),
            states: BTreeMap::new(),
        };
        self.machines.insert(id, machine);
    }

    pub(crate) fn leave(&mut self, id: PlayerId) {
        self.server.leave(id);
        self.log.push((self.server.tick(), Event::Left(id)));
        self.machines.remove(&id);
    }

    /// Advances the virtual clock by a millisecond.
    pub(crate) fn pass(&mut self) {
        self.network.advance(MS);
        let now = self.network.now();
        while let Some((from, to, packet)) = self.network.receive_any() {
            match packet {
                Packet::ToServer(message) => self.receive(from, message),
                Packet::ToClient(message) => {
                    if let Some(machine) = self.machines.get_mut(&to).filter(|machine| !machine.is_asleep) {
                        let now = machine.now(now);
                        machine.client.receive(now, message, &mut machine.game);
                    }
                }
            }
        }
        self.run_server();
        let ids: Vec<_> = self.machines.keys().copied().collect();
        for id in ids {
            if let Some(message) = self.run_client(id) {
                self.network.send(id, SERVER, Packet::ToServer(message));
            }
        }
    }

    fn receive(&mut self, id: PlayerId, message: ClientMessage<i8>) {
        if self.machines.contains_key(&id) {
            let accepted = self.server.receive(self.network.now(), id, &message);
            assert_eq!(accepted, Ok(()));
            let ticks = (message.first..).take(message.inputs.len());
            self.received.extend(ticks.map(|tick| (id, tick)));
            self.log.push((self.server.tick(), Event::Message(id, message)));
        }
    }

    fn run_server(&mut self) {
        let now = self.network.now();
        if self.server.frame(now).step_count() == 0 {
            return;
        }
        self.states.push(self.server.game().bytes());
        assert_eq!(self.states.len() as u64, self.server.tick());
        for id in self.server.inbox().players() {
            if let Some(message) = self.server.message(now, id) {
                self.network.send(SERVER, id, Packet::ToClient(message));
            }
        }
    }

    fn run_client(&mut self, id: PlayerId) -> Option<ClientMessage<i8>> {
        let (now, script) = (self.network.now(), self.script);
        let machine = self.machines.get_mut(&id)?;
        if now < machine.next_frame || machine.is_asleep {
            return None;
        }
        machine.next_frame = now + machine.frame_length;
        machine.game.glide(machine.frame_length);
        let read = |tick| script(id, tick);
        let now = machine.now(now);
        let _ = machine.client.frame(now, &mut machine.game, read);
        machine.states.insert(machine.client.tick(), machine.game.bytes());
        machine.client.message()
    }

    /// Advances the time until a condition holds, for a limited number of seconds.
    pub(crate) fn until(&mut self, what: &str, seconds: u64, mut holds: impl FnMut(&Self) -> bool) {
        let end = self.network.now() + Duration::from_secs(seconds);
        while !holds(self) {
            assert!(self.network.now() < end, "never: {what}");
            self.pass();
        }
    }

    /// The ticks from `from` on at which a client predicted another state than the server computed.
    pub(crate) fn differences(&self, id: PlayerId, from: Tick) -> Vec<Tick> {
        let states = self.machines[&id].states.range(from.max(1)..);
        let known = states.filter(|(tick, _)| **tick <= self.states.len() as u64);
        let wrong = known.filter(|(tick, state)| self.states[**tick as usize - 1] != **state);
        wrong.map(|(tick, _)| *tick).collect()
    }
}

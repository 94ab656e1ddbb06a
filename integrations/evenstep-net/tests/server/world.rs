//! A server, its clients and the network between them, on a virtual clock.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Rate, SimTime, Tick};
use evenstep_net::{Client, ClientMessage, Echo, Inbox, Outbox, PlayerId, Server};
use fastrand::Rng;
use simulated_network::{LinkConditions, SimulatedNetwork};

use crate::balls::Balls;
use crate::model::{InboxEvent, Log};

pub(crate) const RATE: Rate = Rate::hz(60);
const MS: Duration = Duration::from_millis(1);

pub(crate) struct Machine {
    pub(crate) client: Client<Balls>,
    pub(crate) game: Balls,
    /// When the machine starts, on the virtual clock; the machine's own clock starts then.
    begins: Duration,
    frame_length: Duration,
    next_frame: Duration,
    pub(crate) frame: Option<Frame>,
    /// The game's states after each tick, as last predicted.
    pub(crate) states: BTreeMap<Tick, Vec<u8>>,
}

/// The server's address on the network; clients have their player's.
const SERVER: PlayerId = PlayerId::MAX;

pub(crate) struct World {
    pub(crate) network: SimulatedNetwork<PlayerId, Vec<u8>>,
    pub(crate) server: Server<Balls>,
    /// Events since the server's last tick.
    inbox: Inbox<i8>,
    outbox: Outbox,
    /// Messages that the inbox dropped.
    pub(crate) flooding: u64,
    /// Inputs that have arrived at the server's machine, by player and tick.
    pub(crate) received: BTreeSet<(PlayerId, Tick)>,
    rate: Rate,
    timestep: FixedTimestep,
    simulated: Duration,
    last_heard_from: BTreeMap<PlayerId, (u64, Duration)>,
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
            server: Server::new(Balls::default(), rate).unwrap(),
            inbox: Inbox::new(),
            outbox: Outbox::new(),
            flooding: 0,
            received: BTreeSet::new(),
            rate,
            timestep: FixedTimestep::new(rate),
            simulated: Duration::ZERO,
            last_heard_from: BTreeMap::new(),
            machines: BTreeMap::new(),
            frame_length: None,
            random: Rng::with_seed(seed),
            log: Vec::new(),
            states: Vec::new(),
            script,
        }
    }

    fn handle(&mut self, event: InboxEvent) {
        match &event {
            InboxEvent::Joined(id) => {
                self.inbox.join(*id);
                self.outbox.join(*id);
            }
            InboxEvent::Left(id) => {
                self.inbox.leave(*id);
                self.outbox.leave(*id);
            }
            InboxEvent::Message(id, message) => {
                self.outbox.receive(*id, message);
                let is_kept = self.inbox.push(*id, message.clone(), SimTime::at(self.simulated));
                self.flooding += u64::from(!is_kept);
                let ticks = (message.first..).take(message.inputs.len());
                self.received.extend(ticks.map(|tick| (*id, tick)));
            }
        }
        self.log.push((self.server.tick(), event));
    }

    pub(crate) fn join(&mut self, id: PlayerId) {
        self.handle(InboxEvent::Joined(id));
        let machine = Machine {
            client: Client::new(id, self.rate),
            game: Balls::default(),
            begins: self.network.now(),
            frame_length: self.frame_length.unwrap_or(MS * self.random.u32(5..25)),
            next_frame: self.network.now(),
            frame: None,
            states: BTreeMap::new(),
        };
        self.machines.insert(id, machine);
    }

    pub(crate) fn leave(&mut self, id: PlayerId) {
        self.handle(InboxEvent::Left(id));
        self.machines.remove(&id);
        self.last_heard_from.remove(&id);
    }

    /// Advances the virtual clock by a millisecond.
    pub(crate) fn pass(&mut self) {
        self.network.advance(MS);
        let now = self.network.now();
        while let Some((from, to, bytes)) = self.network.receive_any() {
            if to == SERVER {
                self.receive(from, &bytes);
            } else if let Some(machine) = self.machines.get_mut(&to) {
                machine.client.receive(now - machine.begins, &bytes, &mut machine.game);
            }
        }
        self.run_server();
        let ids: Vec<_> = self.machines.keys().copied().collect();
        for id in ids {
            if let Some(message) = self.run_client(id) {
                self.network.send(id, SERVER, message);
            }
        }
    }

    fn receive(&mut self, id: PlayerId, bytes: &[u8]) {
        if self.machines.contains_key(&id) {
            let message = ClientMessage::decode(bytes).expect("it was encoded");
            self.last_heard_from.insert(id, (message.sent, self.network.now()));
            self.handle(InboxEvent::Message(id, message));
        }
    }

    fn run_server(&mut self) {
        let frame = self.timestep.advance(MS);
        self.simulated = frame.current_time().to_duration() + frame.overstep().to_duration();
        for step in frame.steps() {
            self.server.receive_all(&mut self.inbox);
            self.server.step(&step);
            self.states.push(self.server.game().bytes());
            let snapshot = self.server.snapshot();
            for id in self.machines.keys().copied().collect::<Vec<_>>() {
                let echo = self.last_heard_from.get(&id).map(|(sent, received)| Echo {
                    sent: *sent,
                    received: received.as_nanos() as u64,
                    replied: self.network.now().as_nanos() as u64,
                    simulated: self.simulated.as_nanos() as u64,
                });
                for message in self.outbox.messages(&snapshot, id, echo) {
                    self.network.send(SERVER, id, message);
                }
            }
        }
    }

    fn run_client(&mut self, id: PlayerId) -> Option<Vec<u8>> {
        let (now, script) = (self.network.now(), self.script);
        let machine = self.machines.get_mut(&id)?;
        if now < machine.next_frame {
            return None;
        }
        machine.next_frame += machine.frame_length;
        machine.game.glide(machine.frame_length);
        let read = |tick| script(id, tick);
        let frame = machine.client.frame(now - machine.begins, &mut machine.game, read);
        machine.frame = Some(frame);
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

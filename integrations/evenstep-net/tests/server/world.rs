//! A server, its clients and the network between them, on a virtual clock.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Rate, SimTime, Tick};
use evenstep_net::{Client, ClientMessage, Echo, Inbox, PlayerId, Server};

use crate::balls::Balls;
use crate::model::{InboxEvent, Log};

pub(crate) const RATE: Rate = Rate::hz(60);
const MS: Duration = Duration::from_millis(1);

/// A random number generator (S. Vigna, splitmix64, 2015).
#[derive(Clone, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) % below
    }
}

/// The properties of a network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quality {
    pub(crate) delay: u64,
    pub(crate) jitter: u64,
    /// In percent.
    pub(crate) lost: u64,
    /// In percent.
    pub(crate) doubled: u64,
}

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

enum Packet {
    ToServer(PlayerId, Vec<u8>),
    ToClient(PlayerId, Vec<u8>),
}

pub(crate) struct World {
    pub(crate) now: Duration,
    pub(crate) server: Server<Balls>,
    /// Events since the server's last tick.
    inbox: Inbox<i8>,
    /// Messages that the inbox dropped.
    pub(crate) flooding: u64,
    /// Inputs that have arrived at the server's machine, by player and tick.
    pub(crate) received: BTreeSet<(PlayerId, Tick)>,
    rate: Rate,
    timestep: FixedTimestep,
    simulated: Duration,
    heard: BTreeMap<PlayerId, (u64, Duration)>,
    pub(crate) machines: BTreeMap<PlayerId, Machine>,
    pub(crate) quality: Quality,
    /// The frame time of clients; random for each client if `None`.
    pub(crate) frame_length: Option<Duration>,
    dice: Dice,
    wire: BTreeMap<(Duration, u64), Packet>,
    sent: u64,
    pub(crate) log: Log,
    /// The server's states after each tick.
    pub(crate) states: Vec<Vec<u8>>,
    /// A player's input for a tick.
    pub(crate) script: fn(PlayerId, Tick) -> i8,
}

impl World {
    pub(crate) fn new(seed: u64, quality: Quality, script: fn(PlayerId, Tick) -> i8) -> Self {
        Self::at(RATE, seed, quality, script)
    }

    pub(crate) fn at(rate: Rate, seed: u64, quality: Quality, script: fn(PlayerId, Tick) -> i8) -> Self {
        Self {
            now: Duration::ZERO,
            server: Server::new(Balls::default(), rate).unwrap(),
            inbox: Inbox::new(),
            flooding: 0,
            received: BTreeSet::new(),
            rate,
            timestep: FixedTimestep::new(rate),
            simulated: Duration::ZERO,
            heard: BTreeMap::new(),
            machines: BTreeMap::new(),
            quality,
            frame_length: None,
            dice: Dice(seed),
            wire: BTreeMap::new(),
            sent: 0,
            log: Vec::new(),
            states: Vec::new(),
            script,
        }
    }

    fn tell(&mut self, told: InboxEvent) {
        match &told {
            InboxEvent::Joined(id) => self.inbox.join(*id),
            InboxEvent::Left(id) => self.inbox.leave(*id),
            InboxEvent::Message(id, message) => {
                let is_kept = self.inbox.push(*id, message.clone(), SimTime::at(self.simulated));
                self.flooding += u64::from(!is_kept);
                let ticks = (message.first..).take(message.inputs.len());
                self.received.extend(ticks.map(|tick| (*id, tick)));
            }
        }
        self.log.push((self.server.tick(), told));
    }

    pub(crate) fn join(&mut self, id: PlayerId) {
        self.tell(InboxEvent::Joined(id));
        let machine = Machine {
            client: Client::new(id, self.rate),
            game: Balls::default(),
            begins: self.now,
            frame_length: self.frame_length.unwrap_or(MS * (5 + self.dice.next(20) as u32)),
            next_frame: self.now,
            frame: None,
            states: BTreeMap::new(),
        };
        self.machines.insert(id, machine);
    }

    pub(crate) fn leave(&mut self, id: PlayerId) {
        self.tell(InboxEvent::Left(id));
        self.machines.remove(&id);
        self.heard.remove(&id);
    }

    fn send(&mut self, packet: impl Fn() -> Packet) {
        let copies = 1 + u64::from(self.dice.next(100) < self.quality.doubled);
        for _ in 0..copies {
            if self.dice.next(100) >= self.quality.lost {
                let delay = self.quality.delay + self.dice.next(self.quality.jitter + 1);
                self.sent += 1;
                let key = (self.now + MS * delay as u32, self.sent);
                self.wire.insert(key, packet());
            }
        }
    }

    /// Advances the virtual clock by a millisecond.
    pub(crate) fn pass(&mut self) {
        self.now += MS;
        while let Some(entry) = self.wire.first_entry().filter(|entry| entry.key().0 <= self.now) {
            match entry.remove() {
                Packet::ToServer(id, bytes) => self.hear(id, &bytes),
                Packet::ToClient(id, bytes) => {
                    if let Some(machine) = self.machines.get_mut(&id) {
                        let now = self.now - machine.begins;
                        machine.client.receive(now, &bytes, &mut machine.game);
                    }
                }
            }
        }
        self.run_server();
        let ids: Vec<_> = self.machines.keys().copied().collect();
        for id in ids {
            if let Some(message) = self.run_client(id) {
                self.send(|| Packet::ToServer(id, message.clone()));
            }
        }
    }

    fn hear(&mut self, id: PlayerId, bytes: &[u8]) {
        if self.machines.contains_key(&id) {
            let message = ClientMessage::decode(bytes).expect("it was encoded");
            self.heard.insert(id, (message.sent, self.now));
            self.tell(InboxEvent::Message(id, message));
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
                let echo = self.heard.get(&id).map(|(sent, received)| Echo {
                    sent: *sent,
                    received: received.as_nanos() as u64,
                    replied: self.now.as_nanos() as u64,
                    simulated: self.simulated.as_nanos() as u64,
                });
                for message in snapshot.messages(id, echo) {
                    self.send(|| Packet::ToClient(id, message.clone()));
                }
            }
        }
    }

    fn run_client(&mut self, id: PlayerId) -> Option<Vec<u8>> {
        let (now, script) = (self.now, self.script);
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
        let end = self.now + Duration::from_secs(seconds);
        while !holds(self) {
            assert!(self.now < end, "never: {what}");
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

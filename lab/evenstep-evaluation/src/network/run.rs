//! Runs two machines and the network between them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use evenstep::Tick;

use crate::network::machine::{Log, Loop, Machine};
use crate::network::packet::Packet;
use crate::network::route::{SECONDS, Traffic};
use crate::network::rule::{Authority, Rule};
use crate::network::rules::SyncRule;
use crate::network::world::Network;

const CLIENT: usize = 0;
const SERVER: usize = 1;

/// The events of both machines.
pub(super) struct Run {
    pub(super) client: Log,
    pub(super) server: Log,
}

/// Two machines and the packets in flight between them.
struct World {
    machines: [Machine; 2],
    routes: [Traffic; 2],
    /// The time and the number of each event.
    due: BinaryHeap<Reverse<(u64, u64)>>,
    events: BTreeMap<u64, Event>,
    count: u64,
}

enum Event {
    Frame(usize),
    Arrival(usize, Packet),
}

impl World {
    fn at(&mut self, time: u64, event: Event) {
        self.due.push(Reverse((time, self.count)));
        self.events.insert(self.count, event);
        self.count += 1;
    }

    fn send(&mut self, from: usize, at: u64, packet: Packet) {
        if let Some(arrival) = self.routes[from].arrival(at) {
            self.at(arrival, Event::Arrival(1 - from, packet));
        }
    }

    fn run(&mut self) {
        for machine in [CLIENT, SERVER] {
            let first = self.machines[machine].next_frame();
            self.at(first, Event::Frame(machine));
        }
        while let Some(Reverse((now, number))) = self.due.pop() {
            if now > (SECONDS * 1e9) as u64 {
                return;
            }
            match self.events.remove(&number) {
                Some(Event::Frame(machine)) => {
                    for packet in self.machines[machine].run_frame(now) {
                        self.send(machine, now, packet);
                    }
                    let next = self.machines[machine].next_frame().max(now + 1);
                    self.at(next, Event::Frame(machine));
                }
                Some(Event::Arrival(machine, packet)) => {
                    if let Some(answer) = self.machines[machine].arrive(now, packet) {
                        self.send(machine, now, answer);
                    }
                }
                None => {}
            }
        }
    }
}

impl Network {
    /// Runs a minute of two machines that keep in step by a rule.
    pub(super) fn run(&self, rule: SyncRule) -> Run {
        let delay = if rule.is_between_peers() { self.input_delay() } else { 0 };
        let client = Loop {
            begins: (self.back.base_ms() * 1e6) as u64,
            hz: self.display_hz,
            jitter_ms: self.frame_jitter_ms,
            clock: 1.0 + self.drift_ppm / 1e6,
            reads_at_frames: true,
        };
        let (server, server_rule) = self.server(rule, delay);
        let machines = [
            Machine::new(self.rate, client, rule.start(self.rate, delay), delay, self.seed ^ 1),
            Machine::new(self.rate, server, server_rule, delay, self.seed ^ 2),
        ];
        let routes = [
            Traffic::new(&self.there, self.seed ^ 3),
            Traffic::new(&self.back, self.seed ^ 4),
        ];
        let mut world = World {
            machines,
            routes,
            due: BinaryHeap::new(),
            events: BTreeMap::new(),
            count: 0,
        };
        world.run();
        let [client, server] = world.machines.map(|machine| machine.log);
        Run { client, server }
    }

    /// A server reads packets when they arrive, and steps to a quarter of a tick; a peer is like the client.
    fn server(&self, rule: SyncRule, delay: Tick) -> (Loop, Box<dyn Rule>) {
        let server = Loop {
            begins: 0,
            hz: 4.0 * self.rate.as_hz_f64(),
            jitter_ms: 0.0,
            clock: 1.0,
            reads_at_frames: false,
        };
        if rule.is_between_peers() {
            let peer = Loop {
                hz: self.display_hz,
                jitter_ms: self.frame_jitter_ms,
                reads_at_frames: true,
                ..server
            };
            return (peer, rule.start(self.rate, delay));
        }
        let first = (self.head_start * self.rate.as_hz_f64()) as Tick;
        (server, Box::new(Authority { first }))
    }

    /// The input delay that a game would set for this network: half of the initial ping, plus two ticks.
    fn input_delay(&self) -> Tick {
        let round_trip = self.there.base_ms() + self.back.base_ms();
        (round_trip / 2e3 * self.rate.as_hz_f64()).ceil() as Tick + 2
    }
}

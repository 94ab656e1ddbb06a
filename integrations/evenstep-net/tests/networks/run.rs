//! Runs two machines and the network between them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use evenstep::Tick;
use evenstep_net::TickSync;

use crate::machine::{Log, Loop, Machine, Ticks};
use crate::packet::Packet;
use crate::route::{SECONDS, Traffic};
use crate::world::Network;

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
    /// Runs a minute of a server and a client that follows it. The server reads packets when they arrive, and steps to a quarter of a tick.
    pub(super) fn run(&self) -> Run {
        let client = Loop {
            begins: (self.back.base_ms() * 1e6) as u64,
            hz: self.display_hz,
            jitter_ms: self.frame_jitter_ms,
            clock: 1.0 + self.drift_ppm / 1e6,
            reads_at_frames: true,
        };
        let server = Loop {
            begins: 0,
            hz: 4.0 * self.rate.as_hz_f64(),
            jitter_ms: 0.0,
            clock: 1.0,
            reads_at_frames: false,
        };
        let follows = Ticks::Client(Box::new(TickSync::new(self.rate)));
        let leads = Ticks::Server((self.head_start * self.rate.as_hz_f64()) as Tick);
        let machines = [
            Machine::new(self.rate, client, follows, self.seed ^ 1),
            Machine::new(self.rate, server, leads, self.seed ^ 2),
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
}

//! A simulated client, server and network on a virtual clock, for the laws of `TickSync`.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, SimTime, Tick, TimeScale};
use evenstep_net::{InputReport, Pong, TickJump, TickSync};
use proptest::prelude::*;
use simulated_network::{Jitter, LinkConditions, SimulatedNetwork};

pub(crate) const RATE: u32 = 60;

/// A millisecond of the world: every event lies on this grid.
pub(crate) const MS: i64 = 1_000_000;

/// The client's frames.
const FRAME_MS: i64 = 7;

/// A network: how long packets take each way, in milliseconds, with this much random jitter on top, and how fast the client's clock is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Network {
    pub(crate) there: i64,
    pub(crate) back: i64,
    pub(crate) jitter: i64,
    pub(crate) ppm: i64,
}

pub(crate) fn any_network() -> impl Strategy<Value = Network> {
    (1..120_i64, 1..120_i64, 0..12_i64, -200..=200_i64).prop_map(|(there, back, jitter, ppm)| Network {
        there,
        back,
        jitter,
        ppm,
    })
}

#[derive(Clone)]
enum Packet {
    Input(Tick),
    Ping(Duration),
    Pong(Pong),
    Report(InputReport),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Machine {
    Client,
    Server,
}

/// A server that began 50 s ago, a client, and the messages in flight.
pub(crate) struct World {
    rate: u32,
    pub(crate) network: Network,
    packets: SimulatedNetwork<Machine, Packet>,
    /// In milliseconds.
    now: i64,
    /// The server's simulated time in nanoseconds.
    pub(crate) server: i64,
    /// In percent of real time.
    pub(crate) server_speed: i64,
    /// The scale of the game at each tick, the same for both.
    pub(crate) game: fn(Tick) -> TimeScale,
    pub(crate) sync: TickSync,
    pub(crate) timestep: FixedTimestep,
    /// How early inputs were, in milliseconds of real time, with the millisecond of their arrival.
    pub(crate) early: Vec<(i64, f64)>,
    pub(crate) jumps: Vec<(i64, TickJump)>,
    pub(crate) slews: Vec<(i64, f64)>,
    pub(crate) last_tick: Tick,
    /// How many reports counted.
    pub(crate) believed: u32,
}

impl World {
    pub(crate) fn new(network: Network) -> Self {
        Self::at(RATE, network)
    }

    /// At another number of ticks a second.
    pub(crate) fn at(rate: u32, network: Network) -> Self {
        Self {
            rate,
            network,
            packets: SimulatedNetwork::new(1, LinkConditions::default()),
            now: 0,
            server: 50_000 * MS,
            server_speed: 100,
            game: |_| TimeScale::NORMAL,
            sync: TickSync::new(Rate::hz(rate)),
            timestep: FixedTimestep::new(Rate::hz(rate)),
            early: Vec::new(),
            jumps: Vec::new(),
            slews: Vec::new(),
            last_tick: 0,
            believed: 0,
        }
    }

    /// Sends a packet to a machine from the other one. The network may have changed since the last one.
    fn send(&mut self, to: Machine, packet: Packet) {
        let (from, delay) = match to {
            Machine::Server => (Machine::Client, self.network.there),
            Machine::Client => (Machine::Server, self.network.back),
        };
        let milliseconds = |ms: i64| Duration::from_millis(ms as u64);
        let conditions = LinkConditions {
            delay: milliseconds(delay),
            jitter: Jitter::Uniform(milliseconds(self.network.jitter)),
            ..LinkConditions::default()
        };
        self.packets.set_link(from, to, conditions);
        self.packets.send(from, to, packet);
    }

    pub(crate) fn clock(&self) -> Duration {
        Duration::from_nanos((self.now * (1_000_000 + self.network.ppm)) as u64)
    }

    fn server_scale(&self) -> TimeScale {
        (self.game)((self.server as u64 * u64::from(self.rate) / 1_000_000_000) as Tick)
    }

    /// Runs until this many milliseconds have passed in all.
    pub(crate) fn run_until(&mut self, end: i64) {
        while self.now < end {
            self.now += 1;
            let scale = self.server_scale();
            self.server += MS * i64::from(scale.numer()) * self.server_speed / 100 / i64::from(scale.denom());
            self.packets.advance(Duration::from_millis(1));
            while let Some((_, _, packet)) = self.packets.receive_any() {
                self.arrive(packet);
            }
            if self.now % FRAME_MS == 0 {
                self.frame();
            }
            if self.now % 100 == 0 {
                self.send(Machine::Server, Packet::Ping(self.clock()));
            }
        }
    }

    fn arrive(&mut self, packet: Packet) {
        let simulated = Duration::from_nanos(self.server as u64);
        match packet {
            Packet::Input(tick) => {
                let scale = self.server_scale();
                if let Some(report) = InputReport::on_arrival(tick, Rate::hz(self.rate), SimTime::at(simulated), scale)
                {
                    self.early.push((self.now, report.early as f64 / 1e6));
                    self.send(Machine::Client, Packet::Report(report));
                }
            }
            Packet::Ping(sent) => {
                let at = Duration::from_millis(self.now as u64 + 7_777);
                let pong = Pong {
                    sent,
                    received: at,
                    replied: at,
                    arrived: Duration::ZERO,
                    simulated,
                };
                self.send(Machine::Client, Packet::Pong(pong));
            }
            Packet::Pong(pong) => {
                let arrived = self.clock();
                self.sync.observe_pong(Pong { arrived, ..pong });
            }
            Packet::Report(report) => {
                self.believed += u32::from(self.sync.observe_input(report));
            }
        }
    }

    fn frame(&mut self) {
        let delta = Duration::from_nanos((FRAME_MS * (1_000_000 + self.network.ppm)) as u64);
        let frame = self.timestep.advance(delta);
        for step in frame.steps() {
            if let Some(tick) = self.sync.tick(step.tick) {
                assert!(tick > self.last_tick, "{tick} after {}", self.last_tick);
                self.last_tick = tick;
                self.send(Machine::Server, Packet::Input(tick));
            }
        }
        let game = (self.game)(self.last_tick + 1);
        let adjustment = self.sync.advance(self.clock(), frame.tick(), frame.overstep(), game);
        assert_eq!(Some(adjustment.speed), game.checked_mul(adjustment.slew));
        self.slews.push((self.now, adjustment.slew.as_f64()));
        self.jumps.extend(adjustment.jump.map(|jump| (self.now, jump)));
        self.timestep.set_time_scale(adjustment.speed);
    }

    /// The least and the largest of how early inputs were since a millisecond.
    pub(crate) fn early_since(&self, since: i64) -> (f64, f64) {
        let early = self
            .early
            .iter()
            .filter(|(at, _)| *at >= since)
            .map(|(_, early)| *early);
        early.fold((f64::MAX, f64::MIN), |(least, most), early| {
            (least.min(early), most.max(early))
        })
    }
}

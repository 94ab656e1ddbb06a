//! One of the two machines: its frame loop, its clock and its end of the connection.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Rate, SimTime, Tick, TimeScale};
use evenstep_net::{InputReport, Pong, TickSync};
use fastrand::Rng;

use crate::packet::Packet;

/// The number of inputs in each packet, and of reports.
const INPUTS: usize = 10;
const REPORTS: usize = 16;

/// The interval between pings.
const PING: Duration = Duration::from_millis(100);

/// The frames of a machine, and its clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    pub(super) begins: u64,
    pub(super) hz: f64,
    /// The median lateness of frames in milliseconds.
    pub(super) jitter_ms: f64,
    /// The speed of the clock.
    pub(super) clock: f64,
    /// Whether packets are read at the next frame, or when they arrive.
    pub(super) reads_at_frames: bool,
}

/// How a machine's ticks relate to those of the server.
pub(super) enum Ticks {
    /// A client, which follows the server.
    Client(Box<TickSync>),
    /// The server, which began at this tick.
    Server(Tick),
}

impl Ticks {
    /// Converts a local tick to the tick that both machines share; `None` before that is known.
    fn shared(&self, local: Tick) -> Option<Tick> {
        match self {
            Self::Client(sync) => sync.tick(local),
            Self::Server(first) => Some(first + local),
        }
    }
}

/// A machine: its loop, its timestep, and its ticks. Times of the world are in nanoseconds.
pub(super) struct Machine {
    plan: Loop,
    random: Rng,
    frames: u64,
    timestep: FixedTimestep,
    ticks: Ticks,
    read: Duration,
    frame: Option<Frame>,
    inbox: Vec<Packet>,
    inputs: VecDeque<Tick>,
    reports: VecDeque<InputReport>,
    last_ping: Option<Duration>,
    pub(super) log: Log,
}

/// The events of a machine.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// Ticks, and when they were stepped.
    pub(super) stepped: Vec<(Tick, u64)>,
    /// Inputs of the other machine, and when they arrived first.
    pub(super) arrived: BTreeMap<Tick, u64>,
    /// Frames, and the simulated time that they showed, in seconds.
    pub(super) shown: Vec<(u64, f64)>,
}

impl Machine {
    pub(super) fn new(rate: Rate, plan: Loop, ticks: Ticks, seed: u64) -> Self {
        Self {
            plan,
            random: Rng::with_seed(seed),
            frames: 0,
            timestep: FixedTimestep::new(rate),
            ticks,
            read: Duration::ZERO,
            frame: None,
            inbox: Vec::new(),
            inputs: VecDeque::new(),
            reports: VecDeque::new(),
            last_ping: None,
            log: Log::default(),
        }
    }

    /// The machine's own clock.
    fn clock(&self, at: u64) -> Duration {
        Duration::from_secs(100) + Duration::from_nanos(at).mul_f64(self.plan.clock)
    }

    /// The time of the next frame.
    pub(super) fn next_frame(&mut self) -> u64 {
        let jitter = self.plan.jitter_ms * -(1.0 - self.random.f64()).log2();
        let jitter = jitter.min(0.9e3 / self.plan.hz);
        let at = self.plan.begins + ((self.frames as f64 / self.plan.hz + jitter / 1e3) * 1e9) as u64;
        self.frames += 1;
        at
    }

    /// The simulated time that both machines share; `None` before it is known.
    fn simulated(&self, at: u64) -> Option<Duration> {
        let frame = self.frame?;
        let since = self.clock(at).saturating_sub(self.read);
        let first = self.ticks.shared(frame.tick())?;
        let time = SimTime::at_tick(first, self.timestep.rate()) + frame.overstep();
        Some(time.to_duration() + since.mul_f64(self.timestep.time_scale().as_f64()))
    }

    /// A packet arrives. Returns the packet that is sent back at once.
    pub(super) fn arrive(&mut self, at: u64, mut packet: Packet) -> Option<Packet> {
        for tick in &packet.inputs {
            self.note_input(*tick, at);
        }
        if self.plan.reads_at_frames {
            self.inbox.push(packet);
            return None;
        }
        self.read(at, &mut packet)
    }

    fn note_input(&mut self, tick: Tick, at: u64) {
        if self.log.arrived.contains_key(&tick) {
            return;
        }
        self.log.arrived.insert(tick, at);
        let simulated = self.simulated(at).map(SimTime::at);
        let report =
            simulated.and_then(|now| InputReport::on_arrival(tick, self.timestep.rate(), now, TimeScale::NORMAL));
        self.reports.extend(report);
        if self.reports.len() > REPORTS {
            self.reports.pop_front();
        }
    }

    fn read(&mut self, at: u64, packet: &mut Packet) -> Option<Packet> {
        let now = self.clock(at);
        if let Some(mut pong) = packet.pong.take() {
            pong.arrived = now;
            if let Ticks::Client(sync) = &mut self.ticks {
                sync.observe_pong(pong);
            }
        }
        if let Ticks::Client(sync) = &mut self.ticks {
            packet.reports.iter().for_each(|report| _ = sync.observe_input(*report));
        }
        let pong = Pong {
            sent: packet.ping?,
            received: now,
            replied: now,
            arrived: Duration::ZERO,
            simulated: self.simulated(at).unwrap_or_default(),
        };
        Some(Packet {
            pong: Some(pong),
            ..Packet::default()
        })
    }

    /// A frame: reads packets, steps, and returns the packet that is sent.
    pub(super) fn run_frame(&mut self, at: u64) -> Vec<Packet> {
        let now = self.clock(at);
        let inbox = std::mem::take(&mut self.inbox);
        let mut sent: Vec<Packet> = inbox
            .into_iter()
            .filter_map(|mut packet| self.read(at, &mut packet))
            .collect();
        let delta = if self.frame.is_some() {
            now - self.read
        } else {
            Duration::ZERO
        };
        let frame = self.timestep.advance(delta);
        let mut steps = 0;
        for step in frame.steps() {
            if let Some(tick) = self.ticks.shared(step.tick) {
                self.log.stepped.push((tick, at));
                self.inputs.push_back(tick);
                steps += 1;
            }
        }
        while self.inputs.len() > INPUTS {
            self.inputs.pop_front();
        }
        (self.read, self.frame) = (now, Some(frame));
        if let Ticks::Client(sync) = &mut self.ticks {
            let adjustment = sync.advance(now, frame.tick(), frame.overstep(), TimeScale::NORMAL);
            self.timestep.set_time_scale(adjustment.speed);
        }
        if let Some(shown) = self.simulated(at) {
            self.log.shown.push((at, shown.as_secs_f64()));
        }
        let ping = self.ping(now);
        if steps > 0 || ping.is_some() {
            sent.push(Packet {
                inputs: self.inputs.iter().copied().collect(),
                ping,
                pong: None,
                reports: self.reports.iter().copied().collect(),
            });
        }
        sent
    }

    fn ping(&mut self, now: Duration) -> Option<Duration> {
        let is_due = self.last_ping.is_none_or(|last| now - last >= PING);
        is_due.then(|| *self.last_ping.insert(now))
    }
}

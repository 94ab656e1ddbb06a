use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use evenstep::thread::{SimStats, SimThread, SimThreadError, Simulation, StepInput, View};
use evenstep::{FixedTimestep, SimTime, Step, Tick};
use renetcode::ServerConfig;

use crate::counts::Counts;
use crate::game::{Game, PlayerId};
use crate::gate::{Gate, Passed};
use crate::message::{Echo, FromClient};
use crate::packet::{DATAGRAM_BYTES, GOODBYES};
use crate::server::{Server, Snapshot};

/// A packet is waited for so long at most before the host looks for a new tick.
const LISTEN: Duration = Duration::from_millis(1);

/// A [`Server`] on a UDP socket: the game steps on a [`SimThread`], and a thread beside it receives and sends.
///
/// The socket's thread reads each datagram as soon as it can, and drops what the [`Gate`] refuses. At most eight messages of a player and
/// 1024 in all reach a tick. So the work of a tick is bounded whatever arrives, and what is too much is counted in the [report](Self::report).
///
/// Dropping it stops it.
#[derive(Debug)]
pub struct Host {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Result<(), HostError>>>,
}

#[derive(Debug, Default)]
struct Shared {
    stops: AtomicBool,
    report: Mutex<HostReport>,
}

/// How a [`Host`] is doing, as of its last tick.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostReport {
    /// How many ticks were run.
    pub tick: Tick,
    /// How the simulation is doing: what time it lost, how late its last tick was.
    pub simulation: SimStats,
    /// What was counted in all.
    pub total: Counts,
    /// What was counted of each player that is there.
    pub players: BTreeMap<PlayerId, Counts>,
}

/// Why a [`Host`] is no more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// There is no thread or no socket.
    #[error("the host's socket or thread: {0}; bind another port, or look at the system's limits")]
    Io(#[from] io::Error),
    /// The game panicked.
    #[error(transparent)]
    Simulation(#[from] SimThreadError),
}

/// What the simulation is told.
enum Event<P> {
    Joined(PlayerId),
    Left(PlayerId),
    Message(PlayerId, FromClient<P>, SimTime),
}

struct Simulated<G: Game>(Server<G>);

impl<G: Game> Simulation for Simulated<G> {
    type Input = Event<G::Player>;
    type Snapshot = Arc<Snapshot>;

    fn step(&mut self, step: &Step, input: &mut StepInput<'_, Event<G::Player>>) {
        for event in input {
            match event {
                Event::Joined(id) => self.0.join(id),
                Event::Left(id) => self.0.leave(id),
                Event::Message(id, message, simulated) => self.0.receive(id, &message, simulated),
            }
        }
        self.0.step(step);
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::new(self.0.snapshot())
    }
}

impl Host {
    /// Serves a game on a socket. It is built in its own thread, and steps as the timestep says; let that have an
    /// [overrun policy](evenstep::Overrun) that carries time over, where no tick may be lost.
    ///
    /// # Errors
    ///
    /// If the socket cannot be used or there is no thread.
    pub fn spawn<G: Game + 'static>(
        socket: UdpSocket,
        config: ServerConfig,
        timestep: FixedTimestep,
        build: impl FnOnce() -> G + Send + 'static,
    ) -> Result<Self, HostError> {
        socket.set_read_timeout(Some(LISTEN))?;
        let address = socket.local_addr()?;
        let rate = timestep.rate();
        let simulation = SimThread::spawn(timestep, move || Simulated(Server::new(build(), rate)))?;
        let shared = Arc::new(Shared::default());
        let mut desk = Desk {
            socket,
            gate: Gate::new(config),
            simulation,
            period: rate.period_secs_f64(),
            begin: Instant::now(),
            advanced: Instant::now(),
            tick: 0,
            waiting: VecDeque::new(),
            heard: BTreeMap::new(),
        };
        let of_thread = Arc::clone(&shared);
        let serve = move || desk.serve(&of_thread);
        let thread = Builder::new().name("host".to_owned()).spawn(serve)?;
        Ok(Self {
            address,
            shared,
            thread: Some(thread),
        })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// How it was doing at its last tick.
    #[must_use]
    pub fn report(&self) -> HostReport {
        self.shared
            .report
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Sends all players away, stops, and waits for the threads to end.
    ///
    /// # Errors
    ///
    /// What ended it earlier, if something did.
    pub fn stop(mut self) -> Result<HostReport, HostError> {
        self.join()?;
        Ok(self.report())
    }

    fn join(&mut self) -> Result<(), HostError> {
        self.shared.stops.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        ended.map_or(Ok(()), |ended| ended.unwrap_or(Ok(())))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // Whoever wants to know asks `stop`.
        let _ = self.join();
    }
}

/// What the socket's thread has.
struct Desk<P: Send + 'static> {
    socket: UdpSocket,
    gate: Gate,
    simulation: SimThread<Event<P>, Arc<Snapshot>>,
    /// Seconds that a step takes.
    period: f64,
    begin: Instant,
    /// When the gate was last told the time.
    advanced: Instant,
    /// The tick whose state was sent last.
    tick: Tick,
    /// Who came and went, while the simulation had no room for it.
    waiting: VecDeque<Event<P>>,
    /// Of each player's last message: when it was sent, and when received.
    heard: BTreeMap<PlayerId, (u64, Instant)>,
}

impl<P: Copy + serde::Serialize + serde::de::DeserializeOwned + Send + 'static> Desk<P> {
    fn serve(&mut self, shared: &Shared) -> Result<(), HostError> {
        let mut datagram = vec![0; DATAGRAM_BYTES];
        while !shared.stops.load(Ordering::Relaxed) {
            let now = Instant::now();
            let view = self.simulation.view(now)?;
            if view.tick != self.tick {
                self.tick = view.tick;
                let (snapshot, stats) = (Arc::clone(view.current), view.stats);
                let simulated = simulated_time(&view, self.period);
                self.publish(now, simulated, &snapshot);
                let report = self.report(&snapshot, stats);
                *shared.report.lock().unwrap_or_else(PoisonError::into_inner) = report;
            }
            // What the system says of earlier packets, as that a client's port is closed, is no reason to stop.
            if let Ok((length, from)) = self.socket.recv_from(&mut datagram) {
                self.receive(from, &mut datagram[..length]);
            }
        }
        let ids: Vec<PlayerId> = self.gate.players().map(|(id, _)| id).collect();
        for id in ids {
            let goodbye = self.gate.disconnect(id);
            self.carry_out(goodbye);
        }
        Ok(())
    }

    fn receive(&mut self, from: SocketAddr, datagram: &mut [u8]) {
        let (id, message) = match self.gate.take(from, datagram) {
            Passed::Message(id, message) => (id, FromClient::decode(message)),
            passed => return self.carry_out(passed),
        };
        let Some(message) = message else {
            return self.gate.count(from, |counts| counts.malformed += 1);
        };
        let now = Instant::now();
        let Ok(view) = self.simulation.view(now) else { return };
        let simulated = SimTime::at(simulated_time(&view, self.period));
        self.heard.insert(id, (message.sent, now));
        let told = self.simulation.send(now, Event::Message(id, message, simulated));
        if told.is_err() {
            self.gate.count(from, |counts| counts.flooding += 1);
        }
    }

    /// Sends a packet that the gate asks for, and tells the simulation who came and went.
    fn carry_out(&mut self, passed: Passed<'_>) {
        match passed {
            Passed::Nothing | Passed::Message(..) => return,
            Passed::Reply(address, packet) => return self.send(address, &packet),
            Passed::Joined(id, address, packet) => {
                self.send(address, &packet);
                self.waiting.push_back(Event::Joined(id));
            }
            Passed::Left(id, address, packet) => {
                for packet in packet.iter().cycle().take(GOODBYES) {
                    self.send(address, packet);
                }
                self.heard.remove(&id);
                self.waiting.push_back(Event::Left(id));
            }
        }
        self.tell();
    }

    /// Tells the simulation who came and went, in order, as far as it has room.
    fn tell(&mut self) {
        while let Some(event) = self.waiting.pop_front() {
            if let Err(event) = self.simulation.send(Instant::now(), event) {
                return self.waiting.push_front(event);
            }
        }
    }

    /// After a tick: sends its state to all players.
    fn publish(&mut self, now: Instant, simulated: Duration, snapshot: &Snapshot) {
        let delta = now.saturating_duration_since(self.advanced);
        self.advanced = now;
        for passed in self.gate.advance(delta) {
            self.carry_out(passed);
        }
        self.tell();
        let since = |instant: Instant| instant.saturating_duration_since(self.begin).as_nanos() as u64;
        for id in snapshot.players.keys() {
            let echo = self.heard.get(id).map(|(sent, received)| Echo {
                sent: *sent,
                received: since(*received),
                replied: since(now),
                simulated: simulated.as_nanos() as u64,
            });
            for message in snapshot.messages(*id, echo) {
                if let Some((address, packet)) = self.gate.seal(*id, &message) {
                    // A packet that cannot be sent is lost, as others are.
                    let _ = self.socket.send_to(packet, address);
                }
            }
        }
    }

    fn send(&self, address: SocketAddr, packet: &[u8]) {
        // A packet that cannot be sent is lost, as others are.
        let _ = self.socket.send_to(packet, address);
    }

    fn report(&self, snapshot: &Snapshot, simulation: SimStats) -> HostReport {
        let mut total = self.gate.total();
        total += snapshot.total;
        let mut players = snapshot.players.clone();
        for (id, counts) in self.gate.players() {
            *players.entry(id).or_default() += counts;
        }
        HostReport {
            tick: snapshot.tick,
            simulation,
            total,
            players,
        }
    }
}

/// How much time the simulation has simulated, as seen now.
fn simulated_time<S>(view: &View<'_, S>, period: f64) -> Duration {
    Duration::try_from_secs_f64((view.tick as f64 + view.alpha) * period).unwrap_or_default()
}

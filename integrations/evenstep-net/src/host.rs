use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use evenstep::thread::{SimStats, SimThread, SimThreadError, Simulation, StepInput, View};
use evenstep::{FixedTimestep, SimTime, Step, Tick};
use renetcode::ServerConfig;

use crate::counts::Counts;
use crate::game::{GameError, PlayerId, PredictedGame};
use crate::inbox::Inbox;
use crate::message::{ClientMessage, Echo};
use crate::netcode_filter::{ConfigError, NetcodeFilter, PacketEvent};
use crate::packet::{DATAGRAM_BYTES, DISCONNECT_PACKETS};
use crate::server::{Server, Snapshot};

/// A packet is waited for so long at most before the host looks for a new tick.
const RECEIVE_TIMEOUT: Duration = Duration::from_millis(1);

/// The gate is told the time so often, also while a step takes long.
const FILTER_INTERVAL: Duration = Duration::from_millis(10);

/// A [`Server`] on a UDP socket: the game steps on a [`SimThread`], and a thread beside it receives and sends.
///
/// The socket's thread reads each datagram as soon as it can, and drops what the [`NetcodeFilter`] refuses. Of each player the eight newest
/// messages reach a tick, by an [`Inbox`]. So the work of a tick is bounded whatever arrives, and what is too much is counted in the
/// [report](Self::report).
///
/// If the game panics, all players are sent away and the host is no longer [running](Self::is_running). [`stop`](Self::stop) then
/// answers with what the panic said. Dropping the host stops it.
#[derive(Debug)]
pub struct Host {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Result<(), HostError>>>,
}

#[derive(Debug, Default)]
struct Shared {
    stops: AtomicBool,
    /// Who is to be sent away.
    kicked: Mutex<BTreeSet<PlayerId>>,
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
    /// The game panicked, with this message.
    #[error(transparent)]
    Simulation(#[from] SimThreadError),
    /// Nobody could connect.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The game cannot be played over a network.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// The server in its thread; none if there cannot be one for this game.
struct ServerSimulation<G: PredictedGame> {
    server: Option<Server<G>>,
    inbox: Arc<Mutex<Inbox<G::Player>>>,
}

impl<G: PredictedGame> Simulation for ServerSimulation<G> {
    /// What has come is in the inbox instead, in which nobody takes the room of others.
    type Input = ();
    type Snapshot = Arc<Snapshot>;

    fn step(&mut self, step: &Step, _: &mut StepInput<'_, ()>) {
        if let Some(server) = &mut self.server {
            server.receive_all(&mut lock(&self.inbox));
            server.step(step);
        }
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::new(self.server.as_ref().map(Server::snapshot).unwrap_or_default())
    }
}

/// No thread leaves anything half done when it panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Host {
    /// Serves a game on a socket. It is built in its own thread, and steps as the timestep says; let that have an
    /// [overrun policy](evenstep::Overrun) that carries time over, where no tick may be lost.
    ///
    /// # Errors
    ///
    /// If the socket cannot be used, there is no thread, the game panics while it is built, or nobody could connect or play.
    pub fn spawn<G: PredictedGame + 'static>(
        socket: UdpSocket,
        config: ServerConfig,
        timestep: FixedTimestep,
        build: impl FnOnce() -> G + Send + 'static,
    ) -> Result<Self, HostError> {
        socket.set_read_timeout(Some(RECEIVE_TIMEOUT))?;
        let address = socket.local_addr()?;
        let filter = NetcodeFilter::new(config)?;
        let rate = timestep.rate();
        let inbox = Arc::default();
        let (simulation_inbox, game_error) = (Arc::clone(&inbox), Arc::new(OnceLock::new()));
        let build_error = Arc::clone(&game_error);
        let simulation = SimThread::spawn(timestep, move || {
            let server = Server::new(build(), rate);
            ServerSimulation {
                server: server.map_err(|error| build_error.set(error)).ok(),
                inbox: simulation_inbox,
            }
        })?;
        if let Some(error) = game_error.get() {
            return Err(GameError::clone(error).into());
        }
        let shared = Arc::new(Shared::default());
        let mut socket_loop = SocketLoop {
            socket,
            filter,
            simulation,
            inbox,
            period: rate.period_secs_f64(),
            begin: Instant::now(),
            filter_advanced: Instant::now(),
            published: 0,
            last_messages: BTreeMap::new(),
        };
        let thread_shared = Arc::clone(&shared);
        let serve = move || {
            let ended = socket_loop.serve(&thread_shared);
            socket_loop.disconnect_all();
            ended
        };
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

    /// Whether it serves. If it does not, the game panicked, all players were sent away, and [`stop`](Self::stop) says why.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Sends a player away, in some milliseconds, and tells it so. It comes back only with a new connect token; where there are none,
    /// as it likes. Of one that is not there nothing happens.
    pub fn kick(&self, id: PlayerId) {
        lock(&self.shared.kicked).insert(id);
    }

    /// How it was doing at its last tick.
    #[must_use]
    pub fn report(&self) -> HostReport {
        lock(&self.shared.report).clone()
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
        let Some(thread) = self.thread.take() else {
            return Ok(());
        };
        let panicked = |_| Err(io::Error::other("the host's thread panicked").into());
        thread.join().unwrap_or_else(panicked)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // Whoever wants to know asks `stop`.
        let _ = self.join();
    }
}

/// What the socket's thread has.
struct SocketLoop<P: Send + 'static> {
    socket: UdpSocket,
    filter: NetcodeFilter,
    simulation: SimThread<(), Arc<Snapshot>>,
    inbox: Arc<Mutex<Inbox<P>>>,
    /// Seconds that a step takes.
    period: f64,
    begin: Instant,
    /// When the gate was last told the time.
    filter_advanced: Instant,
    /// The tick whose state was sent last.
    published: Tick,
    /// Of each player's last message: when it was sent, and when received.
    last_messages: BTreeMap<PlayerId, (u64, Instant)>,
}

impl<P: Copy + serde::Serialize + serde::de::DeserializeOwned + Send + 'static> SocketLoop<P> {
    fn serve(&mut self, shared: &Shared) -> Result<(), HostError> {
        let mut datagram = vec![0; DATAGRAM_BYTES];
        while !shared.stops.load(Ordering::Relaxed) {
            let now = Instant::now();
            self.advance(now, shared);
            let view = self.simulation.view(now)?;
            if view.tick != self.published {
                self.published = view.tick;
                let (snapshot, stats) = (Arc::clone(view.current), view.stats);
                let simulated = simulated_time(&view, self.period);
                self.publish(now, simulated, &snapshot);
                *lock(&shared.report) = self.report(&snapshot, stats);
            }
            // What the system says of earlier packets, as that a client's port is closed, is no reason to stop.
            if let Ok((length, from)) = self.socket.recv_from(&mut datagram) {
                self.receive(from, &mut datagram[..length]);
            }
        }
        Ok(())
    }

    fn disconnect_all(&mut self) {
        let ids: Vec<PlayerId> = self.filter.players().map(|(id, _)| id).collect();
        for id in ids {
            let event = self.filter.disconnect(id);
            self.handle(event);
        }
    }

    /// Tells the gate the time, and sends away who is to go.
    fn advance(&mut self, now: Instant, shared: &Shared) {
        let delta = now.saturating_duration_since(self.filter_advanced);
        if delta < FILTER_INTERVAL {
            return;
        }
        self.filter_advanced = now;
        for event in self.filter.advance(delta) {
            self.handle(event);
        }
        let kicked = std::mem::take(&mut *lock(&shared.kicked));
        for id in kicked {
            let event = self.filter.disconnect(id);
            self.handle(event);
        }
    }

    fn receive(&mut self, from: SocketAddr, datagram: &mut [u8]) {
        let (id, message) = match self.filter.receive(from, datagram) {
            PacketEvent::Message(id, message) => (id, ClientMessage::decode(message)),
            event => return self.handle(event),
        };
        let Some(message) = message else {
            return self.filter.count(from, |counts| counts.malformed += 1);
        };
        let now = Instant::now();
        let Ok(view) = self.simulation.view(now) else { return };
        let simulated = SimTime::at(simulated_time(&view, self.period));
        self.last_messages.insert(id, (message.sent, now));
        let is_kept = lock(&self.inbox).push(id, message, simulated);
        if !is_kept {
            self.filter.count(from, |counts| counts.flooding += 1);
        }
    }

    /// Sends a packet that the gate asks for, and tells the simulation who came and went.
    fn handle(&mut self, event: PacketEvent<'_>) {
        match event {
            PacketEvent::Nothing | PacketEvent::Message(..) => {}
            PacketEvent::Reply(address, packet) => self.send(address, &packet),
            PacketEvent::Joined(id, address, packet) => {
                self.send(address, &packet);
                lock(&self.inbox).join(id);
            }
            PacketEvent::Left(id, address, packet) => {
                for packet in packet.iter().cycle().take(DISCONNECT_PACKETS) {
                    self.send(address, packet);
                }
                self.last_messages.remove(&id);
                lock(&self.inbox).leave(id);
            }
        }
    }

    /// After a tick: sends its state to all players.
    fn publish(&mut self, now: Instant, simulated: Duration, snapshot: &Snapshot) {
        let since = |instant: Instant| instant.saturating_duration_since(self.begin).as_nanos() as u64;
        for id in snapshot.players.keys() {
            let echo = self.last_messages.get(id).map(|(sent, received)| Echo {
                sent: *sent,
                received: since(*received),
                replied: since(now),
                simulated: simulated.as_nanos() as u64,
            });
            for message in snapshot.messages(*id, echo) {
                if let Some((address, packet)) = self.filter.seal(*id, &message) {
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
        let mut total = self.filter.total();
        total += snapshot.total;
        let mut players = snapshot.players.clone();
        for (id, counts) in self.filter.players() {
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

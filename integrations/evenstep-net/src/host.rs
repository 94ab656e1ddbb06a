//! A server on a UDP socket: one thread runs the game, another sends and receives.

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
use crate::outbox::Outbox;
use crate::packet::{DATAGRAM_BYTES, DISCONNECT_PACKETS};
use crate::server::{Server, Snapshot};

/// The longest wait for a packet before the socket loop looks for a new tick.
const RECEIVE_TIMEOUT: Duration = Duration::from_millis(1);

/// The interval at which the netcode filter is advanced, including while a step takes long.
const FILTER_INTERVAL: Duration = Duration::from_millis(10);

/// A [`Server`] on a UDP socket: the game steps on a [`SimThread`], and a second thread receives and sends packets.
///
/// The socket thread reads each datagram as soon as it can and drops what the [`NetcodeFilter`] refuses. An [`Inbox`] passes at most the
/// eight newest messages of each player to a tick. So the work per tick is bounded whatever arrives, and dropped messages are counted in
/// the [report](Self::report).
///
/// If the game panics, all players are disconnected and the host is no longer [running](Self::is_running); [`stop`](Self::stop) then
/// returns the panic message. Dropping the host stops it.
#[derive(Debug)]
pub struct Host {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Result<(), HostError>>>,
}

#[derive(Debug, Default)]
struct Shared {
    stops: AtomicBool,
    /// Players that are to be disconnected.
    kicked: Mutex<BTreeSet<PlayerId>>,
    report: Mutex<HostReport>,
}

/// The state of a [`Host`] as of its last tick.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HostReport {
    /// The number of ticks that were run.
    pub tick: Tick,
    /// Statistics of the simulation: lost time, lateness of the last tick.
    pub simulation: SimStats,
    /// The totals of all counters.
    pub total: Counts,
    /// The counters of each connected player.
    pub players: BTreeMap<PlayerId, Counts>,
}

/// Why a [`Host`] could not start or has stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The socket or the thread could not be used.
    #[error("the host's socket or thread: {0}; bind another port, or look at the system's limits")]
    Io(#[from] io::Error),
    /// The game panicked, with this message.
    #[error(transparent)]
    Simulation(#[from] SimThreadError),
    /// The configuration would let nobody connect.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The game cannot be played over a network.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// The server on its thread; `None` if the game is not suitable.
struct ServerSimulation<G: PredictedGame> {
    server: Option<Server<G>>,
    inbox: Arc<Mutex<Inbox<G::PlayerInput>>>,
}

impl<G: PredictedGame> Simulation for ServerSimulation<G> {
    /// Messages arrive through the inbox instead, which bounds them per player.
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

/// Locks a mutex. Poisoning is ignored because no thread leaves data inconsistent when it panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Host {
    /// Serves a game on a socket. The game is built on its own thread and steps as the timestep says. If no tick may be lost, give the
    /// timestep an [overrun policy](evenstep::Overrun) that carries time over.
    ///
    /// # Errors
    ///
    /// If the socket cannot be used, no thread can be started, the game panics while it is built, the configuration would let nobody
    /// connect, or the game cannot be played over a network.
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
            outbox: Outbox::new(),
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

    /// The address of the socket.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether the host is serving. If it is not, the game panicked, all players were disconnected, and [`stop`](Self::stop) returns the
    /// cause.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Disconnects a player within a few milliseconds and notifies it. The player needs a new connect token to reconnect; without tokens it
    /// can reconnect at will. Does nothing if the player is not connected.
    pub fn kick(&self, id: PlayerId) {
        lock(&self.shared.kicked).insert(id);
    }

    /// The report as of the last tick.
    #[must_use]
    pub fn report(&self) -> HostReport {
        lock(&self.shared.report).clone()
    }

    /// Disconnects all players, stops, and waits for the threads to end.
    ///
    /// # Errors
    ///
    /// The error that ended the host earlier, if one did.
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
        // The error is available from `stop`.
        let _ = self.join();
    }
}

/// The loop of the socket thread.
struct SocketLoop<P: Send + 'static> {
    socket: UdpSocket,
    filter: NetcodeFilter,
    simulation: SimThread<(), Arc<Snapshot>>,
    inbox: Arc<Mutex<Inbox<P>>>,
    outbox: Outbox,
    /// The duration of a step in seconds.
    period: f64,
    begin: Instant,
    /// When the netcode filter was last advanced.
    filter_advanced: Instant,
    /// The tick whose state was sent last.
    published: Tick,
    /// For each player's last message: when it was sent and when it was received.
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
            // Errors about earlier packets, for example that the port of a client is closed, are no reason to stop.
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

    /// Advances the netcode filter and disconnects players that were kicked.
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
        self.outbox.receive(id, &message);
        let is_kept = lock(&self.inbox).push(id, message, simulated);
        if !is_kept {
            self.filter.count(from, |counts| counts.flooding += 1);
        }
    }

    /// Sends the packet of an event and passes joins and leaves to the simulation.
    fn handle(&mut self, event: PacketEvent<'_>) {
        match event {
            PacketEvent::Nothing | PacketEvent::Message(..) => {}
            PacketEvent::Reply(address, packet) => self.send(address, &packet),
            PacketEvent::Joined(id, address, packet) => {
                self.send(address, &packet);
                self.outbox.join(id);
                lock(&self.inbox).join(id);
            }
            PacketEvent::Left(id, address, packet) => {
                for packet in packet.iter().cycle().take(DISCONNECT_PACKETS) {
                    self.send(address, packet);
                }
                self.last_messages.remove(&id);
                self.outbox.leave(id);
                lock(&self.inbox).leave(id);
            }
        }
    }

    /// Sends the state after a tick to all players.
    fn publish(&mut self, now: Instant, simulated: Duration, snapshot: &Snapshot) {
        let since = |instant: Instant| instant.saturating_duration_since(self.begin).as_nanos() as u64;
        for id in snapshot.players.keys() {
            let echo = self.last_messages.get(id).map(|(sent, received)| Echo {
                sent: *sent,
                received: since(*received),
                replied: since(now),
                simulated: simulated.as_nanos() as u64,
            });
            for message in self.outbox.messages(snapshot, *id, echo) {
                if let Some((address, packet)) = self.filter.seal(*id, &message) {
                    // A packet that cannot be sent counts as lost on the network.
                    let _ = self.socket.send_to(packet, address);
                }
            }
        }
    }

    fn send(&self, address: SocketAddr, packet: &[u8]) {
        // A packet that cannot be sent counts as lost on the network.
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

/// The simulated time, interpolated to now.
fn simulated_time<S>(view: &View<'_, S>, period: f64) -> Duration {
    Duration::try_from_secs_f64((view.tick as f64 + view.alpha) * period).unwrap_or_default()
}

//! A server and three clients on renet, over UDP on this machine. Each would be a program of its own. Prints what the clients were corrected.
//!
//! `cargo run -p evenstep-network-examples --bin renet`

use std::error::Error;
use std::net::{SocketAddr, UdpSocket};
use std::thread;
use std::time::{Duration, SystemTime};

use evenstep::history::Rewind;
use evenstep::{FixedTimestep, MonotonicClock, Overrun, Rate, Smoothed, Step};
use evenstep_net::{Client, ClientStats, PredictedGame, Server, TickInput};
use renet::{ConnectionConfig, DefaultChannel, RenetClient, RenetServer, ServerEvent};
use renet_netcode::{ClientAuthentication, NetcodeClientTransport, NetcodeServerTransport};
use renet_netcode::{ServerAuthentication, ServerConfig};

type Failure = Box<dyn Error + Send + Sync>;

const RATE: Rate = Rate::hz(60);
const PROTOCOL: u64 = 1; // another number for each version of the game
const CLIENTS: u64 = 3;

/// A cart that all players push.
#[derive(Default)]
struct Cart(Smoothed<f64>);

impl Rewind for Cart {
    type Saved = Smoothed<f64>;
    type Input = f64;

    fn save(&self) -> Smoothed<f64> {
        self.0
    }

    fn restore(&mut self, saved: &Smoothed<f64>) {
        self.0 = *saved;
    }

    fn step(&mut self, step: &Step, push: &f64) {
        self.0.step(|x| *x += push * step.dt);
    }
}

impl PredictedGame for Cart {
    type PlayerInput = i8;

    fn input(players: &[TickInput<i8>]) -> f64 {
        // Whoever has been silent for a quarter of a second lets go.
        let heard = players.iter().filter(|player| player.repeats < 15);
        heard.map(|player| f64::from(player.input)).sum()
    }
}

fn since_1970() -> Result<Duration, Failure> {
    Ok(SystemTime::UNIX_EPOCH.elapsed()?)
}

/// Runs the game until all clients have come and gone.
fn serve(socket: UdpSocket) -> Result<(), Failure> {
    let config = ServerConfig {
        current_time: since_1970()?,
        max_clients: 8,
        protocol_id: PROTOCOL,
        public_addresses: vec![socket.local_addr()?],
        authentication: ServerAuthentication::Unsecure, // `Secure`, and connect tokens, outside of a local network
    };
    let mut transport = NetcodeServerTransport::new(config, socket)?;
    let mut net = RenetServer::new(ConnectionConfig::default());
    let max_backlog = Duration::from_secs(1);
    let timestep = FixedTimestep::new(RATE).with_overrun(Overrun::Carry { max_backlog });
    let mut server = Server::new(Cart::default(), timestep);
    let (clock, mut last, mut joined) = (MonotonicClock::new(), Duration::ZERO, 0);
    while joined < CLIENTS || net.has_connections() {
        let now = clock.now();
        let passed = now - last;
        last = now;
        net.update(passed);
        transport.update(passed, &mut net)?;
        while let Some(event) = net.get_event() {
            match event {
                ServerEvent::ClientConnected { client_id } => {
                    server.join(client_id);
                    joined += 1;
                }
                ServerEvent::ClientDisconnected { client_id, .. } => server.leave(client_id),
            }
        }
        for id in net.clients_id() {
            while let Some(bytes) = net.receive_message(id, DefaultChannel::Unreliable) {
                let Ok(message) = postcard::from_bytes(&bytes) else {
                    continue; // not a message: a client cannot stop the server
                };
                if let Err(error) = server.receive(now, id, &message) {
                    eprintln!("player {id} is disconnected: {error}");
                    net.disconnect(id);
                    break;
                }
            }
        }
        if server.frame(now).step_count() > 0 {
            for id in net.clients_id() {
                if let Some(message) = server.message(now, id) {
                    net.send_message(id, DefaultChannel::Unreliable, postcard::to_stdvec(&message)?);
                }
            }
        }
        transport.send_packets(&mut net);
        thread::sleep(Duration::from_millis(1));
    }
    println!("server: {} ticks, {:?}", server.tick(), server.inbox().total());
    Ok(())
}

/// Plays four seconds of the game.
fn play(id: u64, server: SocketAddr) -> Result<ClientStats, Failure> {
    let authentication = ClientAuthentication::Unsecure {
        protocol_id: PROTOCOL,
        client_id: id,
        server_addr: server,
        user_data: None,
    };
    let mut transport = NetcodeClientTransport::new(since_1970()?, authentication, UdpSocket::bind("127.0.0.1:0")?)?;
    let mut net = RenetClient::new(ConnectionConfig::default());
    let (mut client, mut cart) = (Client::new(id, RATE), Cart::default());
    let (clock, mut last) = (MonotonicClock::new(), Duration::ZERO);
    let end = 240;
    while client.confirmed() < Some(end) {
        thread::sleep(Duration::from_millis(7)); // the display
        let now = clock.now();
        let passed = now - last;
        last = now;
        net.update(passed);
        transport.update(passed, &mut net)?;
        while let Some(bytes) = net.receive_message(DefaultChannel::Unreliable) {
            client.receive(now, postcard::from_bytes(&bytes)?, &mut cart);
        }
        if net.is_connected() {
            let keys = |tick: u64| i8::from(tick % (40 * id) < 20 * id);
            let frame = client.frame(now, &mut cart, keys);
            if let Some(message) = client.message() {
                net.send_message(DefaultChannel::Unreliable, postcard::to_stdvec(&message)?);
            }
            let _drawn = cart.0.at(frame.alpha());
            transport.send_packets(&mut net)?;
        }
    }
    transport.disconnect();
    Ok(client.stats())
}

fn main() -> Result<(), Failure> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let address = socket.local_addr()?;
    let server = thread::spawn(move || serve(socket));
    let clients = (1..=CLIENTS).map(|id| (id, thread::spawn(move || play(id, address))));
    for (id, client) in clients.collect::<Vec<_>>() {
        let stats = client.join().expect("no panic")?;
        println!("client {id}: {stats:?}");
    }
    server.join().expect("no panic")
}

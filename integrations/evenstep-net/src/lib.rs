//! A server that runs a game in exact fixed steps, and clients that predict it.
//!
//! Use it for games with an authoritative server: players join and leave at any time, and cannot cheat by claiming a state. A [`Host`]
//! runs the game on its own thread and listens on a UDP socket. A [`Client`] predicts the game (client-side prediction), so that input
//! acts at once, and reconciles the prediction with the server's states. The game implements [`Rewind`](evenstep::history::Rewind) and [`PredictedGame`].
//!
//! ```
//! use evenstep::history::Rewind;
//! use evenstep::{FixedTimestep, Overrun, Rate, Smoothed, Step};
//! use evenstep_net::renetcode::{ClientAuthentication, ServerAuthentication, ServerConfig};
//! use evenstep_net::{Client, Connection, PredictedGame, Host, PlayerId};
//! use std::net::UdpSocket;
//! use std::time::{Duration, Instant};
//!
//! /// A cart that all players push.
//! #[derive(Default)]
//! struct Cart(Smoothed<f64>);
//!
//! impl Rewind for Cart {
//!     type Saved = Smoothed<f64>;
//!     type Input = f64;
//!     fn save(&self) -> Smoothed<f64> { self.0 }
//!     fn restore(&mut self, saved: &Smoothed<f64>) { self.0 = *saved }
//!     fn step(&mut self, step: &Step, push: &f64) {
//!         self.0.begin_step();
//!         *self.0.current_mut() += push * step.dt;
//!     }
//! }
//!
//! impl PredictedGame for Cart {
//!     type PlayerInput = i8;
//!     fn input(players: &[(PlayerId, i8)]) -> f64 { players.iter().map(|(_, push)| f64::from(*push)).sum() }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let rate = Rate::hz(60);
//!     let unix_time = std::time::UNIX_EPOCH.elapsed()?; // decides whether connect tokens have expired
//!
//!     // The server:
//!     let socket = UdpSocket::bind(("127.0.0.1", 0))?;
//!     let config = ServerConfig {
//!         current_time: unix_time,
//!         max_clients: 16,
//!         protocol_id: 7, // of this game, in this version
//!         public_addresses: vec![socket.local_addr()?],
//!         authentication: ServerAuthentication::Unsecure, // on the internet: Secure, with a key and connect tokens
//!     };
//!     let timestep = FixedTimestep::new(rate).with_overrun(Overrun::Carry { max_backlog: Duration::from_secs(1) });
//!     let host = Host::spawn(socket, config, timestep, Cart::default)?;
//!
//!     // A client:
//!     let id = 1;
//!     let authentication = ClientAuthentication::Unsecure {
//!         protocol_id: 7,
//!         client_id: id,
//!         server_addr: host.address(),
//!         user_data: None,
//!     };
//!     let mut connection = Connection::new(UdpSocket::bind(("127.0.0.1", 0))?, authentication, unix_time)?;
//!     let (mut client, mut game, begin) = (Client::new(id, rate), Cart::default(), Instant::now());
//!     while game.0.current() < &0.1 {
//!         let now = begin.elapsed(); // once a frame
//!         connection.receive(now, |message| client.receive(now, message, &mut game))?;
//!         let frame = client.frame(now, &mut game, |_tick| 1);
//!         if let Some(message) = client.message() {
//!             connection.send(&message);
//!         }
//!         draw(game.0.at(frame.alpha()));
//! #      std::thread::sleep(Duration::from_millis(2));
//!     }
//!     println!("{:#?}", host.stop()?);
//!     Ok(())
//! }
//! # fn draw(_: f64) {}
//! ```
//!
//! The transport is netcode 1.02: connect tokens, encrypted packets, replay protection. Clients use [`renetcode`], the server a
//! [`NetcodeFilter`]. With `Unsecure` anybody is admitted, with any id, and can occupy all slots: it is for tests and local networks.
//!
//! [`Server`], [`Client`], [`NetcodeFilter`], [`Inbox`] and [`Outbox`] own no sockets and read no clocks: use them with other
//! transports and in tests.

mod client;
mod connection;
mod counts;
mod delta;
mod game;
mod host;
mod inbox;
mod inputs;
mod message;
mod netcode_filter;
mod outbox;
mod packet;
mod peer;
mod pending;
mod quantized;
mod server;
mod state;
mod token;

pub use client::{Client, ClientStats};
pub use connection::{Connection, ConnectionError};
pub use counts::Counts;
pub use game::{GameError, PlayerId, PredictedGame, View};
pub use host::{Host, HostError, HostReport};
pub use inbox::Inbox;
pub use message::{ClientMessage, Echo, ReceivedFragments, ReceivedStates, ServerMessage};
pub use netcode_filter::{ConfigError, NetcodeFilter, PacketEvent};
pub use outbox::Outbox;
pub use quantized::{Quantized, QuantizedRotation};
pub use renetcode;
pub use server::{Server, Snapshot};

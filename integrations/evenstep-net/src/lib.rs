//! Ticks of several machines: a server that runs a game in exact fixed steps, and clients that predict it, over any transport.
//!
//! Use it for games with an authoritative server: players join and leave at any time, and cannot cheat by claiming a state. A client
//! predicts the game (client-side prediction), so that input acts at once, and reconciles the prediction with the server's states.
//! Everything is a value that takes and returns messages: it owns no socket and no thread, reads no clock, and needs no `std`. The
//! program serializes the messages, in whole states, and sends them by the transport of its choice.
//!
//! | part | use |
//! |---|---|
//! | [`Server`], [`Client`] | the whole: a game that implements [`Rewind`](evenstep::history::Rewind) and [`PredictedGame`] |
//! | [`Inbox`] | the rule for late, early, repeated and missing inputs alone, for a server loop of your own |
//! | [`TickSync`] | the client's clock alone: it keeps ticks in step with a server's, for a prediction of your own |
//!
//! ```
//! use evenstep::history::Rewind;
//! use evenstep::{FixedTimestep, Rate, Smoothed, Step};
//! use evenstep_net::{Client, PredictedGame, Server, TickInput};
//! use std::time::Duration;
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
//!         self.0.step(|x| *x += push * step.dt);
//!     }
//! }
//!
//! impl PredictedGame for Cart {
//!     type PlayerInput = i8;
//!     fn input(players: &[TickInput<i8>]) -> f64 { players.iter().map(|player| f64::from(player.input)).sum() }
//! }
//!
//! let (rate, id) = (Rate::hz(60), 1);
//! let mut server = Server::new(Cart::default(), FixedTimestep::new(rate));
//! server.join(id);
//! let (mut client, mut game) = (Client::new(id, rate), Cart::default());
//! for frame in 0..600 {
//!     let now = Duration::from_millis(5 * frame); // both machines have clocks of their own
//!     // The client, once a frame:
//!     let frame = client.frame(now, &mut game, |_tick| 1);
//!     let to_server = client.message();
//!     draw(game.0.at(frame.alpha()));
//!     // The server. Here the messages arrive at once; a transport delays and loses some.
//!     if let Some(message) = to_server {
//!         server.receive(now, id, &message)?; // an error: disconnect the client and tell it why
//!     }
//!     if server.frame(now).step_count() > 0 {
//!         let message = server.message(now, id).expect("it has sent a message");
//!         client.receive(now, message, &mut game);
//!     }
//! }
//! assert!(client.tick() > server.tick() && client.stats().corrections == 0);
//! # fn draw(_: f64) {}
//! # Ok::<(), evenstep_net::HelloError>(())
//! ```
//!
//! The feature `serde` makes messages serializable. Decode with a limit: what a message allocates is up to
//! the format. Everything else is total: no message panics, and the memory and the work for a message are bounded.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod client;
mod game;
mod inbox;
mod message;
mod server;
mod sync;

pub use client::{Client, ClientStats};
pub use game::{PlayerId, PredictedGame, TickInput};
pub use inbox::{Counts, Inbox};
pub use message::{ClientMessage, Hello, HelloError, ServerMessage};
pub use server::Server;
pub use sync::{Adjustment, InputReport, Pong, TickJump, TickSync};

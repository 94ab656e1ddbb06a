//! x
mod client;
mod connection;
mod counts;
mod game;
mod gate;
mod host;
mod inputs;
mod message;
mod packet;
mod server;
mod state;

pub use client::{Client, ClientStats};
pub use connection::{Connection, ConnectionError};
pub use counts::Counts;
pub use game::{Game, PlayerId};
pub use gate::{Gate, Passed};
pub use host::{Host, HostError, HostReport};
pub use message::{Echo, FromClient, FromServer};
pub use renetcode;
pub use server::{Server, Snapshot};

//! A simulated packet network on a virtual clock: delay, jitter, loss, duplicates and reordering.
//!
//! [`Link`] is one direction between two machines and decides when each packet arrives. [`SimulatedNetwork`] has a link for each pair
//! of addresses and holds the packets in flight. With the feature `ggrs`, [`GgrsNetwork`] makes sockets for sessions of GGRS. Equal
//! seeds lead to equal arrivals on every machine.
//!
//! ```
//! use simulated_network::{Jitter, LinkConditions, SimulatedNetwork};
//! use std::time::Duration;
//!
//! const MS: Duration = Duration::from_millis(1);
//!
//! let conditions = LinkConditions { delay: 30 * MS, jitter: Jitter::Uniform(10 * MS), ..LinkConditions::default() };
//! let mut network = SimulatedNetwork::new(1, conditions);
//! network.send("client", "server", "hello");
//! network.advance(29 * MS);
//! assert_eq!(network.receive("server"), None);
//! network.advance(11 * MS);
//! assert_eq!(network.receive("server"), Some(("client", "hello")));
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "ggrs")]
mod ggrs_network;
mod link;
mod network;

#[cfg(feature = "ggrs")]
pub use ggrs_network::{GgrsNetwork, GgrsSocket};
pub use link::{Jitter, Link, LinkConditions};
pub use network::SimulatedNetwork;

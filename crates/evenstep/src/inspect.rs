//! States that are read field by field: hashed bit by bit, written as text, and compared to the field that differs.
//!
//! Deterministic games fail in one way: two machines that should agree do not. A checksum says that they differ, and this module says
//! where. A state implements [`Inspect`], in most cases by `#[derive(Inspect)]` (feature `derive`). Compare the [`hash`] of each
//! tick while nothing is wrong, and when two of them differ, a `Dump` of both states of that tick (feature `desync`):
//!
#![cfg_attr(all(feature = "derive", feature = "desync"), doc = "```")]
#![cfg_attr(not(all(feature = "derive", feature = "desync")), doc = "```ignore")]
//! use evenstep::Inspect;
//! use evenstep::inspect::{self, Dump};
//!
//! #[derive(Clone, Inspect)]
//! struct Weapon {
//!     cooldown: f32,
//! }
//!
//! #[derive(Clone, Inspect)]
//! struct Player {
//!     position: [f32; 2],
//!     weapon: Weapon,
//!     #[inspect(skip)] // drawn, never read by a step
//!     trail: Vec<[f32; 2]>,
//! }
//!
//! let player = Player { position: [0.0; 2], weapon: Weapon { cooldown: 0.016_666_666 }, trail: vec![] };
//! let mut here = vec![player; 3];
//! let there = here.clone();
//! assert_eq!(inspect::hash(&here), inspect::hash(&there));
//!
//! here[2].weapon.cooldown = 1.0 / 60.0;
//! assert_ne!(inspect::hash(&here), inspect::hash(&there));
//! let desync = Dump::new(4711, &here).compare(&Dump::new(4711, &there)).expect("they differ");
//! assert_eq!(
//!     desync.to_string(),
//!     "tick 4711: [2].weapon.cooldown: 0.016666668 (0x3C888889) here, 0.016666666 (0x3C888888) there"
//! );
//! ```
//!
//! On two machines, each writes its dump to a file, and `evenstep desync A B` prints the same report.

#[cfg(feature = "desync")]
mod compare;
#[cfg(feature = "desync")]
mod dump;
mod hash;
mod own;
#[cfg(feature = "desync")]
mod path;
mod std_types;
pub(crate) mod visit;

#[cfg(feature = "desync")]
pub use compare::{Desync, Difference};
#[cfg(feature = "desync")]
pub use dump::{Dump, DumpError};
pub use hash::hash;
pub use visit::{Inspect, Leaf, Visitor};

//! The game with faults of the core's tests, for sessions of GGRS.

use evenstep::history::Rewind as _;
use evenstep::inspect::hash;
use evenstep_ggrs::{InputStatus, RollbackGame};

#[path = "../../../../crates/evenstep/tests/faulty.rs"]
mod game;

pub(crate) use game::{Fault, Faulty, State};

impl RollbackGame for Faulty {
    type PlayerInput = u8;
    type Event = ();

    fn input(players: &[(u8, InputStatus)]) -> [u8; 2] {
        std::array::from_fn(|player| players[player].0)
    }

    fn checksum(&self) -> u64 {
        hash(&self.save())
    }
}

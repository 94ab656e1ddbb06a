//! Saving, restoring and checking the state of a world.

mod entities;
mod history;
mod registry;
mod related;
mod resimulate;
mod state;
mod sync_test;

pub use entities::RewindId;
pub use history::RewindHistory;
pub use registry::{Overwrite, RewindPlugin};
pub use resimulate::{ResimulateError, resimulate};
pub use state::{Respawned, RestoreError, WorldState};
pub use sync_test::SyncTest;

pub(crate) use history::keep_state;
#[cfg(feature = "input")]
pub(crate) use resimulate::Resimulation;
pub(crate) use sync_test::run_twice;

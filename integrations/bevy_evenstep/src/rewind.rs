//! Saving, restoring and checking the state of a world.

mod entities;
mod history;
mod registry;
mod related;
mod resimulate;
mod run_twice;
mod state;

pub use entities::RewindId;
pub use history::RewindHistory;
pub use registry::{Overwrite, RewindPlugin};
pub use resimulate::{ResimulateError, resimulate};
pub use run_twice::SyncTest;
pub use state::{Respawned, RestoreError, WorldState};

pub(crate) use history::keep_state;
#[cfg(feature = "input")]
pub(crate) use resimulate::Resimulation;
pub(crate) use run_twice::run_twice;

//! Saving, restoring and checking the state of a world.

mod history;
mod registry;
mod resimulate;
mod state;
mod sync_test;

pub use history::RewindHistory;
pub use registry::{RewindId, RewindPlugin, RewindResourcePlugin};
pub use resimulate::{ResimulateError, resimulate};
pub use state::{RestoreError, WorldState};
pub use sync_test::{Divergence, SyncTest};

pub(crate) use history::keep_state;
pub(crate) use sync_test::run_twice;

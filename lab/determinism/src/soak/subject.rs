//! The subjects of the soak.

use anyhow::Result;

/// A simulation that is advanced by a minute of real time per call, and fails if it drifts.
pub(super) trait Subject {
    fn name(&self) -> String;
    fn pass_minute(&mut self) -> Result<()>;
}

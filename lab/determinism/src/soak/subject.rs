//! What the soak runs.

use anyhow::Result;

/// Something that goes on by a minute of real time at a time, and fails if it drifts.
pub(super) trait Subject {
    fn name(&self) -> String;
    fn pass_minute(&mut self) -> Result<()>;
}

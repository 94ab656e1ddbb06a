//! Errors of a history.

use core::fmt;

use crate::time::Tick;

/// Why a tick cannot be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryError {
    /// The history does not contain the tick: it was forgotten, or has not been simulated.
    NotKept {
        /// The requested tick.
        tick: Tick,
        /// The first that is kept.
        oldest: Tick,
        /// The last that is kept.
        newest: Tick,
    },
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::NotKept { tick, oldest, newest } = self;
        write!(
            f,
            "tick {tick} is not kept; the history reaches from {oldest} to {newest}"
        )
    }
}

impl core::error::Error for HistoryError {}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn the_message_names_the_tick_and_those_that_are_kept() {
        let error = HistoryError::NotKept {
            tick: 3,
            oldest: 5,
            newest: 9,
        };
        assert_eq!(error.to_string(), "tick 3 is not kept; the history reaches from 5 to 9");
    }
}

//! A line on a terminal that says what the command is doing.

use std::io::{self, IsTerminal as _, Write as _};

use crossterm::terminal;

use crate::failure::printable;

/// The most characters that are shown on any terminal.
const MAX_WIDTH: usize = 79;

/// A line on standard error, which is removed when it is dropped. If that is no terminal, nothing is shown.
#[derive(Default)]
pub(crate) struct Progress {
    /// The number of characters that are shown now.
    shown: usize,
}

impl Progress {
    /// Shows a text in place of the one before. A failure to do so is ignored.
    pub(crate) fn show(&mut self, text: &str) {
        if io::stderr().is_terminal() {
            // A line that does not fit could not be covered by the next one.
            let columns = terminal::size().map_or(0, |(columns, _)| usize::from(columns));
            let most = columns.checked_sub(1).map_or(MAX_WIDTH, |most| most.min(MAX_WIDTH));
            let text: String = printable(text).chars().take(most).collect();
            // Spaces cover the rest of the text before.
            let _ = write!(io::stderr(), "\r{text:0$}", self.shown.min(most));
            self.shown = text.chars().count();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown > 0 {
            let _ = write!(io::stderr(), "\r{:1$}\r", "", self.shown);
        }
    }
}

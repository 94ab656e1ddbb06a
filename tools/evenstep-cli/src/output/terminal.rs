//! Functions shared by the commands that draw on the terminal.

use std::io;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::failure::Failure;

/// Runs a function that draws on the terminal, and restores the terminal afterwards.
pub(crate) fn draw_on<T>(
    unusable: fn(&io::Error) -> Failure,
    show: impl FnOnce(&mut DefaultTerminal) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut terminal = ratatui::try_init().map_err(|error| unusable(&error))?;
    let result = show(&mut terminal);
    ratatui::try_restore().map_err(|error| unusable(&error))?;
    result
}

/// Whether a key asks the command to end. While the command draws on the terminal, Ctrl-C arrives as a key.
pub(crate) fn quits(key: KeyEvent) -> bool {
    match key.code {
        KeyCode::Char('q') | KeyCode::Esc => true,
        KeyCode::Char('c') => key.modifiers.contains(KeyModifiers::CONTROL),
        _ => false,
    }
}

//! A terminal that a command draws on.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{mem, panic};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, KeyCode, KeyModifiers};
use crossterm::style::{Attribute, Print, SetAttribute};
use crossterm::terminal::{
    self, Clear, ClearType, DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen,
};
use crossterm::{execute, queue};

/// Whether there is something to restore.
static IS_OPEN: Mutex<bool> = Mutex::new(false);

/// The terminal's alternate screen, without a cursor, in raw mode: keys arrive at once. Dropping it restores the former screen; a panic
/// restores it before its message is printed.
pub(crate) struct Terminal {
    /// What is shown on a terminal of this size.
    size: (u16, u16),
    rows: Vec<String>,
}

impl Terminal {
    pub(crate) fn open() -> io::Result<Self> {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            restore();
            report(panic);
        }));
        *IS_OPEN.lock().unwrap_or_else(PoisonError::into_inner) = true;
        let terminal = Self {
            size: (0, 0),
            rows: Vec::new(),
        };
        terminal::enable_raw_mode()?;
        // Lines that are too long are cut off.
        execute!(io::stdout(), EnterAlternateScreen, Hide, DisableLineWrap)?;
        Ok(terminal)
    }

    /// Draws the rows for a number of columns and rows. They may contain codes of the terminal.
    pub(crate) fn draw(&mut self, rows: impl FnOnce([usize; 2]) -> Vec<String>) -> io::Result<()> {
        let size = terminal::size()?;
        if mem::replace(&mut self.size, size) != size {
            self.rows.clear();
        }
        let rows = rows([size.0, size.1].map(usize::from));
        let changes = changes(&self.rows, &rows)?;
        self.rows = rows;
        let mut output = io::stdout().lock();
        output.write_all(&changes)?;
        output.flush()
    }

    /// The next key, which is waited for at most this long. Ctrl-C is the escape key, too.
    pub(crate) fn key(&self, at_most: Duration) -> io::Result<Option<KeyCode>> {
        if !event::poll(at_most)? {
            return Ok(None);
        }
        Ok(event::read()?.as_key_press_event().map(|key| match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => KeyCode::Esc,
            code => code,
        }))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal, if a command draws on it.
pub(crate) fn restore() {
    let mut is_open = IS_OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if mem::take(&mut *is_open) {
        // A failure to write to the terminal cannot be reported there.
        let _ = execute!(io::stdout(), EnableLineWrap, Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// What draws the rows that differ from those before.
fn changes(before: &[String], rows: &[String]) -> io::Result<Vec<u8>> {
    let mut output = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        if before.get(row) != Some(text) {
            let place = MoveTo(0, u16::try_from(row).unwrap_or(u16::MAX));
            // The cursor stays on the last cell of a full row: erasing after the text would erase that cell.
            queue!(output, place, Clear(ClearType::UntilNewLine), Print(text))?;
            queue!(output, SetAttribute(Attribute::Reset))?;
        }
    }
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn only_rows_that_changed_are_written_and_each_is_erased_before_its_text() {
        let [before, rows] = [["same", "old"], ["same", "new"]].map(|rows| rows.map(str::to_owned));
        assert_eq!(changes(&before, &rows).unwrap(), b"\x1b[2;1H\x1b[Knew\x1b[0m");
        assert!(changes(&rows, &rows).unwrap().is_empty());
        assert!(!changes(&[], &rows).unwrap().is_empty());
    }
}

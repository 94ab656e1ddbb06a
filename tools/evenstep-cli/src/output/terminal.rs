//! A terminal that a command draws on.

use std::io::{self, Write as _};
use std::time::Duration;

use self::system::Settings;

/// The terminal: its second screen, without a cursor, and keys that arrive at once. Dropping it restores what was there before.
pub(crate) struct Terminal {
    _settings: Settings,
}

impl Terminal {
    pub(crate) fn open() -> io::Result<Self> {
        let settings = Settings::change()?;
        // The second screen; no cursor; lines that are too long are cut off.
        io::stdout().write_all(b"\x1b[?1049h\x1b[?25l\x1b[?7l")?;
        Ok(Self { _settings: settings })
    }

    /// Columns and rows.
    pub(crate) fn size(&self) -> io::Result<[usize; 2]> {
        system::size()
    }

    /// Draws rows from the top. They may contain codes of the terminal.
    pub(crate) fn draw(&self, rows: &[String]) -> io::Result<()> {
        let row = |(row, text): (usize, &String)| format!("\x1b[{};1H{text}\x1b[0m\x1b[K", row + 1);
        let mut output = io::stdout().lock();
        output.write_all(rows.iter().enumerate().map(row).collect::<String>().as_bytes())?;
        output.flush()
    }

    /// The next key, which is waited for at most this long.
    pub(crate) fn key(&self, at_most: Duration) -> io::Result<Option<char>> {
        system::key(at_most)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A failure to write to the terminal cannot be reported there.
        let _ = io::stdout().write_all(b"\x1b[?7h\x1b[?25h\x1b[?1049l");
        let _ = io::stdout().flush();
    }
}

#[cfg(unix)]
mod system {
    use std::io;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

    /// The settings of the terminal before they were changed.
    pub(super) struct Settings(Termios);

    impl Settings {
        pub(super) fn change() -> io::Result<Self> {
            let before = tcgetattr(io::stdin())?;
            let mut raw = before.clone();
            raw.make_raw();
            tcsetattr(io::stdin(), OptionalActions::Now, &raw)?;
            Ok(Self(before))
        }
    }

    impl Drop for Settings {
        fn drop(&mut self) {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
        }
    }

    pub(super) fn size() -> io::Result<[usize; 2]> {
        let size = tcgetwinsize(io::stdout())?;
        Ok([size.ws_col, size.ws_row].map(usize::from))
    }

    pub(super) fn key(at_most: Duration) -> io::Result<Option<char>> {
        let stdin = io::stdin();
        let timeout = Timespec::try_from(at_most).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&timeout)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let mut bytes = [0; 64];
        let count = rustix::io::read(&stdin, &mut bytes)?;
        Ok(match &bytes[..count] {
            [] => return Err(io::ErrorKind::UnexpectedEof.into()),
            // Arrows and the like are codes that begin as the escape key.
            [0x1b, _, ..] => None,
            [first, ..] => Some(char::from(*first)),
        })
    }
}

#[cfg(not(unix))]
mod system {
    use std::io;
    use std::time::Duration;

    use crossterm::event::{self, KeyCode, KeyModifiers};
    use crossterm::terminal;

    /// Dropping it restores the settings of the terminal.
    pub(super) struct Settings;

    impl Settings {
        pub(super) fn change() -> io::Result<Self> {
            terminal::enable_raw_mode()?;
            Ok(Self)
        }
    }

    impl Drop for Settings {
        fn drop(&mut self) {
            let _ = terminal::disable_raw_mode();
        }
    }

    pub(super) fn size() -> io::Result<[usize; 2]> {
        let (columns, rows) = terminal::size()?;
        Ok([columns, rows].map(usize::from))
    }

    pub(super) fn key(at_most: Duration) -> io::Result<Option<char>> {
        if !event::poll(at_most)? {
            return Ok(None);
        }
        let key = event::read()?;
        Ok(key.as_key_press_event().and_then(|key| match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Some('\x03'),
            KeyCode::Char(char) => Some(char),
            KeyCode::Esc => Some('\x1b'),
            KeyCode::Tab => Some('\t'),
            _ => None,
        }))
    }
}

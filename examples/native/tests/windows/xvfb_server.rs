//! Starts Xvfb, an X server without a display. The tests of the windows in `examples/bevy` use it, too.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// A running Xvfb; dropping it ends the process.
pub(crate) struct Xvfb {
    process: Child,
    name: String,
}

impl Xvfb {
    /// Starts Xvfb with a screen of `size`, for example `640x480`, and further arguments.
    pub(crate) fn start(size: &str, arguments: &[&str]) -> Self {
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset"])
            .args(["-screen", "0", &format!("{size}x24")])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut number = String::new();
        let output = process.stdout.take().unwrap();
        // It prints its display number once it accepts connections.
        BufReader::new(output).read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim());
        Self { process, name }
    }

    /// The value of `DISPLAY` for its clients.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Xvfb {
    fn drop(&mut self) {
        // It removes its lock file when it is asked to end.
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
    }
}

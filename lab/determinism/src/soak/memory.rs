//! The memory of this process.

use std::fmt;
use std::fs;
use std::time::Duration;

use anyhow::{Result, ensure};

/// The allowed growth: the amount that allocators keep varies.
const ALLOWED: u64 = 2 << 20;

/// Checks that memory does not grow from a time on.
pub(super) struct Watch {
    from: Duration,
    first: Option<u64>,
    most: u64,
}

impl Watch {
    pub(super) fn new(from: Duration) -> Self {
        Self {
            from,
            first: None,
            most: 0,
        }
    }

    /// Checks the memory after the elapsed time.
    pub(super) fn look(&mut self, elapsed: Duration) -> Result<()> {
        let Some(resident) = resident().filter(|_| elapsed >= self.from) else {
            return Ok(());
        };
        let first = *self.first.get_or_insert(resident);
        self.most = self.most.max(resident);
        ensure!(
            self.most <= first + ALLOWED,
            "memory grew from {first} to {} bytes in {elapsed:?}",
            self.most
        );
        Ok(())
    }
}

impl fmt::Display for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        match self.first {
            Some(first) => write!(
                f,
                "memory {:.1} MiB at first, {:.1} MiB at most",
                mib(first),
                mib(self.most)
            ),
            None => f.write_str("memory cannot be read here"),
        }
    }
}

/// The bytes in memory, if the system reports them.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

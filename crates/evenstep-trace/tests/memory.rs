//! A recording of any length is measured in a bounded amount of memory.

use std::fmt::Write as _;
use std::io::{self, Read};

use evenstep_trace::live::GrowingAnalysis;
use evenstep_trace::{Analysis, BadRows};

/// A recording that is generated while it is read: two programs, a hitch every thousand frames, rows out of order.
struct Endless {
    row: u64,
    rows: u64,
    text: String,
    read: usize,
}

impl Endless {
    fn new(rows: u64) -> Self {
        let header = "Application,SwapChainAddress,TimeInMs,MsBetweenPresents,MsUntilDisplayed,MsCPUBusy\n";
        Self {
            row: 0,
            rows,
            text: header.to_owned(),
            read: 0,
        }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            self.text.clear();
            self.read = 0;
            while self.row < self.rows && self.text.len() < 4096 {
                // Pairs of rows are swapped.
                let row = self.row ^ 1;
                let delta = if row % 1000 < 2 {
                    90.0
                } else {
                    10.0 + (row * 7919 % 1009) as f64 * 1e-3
                };
                let _ = writeln!(
                    self.text,
                    "game{}.exe,0x{},{:.4},{delta:.4},9.{:04},{delta:.3}",
                    row % 2,
                    row % 2,
                    row as f64 * 5.3,
                    row * 31 % 10_000
                );
                self.row += 1;
            }
        }
        let count = (&self.text.as_bytes()[self.read..]).read(buffer)?;
        self.read += count;
        Ok(count)
    }
}

/// The peak memory of this process, in bytes.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<usize>().ok()? * 1024)
}

/// Analyses a complete file of `rows` rows.
fn whole(rows: u64) -> Analysis {
    Analysis::read(Endless::new(rows), "endless.csv", BadRows::Fail).unwrap()
}

/// Analyses a growing file of `rows` rows, with regular analyses.
fn growing(rows: u64) -> Analysis {
    let (mut input, mut bytes) = (Endless::new(rows), Vec::new());
    let mut growing = GrowingAnalysis::new("endless.csv", BadRows::Fail);
    while input.by_ref().take(1 << 20).read_to_end(&mut bytes).unwrap() > 0 {
        growing.push(&bytes).unwrap();
        growing.current().unwrap();
        bytes.clear();
    }
    growing.complete().unwrap().analysis
}

/// Each program has more than the 131 072 frames that are kept for the diagnosis, so all buffers are full in the shorter recording, too.
const ROWS: u64 = 270_000;

#[test]
#[ignore = "two million rows take seconds"]
fn four_times_the_rows_take_no_more_memory() {
    // The measurement that takes less memory runs first, because the peak is that of the process.
    for measure in [whole as fn(u64) -> Analysis, growing] {
        let read = |rows: u64| {
            let metrics = measure(rows).chains.swap_remove(0).metrics;
            assert_eq!(metrics.frames as u64, rows / 2);
            peak()
        };
        let (before, after) = (read(ROWS), read(4 * ROWS));
        let Some((before, after)) = before.zip(after) else {
            println!("skipped: this system does not tell how much memory a process had");
            return;
        };
        println!("{before} bytes for {ROWS} rows, {after} for four times as many");
        // The frames alone would take thirty megabytes.
        assert!(after - before < 5_500_000, "{} bytes more", after - before);
    }
}

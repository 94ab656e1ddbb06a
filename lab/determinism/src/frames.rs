//! Random frames of realistic displays and machines, the same for a seed on every machine.

use std::time::Duration;

use fastrand::Rng;

/// Refresh periods of displays, in nanoseconds: 60, 59.94, 144, 50 and 240 Hz.
const PERIODS: [u64; 5] = [16_666_667, 16_683_333, 6_944_444, 20_000_000, 4_166_667];

/// Frames on several displays in turn: with timestamp noise, missed refreshes and hitches, or without a refresh grid.
pub(crate) struct Frames {
    random: Rng,
    period: u64,
    /// Whether frames keep to the display's refreshes.
    on_grid: bool,
    /// The number of frames until the display changes.
    left: u32,
    /// The lateness of the last timestamp, in nanoseconds.
    late: u64,
}

impl Frames {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Rng::with_seed(seed),
            period: PERIODS[0],
            on_grid: true,
            left: 0,
            late: 0,
        }
    }

    /// The time since the last frame.
    pub(crate) fn next_delta(&mut self) -> Duration {
        if self.left == 0 {
            self.left = self.random.u32(200..2_000);
            // Not by a random `usize`, which differs where it has 32 bits.
            self.period = PERIODS[self.random.u32(..PERIODS.len() as u32) as usize];
            self.on_grid = self.random.u32(0..4) > 0;
        }
        self.left -= 1;
        let nanos = match self.random.u32(0..4_000) {
            0 => return Duration::from_millis(self.random.u64(100..2_000)),
            1..=4 => return Duration::ZERO,
            5..=20 => self.read_after(2),
            _ if self.on_grid => self.read_after(1),
            _ => self.random.u64(self.period / 2..2 * self.period),
        };
        Duration::from_nanos(nanos)
    }

    /// The timestamp after a number of refreshes.
    fn read_after(&mut self, refreshes: u64) -> u64 {
        let late = self.random.u64(0..1_000_000);
        let read = (refreshes * self.period + late).saturating_sub(self.late);
        self.late = late;
        read
    }
}

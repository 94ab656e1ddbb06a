//! How the last frames went.

use evenstep_flat::stats::Stats;
use wasm_bindgen::prelude::wasm_bindgen;

use super::timestep::RawTimestep;
use crate::slots::{Slots, status};

/// Statistics of the last 240 frames. Its slots: 19 numbers, as `report` writes them, and integers for clamped and suspended.
#[wasm_bindgen]
pub struct RawStats {
    core: Stats,
    slots: Slots<19>,
}

#[wasm_bindgen]
impl RawStats {
    /// Of no frames.
    pub fn create() -> Self {
        Self {
            core: Stats::new(),
            slots: Slots::new(),
        }
    }

    /// Where its slots are.
    pub fn slots(&self) -> usize {
        self.slots.address()
    }

    /// Records the timestep's last frame.
    pub fn record(&mut self, timestep: &RawTimestep) -> u32 {
        status(self.core.record(&timestep.core))
    }

    /// Nanoseconds that so many percent of the frames do not exceed; none before the first, and for what is no percentage.
    pub fn frame_time(&self, percent: f64) -> Option<f64> {
        let nanos = self.core.frame_time(percent).ok()??;
        Some(nanos as f64)
    }

    /// Writes all of it: frames, alphas, times in nanoseconds, dropped, error in seconds, eight counts; then the integers.
    pub fn report(&mut self) {
        let report = self.core.report();
        let numbers = [
            report.frames as f64,
            report.alpha_least,
            report.alpha_mean,
            report.alpha_largest,
            report.frame_time_median as f64,
            report.frame_time_p99 as f64,
            report.frame_time_longest as f64,
            report.dropped as f64,
            report.animation_error,
        ];
        let counts = report.steps_per_frame.map(f64::from);
        for (at, number) in numbers.into_iter().chain(counts).enumerate() {
            self.slots.number(at, number);
        }
        self.slots.integer(17, report.clamped);
        self.slots.integer(18, report.suspended);
    }
}

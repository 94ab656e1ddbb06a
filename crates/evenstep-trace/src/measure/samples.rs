//! The frames of a swap chain in the order of time, for the diagnosis.

use std::time::Duration;

use crate::read::present::{LateBy, Present};

/// The most frames that are kept: 36 minutes at 60 Hz, six at 360. Of longer recordings every other block is dropped, repeatedly.
const MAX_SAMPLES: usize = 1 << 17;

/// The most frames of a diagnosis while a recording grows, which is repeated often.
const MAX_GROWING: usize = 1 << 14;

/// Consecutive frames that are kept or dropped together.
const BLOCK: usize = 256;

/// A frame. Times are in milliseconds; NaN is a time that is not known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// When the frame ended, in milliseconds of frame time from the start.
    pub(crate) at: f64,
    pub(crate) delta: f32,
    /// The time since the previous change of the display.
    pub(crate) interval: f32,
    pub(crate) cpu_busy: f32,
    pub(crate) gpu_busy: f32,
    pub(crate) sync_interval: Option<u8>,
    pub(crate) allows_tearing: Option<bool>,
    pub(crate) is_composed: bool,
    pub(crate) is_present: bool,
    /// Whether it is known when the program began it.
    pub(crate) is_started: bool,
    pub(crate) is_displayed: bool,
    pub(crate) is_generated: bool,
    /// What made it late, as the file states it.
    pub(crate) late_by: Option<LateBy>,
}

impl Sample {
    pub(crate) fn new(at: f64, delta: Option<Duration>, present: Option<&Present>, interval: Option<f64>) -> Self {
        let number = |value: Option<f64>| value.map_or(f32::NAN, |value| value as f32);
        let nothing = Present::default();
        let of = present.unwrap_or(&nothing);
        Self {
            at,
            delta: number(delta.map(|delta| delta.as_secs_f64() * 1e3)),
            interval: number(interval),
            cpu_busy: number(of.cpu_busy),
            gpu_busy: number(of.gpu_busy),
            sync_interval: of.sync_interval.map(|refreshes| refreshes.min(255) as u8),
            allows_tearing: of.allows_tearing,
            is_composed: of.is_composed.unwrap_or_default(),
            is_present: present.is_some(),
            is_started: of.started.is_some(),
            is_displayed: of.displayed.is_some(),
            is_generated: of.is_generated,
            late_by: of.late_by,
        }
    }
}

/// The frames of a swap chain; of long recordings, blocks of them at equal distances.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    kept: Vec<Sample>,
    count: usize,
    /// Blocks are dropped but for each of this number, as a power of two.
    every: u32,
}

impl Samples {
    pub(crate) fn add(&mut self, sample: Sample) {
        if (self.count / BLOCK).trailing_zeros().min(31) >= self.every {
            self.kept.push(sample);
        }
        self.count += 1;
        self.keep_less_than(MAX_SAMPLES);
    }

    /// Drops blocks, for a diagnosis of a growing recording.
    pub(super) fn thin(&mut self) {
        self.keep_less_than(MAX_GROWING);
    }

    fn keep_less_than(&mut self, most: usize) {
        while self.kept.len() >= most {
            let blocks = self.kept.chunks(BLOCK).step_by(2);
            self.kept = blocks.flatten().copied().collect();
            self.every += 1;
        }
    }

    pub(crate) fn all(&self) -> &[Sample] {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_recordings_every_second_block_is_kept_and_every_fourth_of_longer_ones() {
        let mut samples = Samples::default();
        let mut added = 0..;
        for (count, every) in [
            (MAX_SAMPLES - 1, 1),
            (MAX_SAMPLES, 2),
            (2 * MAX_SAMPLES - BLOCK - 1, 2),
            (2 * MAX_SAMPLES, 4),
            (9 * MAX_SAMPLES, 16),
        ] {
            for at in added.by_ref().take(count - samples.count) {
                samples.add(Sample::new(f64::from(at), None, None, None));
            }
            let kept = samples.all().iter().map(|sample| sample.at as usize);
            let expected = (0..count).filter(|at| (at / BLOCK).is_multiple_of(every));
            assert!(kept.eq(expected), "{count} of which each block of {every}");
            let mut thin = samples.clone();
            thin.thin();
            let kept = thin.all().iter().map(|sample| sample.at as usize);
            assert!(
                thin.all().len() < MAX_GROWING
                    && kept.eq((0..count).filter(|at| (at / BLOCK).is_multiple_of(1 << thin.every)))
            );
        }
    }
}

//! The resolution of a coarse clock, found in the deltas of frames.

use super::constants::{MAX_FRAME, MIN_RESOLUTION, REQUIRED_FRAMES, TOLERANCE};
use crate::numeric::rounding::round;

/// Estimates the resolution: the greatest time of which every delta is a whole multiple.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClockResolution {
    /// In nanoseconds.
    nanos: f64,
    /// Frames that were multiples of it.
    frames: u8,
}

impl ClockResolution {
    /// Not known yet.
    pub(super) const fn new() -> Self {
        Self { nanos: 0.0, frames: 0 }
    }

    /// Takes the delta of a frame, in nanoseconds.
    pub(super) fn learn(&mut self, delta: f64) {
        if delta > MAX_FRAME {
            return;
        }
        let nanos = common_divisor(self.nanos, delta);
        *self = if nanos < MIN_RESOLUTION {
            Self {
                nanos: delta,
                frames: 0,
            }
        } else {
            Self {
                nanos,
                frames: (self.frames + 1).min(REQUIRED_FRAMES),
            }
        };
    }

    /// In nanoseconds; zero where the clock is fine, or its resolution is not known yet.
    pub(super) fn nanos(&self) -> f64 {
        if self.frames == REQUIRED_FRAMES {
            self.nanos
        } else {
            0.0
        }
    }
}

/// The greatest common divisor, up to [`TOLERANCE`], by Euclid's algorithm; zero if it is below [`MIN_RESOLUTION`].
fn common_divisor(mut one: f64, mut other: f64) -> f64 {
    while other >= MIN_RESOLUTION {
        let rest = one - round(one / other) * other;
        (one, other) = (other, rest.abs());
    }
    if other > TOLERANCE { 0.0 } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The resolution that is found in timestamps at consecutive frames.
    fn resolution(timestamp: impl Fn(u32) -> f64, frames: u32) -> f64 {
        let mut resolution = ClockResolution::new();
        (0..frames).for_each(|frame| resolution.learn(round(timestamp(frame + 1) - timestamp(frame))));
        resolution.nanos()
    }

    fn quantised(time: f64, resolution: f64) -> f64 {
        crate::numeric::rounding::floor(time / resolution) * resolution
    }

    #[test]
    fn the_resolution_is_found_after_a_few_frames_though_no_delta_equals_it() {
        let found = resolution(|frame| quantised(f64::from(frame) * 16_666_667.0, 6_543_210.9), 40);
        assert!((found - 6_543_210.9).abs() < 2.0);
    }

    #[test]
    fn a_resolution_longer_than_a_frame_is_found() {
        let found = resolution(|frame| quantised(f64::from(frame) * 4_166_667.0, 15_625_000.0), 40);
        assert!((found - 15_625_000.0).abs() < 2.0);
    }

    #[test]
    fn none_is_found_for_a_fine_clock() {
        let late = |frame: u32| f64::from(frame * 7_919 % 1_009) * 977.0;
        assert!(resolution(|frame| f64::from(frame) * 16_666_667.0 + late(frame), 500) == 0.0);
    }

    #[test]
    fn it_is_kept_over_a_pause_and_replaced_when_the_clock_is() {
        let mut resolution = ClockResolution::new();
        let mut learn = |deltas: [f64; 2], frames: usize| {
            (0..frames).for_each(|frame| resolution.learn(deltas[frame % 2]));
            resolution.nanos()
        };
        assert!((learn([10e6, 20e6], 20) - 10e6).abs() < 1.0);
        assert!((learn([60_000_300_000.0; 2], 1) - 10e6).abs() < 1.0);
        assert!((learn([7_123_457.0, 14_246_914.0], 40) - 7_123_457.0).abs() < 1.0);
    }
}

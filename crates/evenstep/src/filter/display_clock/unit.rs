//! The unit of a coarse clock.

use crate::rounding::round;

/// A finer unit is as good as none, in nanoseconds.
const FINEST: f64 = 1e5;

/// What deltas may differ from whole units by rounding alone, in nanoseconds.
const EXACT: f64 = 100.0;

/// A longer delta tells nothing, in nanoseconds: the unit is not known so exactly.
const LONGEST: f64 = 5e8;

/// Frames in a row that must be whole units.
const NEEDED: u8 = 16;

/// The unit to which a clock rounds its times: every delta is a whole multiple of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    /// In nanoseconds.
    nanos: f64,
    /// The frames for which it held.
    frames: u8,
}

impl Unit {
    /// None is known yet.
    pub(super) const fn new() -> Self {
        Self { nanos: 0.0, frames: 0 }
    }

    /// Takes a delta.
    pub(super) fn learn(&mut self, delta: f64) {
        if delta > LONGEST {
            return;
        }
        let nanos = common(self.nanos, delta);
        *self = if nanos < FINEST {
            Self {
                nanos: delta,
                frames: 0,
            }
        } else {
            Self {
                nanos,
                frames: (self.frames + 1).min(NEEDED),
            }
        };
    }

    /// In nanoseconds; zero where the clock is fine, or nothing is known yet.
    pub(super) fn nanos(&self) -> f64 {
        if self.frames == NEEDED { self.nanos } else { 0.0 }
    }
}

/// The longest time of which both are multiples.
fn common(mut one: f64, mut other: f64) -> f64 {
    while other > EXACT {
        let rest = one - round(one / other) * other;
        (one, other) = (other, rest.abs());
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is learnt from the readings of a clock at each of so many frames.
    fn learnt(read: impl Fn(u32) -> f64, frames: u32) -> f64 {
        let mut unit = Unit::new();
        (0..frames).for_each(|frame| unit.learn(round(read(frame + 1) - read(frame))));
        unit.nanos()
    }

    fn coarse(time: f64, unit: f64) -> f64 {
        crate::rounding::floor(time / unit) * unit
    }

    #[test]
    fn a_unit_is_known_after_a_few_frames_though_no_delta_is_one_unit() {
        let unit = learnt(|frame| coarse(f64::from(frame) * 16_666_667.0, 6_543_210.9), 40);
        assert!((unit - 6_543_210.9).abs() < 2.0);
    }

    #[test]
    fn a_unit_longer_than_a_frame_is_known() {
        let unit = learnt(|frame| coarse(f64::from(frame) * 4_166_667.0, 15_625_000.0), 40);
        assert!((unit - 15_625_000.0).abs() < 2.0);
    }

    #[test]
    fn a_fine_clock_has_none() {
        let late = |frame: u32| f64::from(frame * 7_919 % 1_009) * 977.0;
        assert!(learnt(|frame| f64::from(frame) * 16_666_667.0 + late(frame), 500) == 0.0);
    }

    #[test]
    fn pauses_and_exchanged_clocks_are_survived() {
        let mut unit = Unit::new();
        let mut learn = |deltas: [f64; 2], frames: usize| {
            (0..frames).for_each(|frame| unit.learn(deltas[frame % 2]));
            unit.nanos()
        };
        assert!((learn([10e6, 20e6], 20) - 10e6).abs() < 1.0);
        assert!((learn([60_000_300_000.0; 2], 1) - 10e6).abs() < 1.0);
        assert!((learn([7_123_457.0, 14_246_914.0], 40) - 7_123_457.0).abs() < 1.0);
    }
}

//! How many refreshes programs miss, as it was learned.

use super::lateness::halve;

/// Ways in which the display can be ahead of a frame after each refresh: by whole refreshes, by halves or thirds of the grid's
/// period where a program draws at every second or third refresh, or by a pause.
pub(super) const WAYS: u8 = 14;
pub(super) const NONE: u8 = 0;
pub(super) const PAUSE: u8 = 13;
const PERIODS: [f64; WAYS as usize] = [
    0.0,
    1.0,
    2.0,
    3.0,
    4.0,
    5.0,
    0.5,
    1.5,
    2.5,
    1.0 / 3.0,
    2.0 / 3.0,
    4.0 / 3.0,
    5.0 / 3.0,
    0.0,
];

/// From here on they are halves, and from here on thirds.
const HALVES: u8 = 6;
const THIRDS: u8 = 9;

/// Near enough to one of them, in periods.
const NEAR: f64 = 0.05;

/// Frames of each kind that are remembered.
const REMEMBERED: u16 = 8192;

/// Counts at first, a little while after a miss and otherwise: of frames that miss nothing, one refresh, two or three.
const AT_FIRST: [[f64; 4]; 2] = [[50.0, 0.3, 0.1, 0.1], [8.0, 1.0, 0.3, 0.3]];
const MORE_AT_FIRST: f64 = 0.02;
const HALVES_AT_FIRST: f64 = 0.01;
const THIRDS_AT_FIRST: f64 = 0.005;
const PAUSES_AT_FIRST: f64 = 0.05;

/// All of these together.
const ALL_AT_FIRST: f64 = 2.0 * MORE_AT_FIRST + 3.0 * HALVES_AT_FIRST + 4.0 * THIRDS_AT_FIRST + PAUSES_AT_FIRST;

/// Parts of periods are never more frequent than this, or they would explain any reading.
const MOST_PARTS: [f64; 2] = [0.05, 0.5];

/// A pause can take any of so many refreshes.
const PAUSES: f64 = 64.0;

/// How frequent each way is: after frames that missed none, and after some of which one did, because misses come in bursts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Misses {
    counts: [[u16; WAYS as usize]; 2],
    totals: [u16; 2],
    /// Of the frames before, four bits each.
    before: u32,
}

impl Misses {
    pub(super) const fn new() -> Self {
        Self {
            counts: [[0; WAYS as usize]; 2],
            totals: [0; 2],
            before: 0,
        }
    }

    /// The same experience, before the first frame.
    pub(super) const fn again(mut self) -> Self {
        self.before = 0;
        self
    }

    /// The share of frames that miss refreshes this way, after such frames.
    pub(super) fn share(&self, way: u8, before: u32) -> f64 {
        let burst = usize::from(before != 0);
        let first = AT_FIRST[burst];
        let at_first = match way {
            0..=3 => first[usize::from(way)],
            PAUSE => PAUSES_AT_FIRST,
            THIRDS.. => THIRDS_AT_FIRST,
            HALVES.. => HALVES_AT_FIRST,
            _ => MORE_AT_FIRST,
        };
        let all = f64::from(self.totals[burst]) + first.iter().sum::<f64>() + ALL_AT_FIRST;
        let share = (f64::from(self.counts[burst][usize::from(way)]) + at_first) / all;
        match way {
            PAUSE => share / PAUSES,
            HALVES.. => share.min(MOST_PARTS[burst]),
            _ => share,
        }
    }

    /// Takes the next frame of which it is certain.
    pub(super) fn learn(&mut self, way: u8) {
        let burst = usize::from(self.before != 0);
        self.before = self.before << 4 | u32::from(way);
        self.counts[burst][usize::from(way)] += 1;
        self.totals[burst] += 1;
        if self.totals[burst] > REMEMBERED {
            self.totals[burst] = halve(&mut self.counts[burst]);
        }
    }
}

/// By how many periods the display is ahead then; of a pause it is not known.
pub(super) fn periods(way: u8) -> f64 {
    PERIODS[usize::from(way)]
}

/// Whether it is by a half or a third of a period, or by more of them.
pub(super) fn is_part(way: u8) -> bool {
    (HALVES..PAUSE).contains(&way)
}

/// The part of a period that this is near, or none.
pub(super) fn part(by: f64) -> u8 {
    let is_near = |way: &u8| (periods(*way) - by).abs() < NEAR;
    (HALVES..PAUSE).find(is_near).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_whole_refreshes_follow_what_was_seen() {
        let mut misses = Misses::new();
        (0..1000).for_each(|frame| misses.learn(u8::from(frame % 20 == 0)));
        // A burst lasts for eight frames after a miss.
        assert!(misses.share(1, 0) > 0.05 && misses.share(1, 1) < 0.01);
        assert!(misses.share(2, 0) < 0.001);
    }

    #[test]
    fn a_miss_is_more_likely_shortly_after_another() {
        let misses = Misses::new();
        assert!(misses.share(1, 1 << 28) > 10.0 * misses.share(1, 0));
    }

    #[test]
    fn shares_add_up_to_one_at_most() {
        let mut misses = Misses::new();
        for frame in 0..50_000_u32 {
            misses.learn((frame % u32::from(WAYS)) as u8);
            let sum: f64 = (0..WAYS).map(|way| misses.share(way, frame % 2)).sum();
            assert!(sum <= 1.0 + 1e-9, "{frame}: {sum}");
        }
    }
}

//! The position of a song, estimated from what is reported in blocks.
//!
//! A reported position is late by up to a block, and is seen to change up to a frame late. So the true one lies between what is reported and
//! what is reported plus the time since the last report, mostly evenly spread; the mean distance of the reports from the estimate says how
//! widely. The estimate takes a part of each error, and the output glides to the estimate.

use super::fixed::{MOST, ONE, part, product};
use crate::time::TimeScale;

/// A position further off than this, and than what blocks and frames explain, has been moved. Nanoseconds, as all below.
const STRAY: i64 = 20_000_000;

/// Strays in a row on the same side, before one is believed: a single one is a slip of the device.
const STRAYS: i32 = 2;

/// An error beyond this is a jump, and is not caught up with.
const JUMP: i64 = 250_000_000;

/// Below this the output has caught up.
const CAUGHT_UP: i64 = 2_000_000;

/// The estimate takes 1/32 of an error; the mean error is over 64 reports.
const ERROR_SHIFT: u32 = 5;
const SPREAD_SHIFT: u32 = 6;

/// The drift takes 1/4096 of an error per time: a quarter of the square of 1/32, for which the two together do not swing.
const DRIFT_SHIFT: u32 = 12;

/// The most by which the device is faster or slower than it says: 2 %.
const MAX_DRIFT: i64 = ONE / 50;

/// An error is caught up with over 2^30 ns, in which steady play hides it, or over 2^26 ns.
const GLIDE_BITS: u32 = 30;
const HURRY_BITS: u32 = 26;

/// And changes the speed by at most 1/256, or by half.
const GLIDE_SHIFT: u32 = 8;
const HURRY_SHIFT: u32 = 1;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Song {
    pub(super) latency: i64,
    /// Where the loop begins, and how long it is; zero if there is none.
    loop_start: i64,
    loop_length: i64,
    /// Seconds of the song a second, by its playback rate, and what is to be added: in 2^-24.
    playback_rate: i64,
    drift: i64,
    /// The position of the output less the time.
    offset: i64,
    /// The estimate less the output.
    owed: i64,
    /// The mean error of the reports.
    spread: i64,
    /// The last report, and the last that was used: when, and the position.
    last: Option<(i64, i64)>,
    changed_at: i64,
    /// The mean time between the reports that are used.
    interval: i64,
    /// Reports that were used since the beginning, a pause or a jump.
    changes: u32,
    /// Strays in a row, negative if the song was behind the estimate.
    strays: i32,
    is_placed: bool,
    hurries: bool,
}

impl Song {
    pub(super) const fn new() -> Self {
        Self {
            latency: 0,
            loop_start: 0,
            loop_length: 0,
            playback_rate: ONE,
            drift: 0,
            offset: 0,
            owed: 0,
            spread: 0,
            last: None,
            changed_at: 0,
            interval: 0,
            changes: 0,
            strays: 0,
            is_placed: false,
            hurries: false,
        }
    }

    pub(super) fn set_playback_rate(&mut self, rate: TimeScale) {
        let rate = u128::from(rate.numer()) * ONE.unsigned_abs() as u128 / u128::from(rate.denom());
        self.playback_rate = rate.clamp(ONE as u128 / 16, ONE as u128 * 16) as i64;
    }

    pub(super) fn set_loop_points(&mut self, points: Option<(i64, i64)>, time: i64) {
        self.offset = self.wrapped(time + self.offset) - time;
        let (start, end) = points.unwrap_or((0, 0));
        (self.loop_start, self.loop_length) = (start, (end - start).max(0));
    }

    /// Seconds of the song a second, in 2^-24.
    pub(super) const fn rate(&self) -> i64 {
        self.playback_rate + self.playback_rate / ONE * self.drift + (self.playback_rate % ONE * self.drift) / ONE
    }

    pub(super) const fn is_moving(&self) -> bool {
        self.changes > 0
    }

    /// The position that is heard at a time.
    pub(super) const fn heard(&self, time: i64) -> i64 {
        let position = self.wrapped(time + self.offset - product(self.latency, self.playback_rate));
        if position > 0 && self.is_placed { position } else { 0 }
    }

    const fn wrapped(&self, position: i64) -> i64 {
        let since = position - self.loop_start;
        if self.loop_length == 0 || since < self.loop_length {
            return position;
        }
        self.loop_start + since % self.loop_length
    }

    /// Forgets what was reported: the position goes on from here.
    pub(super) const fn begin_again(&mut self) {
        (self.last, self.changes, self.strays) = (None, 0, 0);
    }

    /// Takes the position at a time of the program's clock, which is `time` on the followed clock.
    pub(super) fn report(&mut self, at: i64, position: i64, time: i64) {
        let last = self.last.replace((at, position));
        let has_changed = last.is_some_and(|(_, last)| last != position);
        if !self.is_placed {
            // It has not begun: it stands at its beginning until it moves.
            (self.offset, self.is_placed) = (position - time, has_changed);
        }
        let Some((last_at, _)) = last.filter(|_| has_changed) else {
            return;
        };
        let gap = (at - last_at).clamp(0, JUMP);
        if self.changes == 0 {
            (self.spread, self.interval) = (gap.min(2 * STRAY) / 4, gap);
        }
        // The estimate of the true position lies this far before the reported one, and should by twice the mean error.
        let ahead = self.nearest(position, time + self.offset + self.owed);
        let error = ahead + 2 * self.spread;
        let slack = STRAY + 2 * self.spread;
        if self.changes == 0 {
            self.move_to(error);
        } else if ahead > slack || ahead < -gap - slack {
            let side = if ahead < 0 { -1 } else { 1 };
            self.strays = if self.strays * side < 0 {
                side
            } else {
                self.strays + side
            };
            if self.strays.abs() >= STRAYS {
                self.move_to(error);
            }
        } else {
            self.correct(error, (at - self.changed_at).clamp(gap, JUMP));
        }
        self.changed_at = at;
    }

    /// How far a position is from another, the shorter way round if both are in the loop.
    const fn nearest(&self, position: i64, from: i64) -> i64 {
        let ahead = position - from;
        let (start, length) = (self.loop_start, self.loop_length);
        if length == 0 || from < start || position < start || position > start + length {
            return ahead;
        }
        (ahead + length / 2).rem_euclid(length) - length / 2
    }

    /// The song is elsewhere.
    const fn move_to(&mut self, error: i64) {
        (self.changes, self.strays) = (1, 0);
        self.owed += error;
        self.hurries = self.owed.abs() <= JUMP;
        if !self.hurries {
            (self.offset, self.owed) = (self.offset + self.owed, 0);
        }
    }

    fn correct(&mut self, error: i64, since: i64) {
        self.strays = 0;
        self.changes = self.changes.saturating_add(1);
        let age = self.changes.ilog2();
        self.spread += (error.abs() - self.spread) >> (age + 1).min(SPREAD_SHIFT);
        let most = CAUGHT_UP.max(4 * self.spread);
        let error = error.clamp(-most, most);
        self.owed += error >> age.min(ERROR_SHIFT);
        self.interval += (since - self.interval) >> age.min(ERROR_SHIFT);
        if age >= ERROR_SHIFT && self.interval > 0 {
            // By the mean interval: its own one goes with the error, as a position that is seen late comes after a long time.
            let drift = self.drift + ((error * ONE / self.interval) >> DRIFT_SHIFT);
            self.drift = drift.clamp(-MAX_DRIFT, MAX_DRIFT);
        }
    }

    /// Advances by the program's time.
    pub(super) fn advance(&mut self, even: i64) -> i64 {
        let plain = product(even, self.rate());
        let (bits, shift) = if self.hurries {
            (HURRY_BITS, HURRY_SHIFT)
        } else {
            (GLIDE_BITS, GLIDE_SHIFT)
        };
        let longest = 1 << HURRY_BITS;
        let most = plain >> shift;
        let by = part(self.owed.clamp(-longest, longest), even.min(longest), bits).clamp(-most, most);
        self.owed -= by;
        self.hurries &= self.owed.abs() > CAUGHT_UP;
        (plain + by).min(MOST)
    }
}

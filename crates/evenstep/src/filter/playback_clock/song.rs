//! The position of a song, estimated from what is reported in blocks.
//!
//! A reported position is late: a program that asks sees a new block up to a frame after it began. The true position is then between the reported
//! one and that plus the smaller of the block and the time since the last report, mostly evenly spread. A callback of the device says at once
//! where a block begins, but may be late itself; the mean distance of such reports from the estimate says by how much. Where the program asks, half
//! of that distance is enough: a lead that is too long makes it longer. The estimate takes a part of each error, and is moved at once into the range
//! that a report allows. What is drawn glides to the estimate.

use crate::filter::followed_time::{FollowedTime, ONE, Source, product};
use crate::time::TimeScale;

/// How far outside of its range a report may be before the estimate is moved; a quarter of the mean error is added. Nanoseconds, as all below.
const SLACK: i64 = 1_000_000;

/// A report that is further outside of its range is believed after the next one that agrees; where the program asks, twice the range is added.
const NEAR: i64 = 5_000_000;

/// A longer time without a report, and a longer way that is owed, is a jump and is not caught up with.
const JUMP: i64 = 250_000_000;

/// Below this the output has caught up.
const CAUGHT_UP: i64 = 2_000_000;

/// If more than this is owed, beyond what a report leaves open, the output hurries.
const HURRY: i64 = 4_000_000;

/// The longest time between frames of a display.
const MAX_FRAME: i64 = 42_000_000;

/// A song whose position has not changed for this long, beyond the usual, stands.
const REST: i64 = 100_000_000;

/// Jumps of the position that differ by less are alike.
const ALIKE: i64 = 100_000;

/// Differences that are alike, in a row, before they are a block. A seek makes two.
const SURE: u32 = 3;

/// The estimate takes 1/128 of an error, and more at first; the mean error is over 64 reports.
const ERROR_SHIFT: u32 = 7;
const SPREAD_SHIFT: u32 = 6;

/// From 1/32 on the drift takes the square of that part, per time: with a quarter of it the two together would not swing, but be slow to settle.
const DRIFT_SHIFT: u32 = 5;

/// The drift is known after so many changes in which the estimate was not moved. Blocks that are nearly in step with the frames look like a drift
/// until they fall out of step.
const KNOWN: u32 = 512;

/// The most by which the device is faster or slower than it says: 2 %.
const MAX_DRIFT: i64 = ONE / 50;

/// An error is caught up with over 2^30 ns, in which steady play hides it, or over 2^26 ns.
const GLIDE_BITS: u32 = 30;
const HURRY_BITS: u32 = 26;

/// And changes the speed by at most 1/128, or by half.
const GLIDE_SHIFT: u32 = 7;
const HURRY_SHIFT: u32 = 1;

/// Frames with one report near their time, less three times the others: at most so many, and so many at first. With more than `ASKED` the program
/// asks once a frame.
const MAX_ASKED: i64 = 32;
const FIRST_ASKED: i64 = 16;
const ASKED: i64 = 8;

/// A position at a time of the program's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    at: i64,
    position: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Song {
    pub(super) latency: i64,
    /// Where the loop begins, and how long it is; zero if there is none.
    loop_start: i64,
    loop_length: i64,
    /// Seconds of the song a second, by its playback rate, and what is to be added: in 2^-24.
    playback_rate: i64,
    drift: i64,
    known_drift: i64,
    /// The playback rate before, and when it changed.
    last_rate: i64,
    rate_changed_at: i64,
    /// The position of the output less the time, once the song has moved.
    offset: Option<i64>,
    /// The estimate; it advances at the rate unless the song stands.
    estimate: Point,
    stands: bool,
    /// A report that was too far from the estimate, where the song was by it.
    suspect: Option<Point>,
    /// The mean error of the reports, and how far reports are behind the song on average.
    spread: i64,
    lead: i64,
    last: Option<Point>,
    changed_at: i64,
    /// The mean time between changes of the position.
    interval: i64,
    /// The last change of the position, and the block: the smallest change that came twice in a row, or the smallest difference of changes that came
    /// [`SURE`] times.
    jump: i64,
    block: i64,
    /// The last difference of changes, and how often it came in a row.
    difference: i64,
    differences: u32,
    /// Whether the last change went round the loop.
    went_round: bool,
    /// The most that a report left open of late, the smaller of a block and of what the song plays between two reports: when a block is found,
    /// what a report leaves open is smaller at once, and the estimate only later.
    room: i64,
    /// Changes since the beginning, a pause or a move.
    changes: u32,
    /// Reports since the last frame that changed, and of all frames how they were.
    reports: u32,
    asked: i64,
    /// The time between the last report that changed and the one before it.
    gap: i64,
    is_placed: bool,
    pub(super) moves: bool,
    /// Whether the output hurries after the estimate.
    hurries: bool,
}

impl Song {
    pub(super) const fn new() -> Self {
        let zero = Point { at: 0, position: 0 };
        Self {
            latency: 0,
            loop_start: 0,
            loop_length: 0,
            playback_rate: ONE,
            drift: 0,
            known_drift: 0,
            last_rate: ONE,
            rate_changed_at: 0,
            offset: None,
            estimate: zero,
            stands: true,
            suspect: None,
            spread: 0,
            lead: 0,
            last: None,
            changed_at: 0,
            interval: 0,
            jump: 0,
            block: JUMP,
            difference: 0,
            differences: 0,
            went_round: false,
            room: 0,
            changes: 0,
            reports: 0,
            gap: 0,
            asked: FIRST_ASKED,
            is_placed: false,
            moves: false,
            hurries: false,
        }
    }

    pub(super) fn set_playback_rate(&mut self, rate: TimeScale, now: i64) {
        let rate = u128::from(rate.numer()) * ONE.unsigned_abs() as u128 / u128::from(rate.denom());
        let rate = rate.clamp(ONE as u128 / 16, ONE as u128 * 16) as i64;
        if rate == self.playback_rate {
            return;
        }
        self.place(self.estimate_at(now), now);
        (self.last_rate, self.rate_changed_at) = (self.playback_rate, now);
        // Blocks may be even in the song or in time.
        (self.block, self.differences, self.changes) = (JUMP, 0, 0);
        self.playback_rate = rate;
    }

    pub(super) const fn set_loop_points(&mut self, start: i64, end: i64) {
        let moved = self.wrapped(self.estimate.position) - self.estimate.position;
        self.estimate.position += moved;
        if let Some(offset) = &mut self.offset {
            *offset += moved;
        }
        (self.loop_start, self.loop_length) = (start, if end > start { end - start } else { 0 });
    }

    /// Seconds of the song a second, in 2^-24.
    const fn rate(&self) -> i64 {
        self.playback_rate + self.playback_rate / ONE * self.drift + (self.playback_rate % ONE * self.drift) / ONE
    }

    /// The position that is drawn at a time of this clock, which belongs to one of the program's.
    pub(super) fn drawn(&self, time: i64, at: i64) -> i64 {
        self.offset.map_or(0, |offset| self.heard(time + offset, at))
    }

    /// The best estimate of the position that is heard at a time of the program's clock.
    pub(super) fn judged(&self, at: i64) -> i64 {
        let position = match self.suspect {
            Some(point) => point.position + product(at - point.at, self.rate()),
            None => self.estimate_at(at),
        };
        self.heard(position, at)
    }

    /// What is heard when a position is reached: what was there a latency before.
    fn heard(&self, position: i64, at: i64) -> i64 {
        let since = (at - self.rate_changed_at).clamp(0, self.latency);
        let lag = product(since, self.playback_rate) + product(self.latency - since, self.last_rate);
        let position = self.wrapped(position - lag);
        if position > 0 && self.is_placed { position } else { 0 }
    }

    const fn wrapped(&self, position: i64) -> i64 {
        let since = position - self.loop_start;
        if self.loop_length == 0 || since < self.loop_length {
            return position;
        }
        self.loop_start + since % self.loop_length
    }

    const fn estimate_at(&self, at: i64) -> i64 {
        if self.stands {
            return self.estimate.position;
        }
        self.estimate.position + product(at - self.estimate.at, self.rate())
    }

    const fn place(&mut self, position: i64, at: i64) {
        self.estimate = Point { at, position };
    }

    /// The song stands in a pause.
    pub(super) const fn pause(&mut self, now: i64) {
        self.place(self.estimate_at(now), now);
        (self.stands, self.moves) = (true, false);
    }

    /// Takes the position at a time of the program's clock.
    pub(super) fn report(&mut self, at: i64, position: i64) {
        let last = self.last.replace(Point { at, position });
        let Some(last) = last else {
            if !self.is_placed {
                self.place(position, at);
            }
            return;
        };
        let gap = (at - last.at).clamp(0, JUMP);
        let jump = self.ahead(position, last.position);
        if jump == 0 {
            self.stay(at, position);
            return;
        }
        (self.reports, self.gap) = (self.reports + 1, gap);
        let limit = JUMP + product(gap, self.playback_rate);
        let goes_on = jump > 0 && jump <= limit;
        // The loop may cut its last block, and its first.
        let goes_round = goes_on && position < last.position;
        let is_cut = goes_round || self.went_round;
        self.went_round = goes_round;
        if !is_cut {
            if goes_on {
                self.find_block(jump);
            }
            self.jump = jump;
        }
        let step = product(gap, self.playback_rate).min(self.block);
        let is_asked = self.asked > ASKED;
        let width = if is_asked { step } else { 0 };
        let open = step.min(product(MAX_FRAME, self.playback_rate));
        self.room = open.max(self.room - self.room / 128);
        let lead = if is_asked {
            (self.spread + width / 4).max(width / 2)
        } else {
            2 * self.spread
        };
        self.lead = lead;
        if !self.is_placed {
            self.place(if goes_on { position + lead } else { position }, at);
            self.is_placed = goes_on;
            self.spread = SLACK;
        } else {
            let from = self.estimate_at(at);
            let ahead = self.ahead(position, from);
            let slack = SLACK + self.spread / 4;
            let range = width.max(4 * self.spread);
            let off = (ahead - slack).max(0) + (ahead + range + slack).min(0);
            let far = NEAR + if is_asked { 2 * range } else { 0 };
            if off.abs() > far && !self.agrees(at, position) {
                self.suspect = Some(Point {
                    at,
                    position: position + lead,
                });
                return;
            }
            if self.suspect.take().is_some() && off.abs() > far {
                self.changes = 0;
                self.place(from + ahead + lead, at);
            } else {
                let since = if is_cut {
                    self.interval
                } else {
                    (at - self.changed_at).clamp(gap, JUMP)
                };
                if off.abs() > range / 8 {
                    self.changes = 0;
                    if width > 0 {
                        self.drift = self.known_drift;
                    }
                }
                self.correct(Point { at, position: from }, off, ahead + lead - off, since);
            }
        }
        (self.stands, self.moves) = (!self.is_placed, self.is_placed);
        self.changed_at = at;
    }

    /// The position is the last one.
    fn stay(&mut self, at: i64, position: i64) {
        if let Some(point) = self.suspect.take() {
            (self.estimate, self.changes) = (point, 0);
            (self.stands, self.moves, self.changed_at) = (false, true, point.at);
        }
        if !self.moves || self.interval == 0 {
            return;
        }
        let from = self.estimate_at(at);
        let longest = product(self.interval, self.playback_rate);
        let over = -self.ahead(position, from) - longest - SLACK - self.lead;
        if over > 0 {
            self.place(from - over, at);
        }
        if at - self.changed_at > self.interval + REST {
            self.rest();
        }
    }

    /// The song stands within the last block.
    fn rest(&mut self) {
        if let Some(last) = self.last {
            let position = last.position + product(self.interval, self.playback_rate) / 2;
            let from = self.estimate.position;
            self.place(from + self.ahead(position, from), last.at);
        }
        (self.stands, self.moves, self.suspect, self.changes) = (true, false, None, 0);
    }

    /// Whether a report agrees with the suspect before it.
    fn agrees(&self, at: i64, position: i64) -> bool {
        self.suspect.is_some_and(|point| {
            let ahead = self.ahead(position, point.position + product(at - point.at, self.playback_rate));
            let block = product(self.interval, self.playback_rate);
            ahead.abs() <= block + product((at - point.at).clamp(0, JUMP), self.playback_rate) + NEAR
        })
    }

    /// How far a position is from another, the shorter way round if both are in the loop.
    const fn ahead(&self, position: i64, from: i64) -> i64 {
        let from = self.wrapped(from);
        let ahead = position - from;
        let (start, length) = (self.loop_start, self.loop_length);
        if length == 0 || from < start || position < start || position > start + length {
            return ahead;
        }
        (ahead + length / 2).rem_euclid(length) - length / 2
    }

    /// Blocks are what positions change by, or if several begin between two reports, what their changes differ by.
    fn find_block(&mut self, jump: i64) {
        let differs = (jump - self.jump).abs();
        let mut block = jump;
        if differs > ALIKE {
            block = differs.min(jump);
            if (block - self.difference).abs() > ALIKE {
                self.differences = 0;
            }
            self.differences = self.differences.saturating_add(1);
            self.difference = block;
            if self.differences < SURE {
                return;
            }
        }
        if block < self.block - ALIKE {
            self.block = block;
        }
    }

    /// Moves the estimate into the range that a report allows, and takes a part of the error that remains.
    fn correct(&mut self, from: Point, off: i64, error: i64, since: i64) {
        self.changes = self.changes.saturating_add(1);
        let shift = self.changes.ilog2().min(ERROR_SHIFT);
        let most = CAUGHT_UP.max(4 * self.spread).min(JUMP);
        let error = if shift == 0 { error } else { error.clamp(-most, most) };
        if shift > 0 {
            self.spread += (error.abs() - self.spread) >> (shift + 1).min(SPREAD_SHIFT);
        }
        self.place(from.position + off + (error >> shift), from.at);
        if self.interval == 0 {
            self.interval = since;
        } else if shift > 0 {
            self.interval += (since - self.interval) >> shift;
        } else {
            // If it is too short, each block looks like a stall, and this is all that it learns from.
            self.interval += (since - self.interval).max(0) >> 1;
        }
        if shift >= DRIFT_SHIFT && self.interval > 0 && off == 0 {
            // By the mean interval: its own one goes with the error, as a position that is seen late comes after a long time.
            let drift = self.drift + ((error * ONE / self.interval) >> (2 * shift));
            self.drift = drift.clamp(-MAX_DRIFT, MAX_DRIFT);
            if self.changes >= KNOWN {
                self.known_drift = self.drift;
            }
        }
    }
}

impl Source for Song {
    fn advance(&mut self, clock: &FollowedTime, passed: i64, even: i64) -> i64 {
        let now = clock.now();
        if let Some(last) = self.last {
            let near = (now - last.at).abs().min((now - passed - last.at).abs());
            let is_asked = self.reports == 1 && near <= passed / 4 && self.gap <= 2 * passed;
            let vote = match self.reports {
                0 => 0,
                _ if is_asked => 1,
                _ => -3,
            };
            (self.asked, self.reports) = ((self.asked + vote).clamp(0, MAX_ASKED), 0);
            // Two snapshots of another machine may be lost in a row, and the next be late.
            if self.moves && now - last.at > 3 * self.interval + REST {
                self.rest();
            }
        }
        let plain = product(even, self.rate());
        if !self.is_placed || self.stands {
            return if self.is_placed { 0 } else { plain };
        }
        let target = self.estimate_at(clock.even_now()) - (clock.time() + plain);
        let offset = *self.offset.get_or_insert(target);
        let owed = target - offset;
        if owed.abs() > JUMP {
            (self.offset, self.hurries) = (Some(target), false);
            return plain;
        }
        let enough = if self.hurries { CAUGHT_UP } else { HURRY + self.room };
        self.hurries = owed.abs() > enough;
        let (bits, shift) = if self.hurries {
            (HURRY_BITS, HURRY_SHIFT)
        } else {
            (GLIDE_BITS, GLIDE_SHIFT)
        };
        let (most, longest) = (plain >> shift, 1 << HURRY_BITS);
        plain + ((owed.clamp(-longest, longest) * even.min(longest)) >> bits).clamp(-most, most)
    }

    /// The position goes on from here; what was reported before is forgotten.
    fn resume(&mut self, now: i64) {
        self.place(self.estimate.position, now);
        (self.stands, self.last, self.suspect, self.changes) = (!self.is_placed, None, None, 0);
    }

    fn rates(&self) -> (i64, i64) {
        let rate = self.rate();
        let now = match self.stands && self.is_placed {
            true => 0,
            false => rate >> i64::from(self.hurries),
        };
        (rate, now)
    }
}

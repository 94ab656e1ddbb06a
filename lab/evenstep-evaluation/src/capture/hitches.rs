//! Long frames: at random times or periodic, alone or in groups.

use std::fmt;

use fastrand::Rng;

use crate::random::between;

/// Long frames of a recording.
#[derive(Clone, Debug)]
pub(super) struct Hitches {
    /// When each group begins, in milliseconds, ascending.
    at: Vec<f64>,
    is_periodic: bool,
    in_a_group: usize,
    /// The number of frames from one hitch of a group to the next.
    apart: usize,
    /// The lengths of the hitches, in baseline frames.
    length: f64,
}

impl Hitches {
    /// No hitches.
    pub(super) fn none() -> Self {
        Self {
            at: Vec::new(),
            is_periodic: false,
            in_a_group: 1,
            apart: 1,
            length: 1.0,
        }
    }

    /// Random hitches of at least `shortest` baseline frames each, for a recording of `length` milliseconds.
    pub(super) fn random(random: &mut Rng, shortest: f64, baseline: f64, length: f64) -> Self {
        let is_periodic = random.bool();
        let mut hitches = Self {
            at: Vec::new(),
            is_periodic,
            in_a_group: random.usize(1..=if is_periodic { 3 } else { 2 }),
            apart: random.usize(1..=8),
            length: between(random, shortest, 10.0),
        };
        if is_periodic {
            let period = length / between(random, 7.0, 20.0);
            if period < 5.0 * baseline * hitches.frames_of_a_group() {
                hitches.in_a_group = 1;
            }
            hitches.at = periodic(random, period.max(5.0 * baseline * hitches.length), length);
            // Fewer hitches may be a coincidence.
            if hitches.at.len() < 7 {
                hitches.at.clear();
            }
        } else {
            hitches.at = (0..random.usize(1..=12)).map(|_| length * random.f64()).collect();
            hitches.at.sort_by(f64::total_cmp);
        }
        hitches
    }

    /// How long a group takes, in baseline frames.
    fn frames_of_a_group(&self) -> f64 {
        self.in_a_group as f64 * (self.length + self.apart as f64)
    }

    /// Iterates over the hitches in time.
    pub(super) fn plan(&self) -> Plan<'_> {
        Plan {
            hitches: self,
            next: 0,
            left: 0,
            until_next: 0,
        }
    }
}

/// Times about one period apart. A few may be missing.
fn periodic(random: &mut Rng, period: f64, total: f64) -> Vec<f64> {
    let (off, first) = (between(random, 0.0, 0.04), period * random.f64());
    let count = (total / period) as usize;
    let leaves_out = if count > 12 && random.bool() { 0.1 } else { 0.0 };
    let all = (0..count).map(|n| first + period * (n as f64 + off * (2.0 * random.f64() - 1.0)));
    let all: Vec<f64> = all.collect();
    all.into_iter().filter(|_| random.f64() >= leaves_out).collect()
}

impl fmt::Display for Hitches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at.is_empty() {
            return Ok(());
        }
        let when = if self.is_periodic { "periodic" } else { "random" };
        let (count, group, apart, length) = (self.at.len(), self.in_a_group, self.apart, self.length);
        write!(
            f,
            ", {count} {when} hitches of {group}, {apart} frames apart, {length:.1} frames long"
        )
    }
}

/// The hitches still to come.
pub(super) struct Plan<'h> {
    hitches: &'h Hitches,
    next: usize,
    left: usize,
    until_next: usize,
}

impl Plan<'_> {
    /// The length, in baseline frames, of the frame that begins now; none if it is no hitch.
    pub(super) fn next(&mut self, now: f64) -> Option<f64> {
        if self.left > 0 {
            self.until_next -= 1;
            if self.until_next > 0 {
                return None;
            }
            self.left -= 1;
        } else if self.hitches.at.get(self.next).is_some_and(|at| *at <= now) {
            self.next += 1;
            self.left = self.hitches.in_a_group - 1;
        } else {
            return None;
        }
        self.until_next = self.hitches.apart;
        Some(self.hitches.length)
    }
}

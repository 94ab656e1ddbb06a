//! Refreshes that a program misses, and its pauses.

use std::fmt;

use fastrand::Rng;

use crate::random::{between, between_ratios};

/// How a program misses refreshes: alone, or in bursts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Misses {
    /// The share of frames, outside bursts and within them, that miss refreshes.
    alone: f64,
    within: f64,
    /// The share of frames with which a burst begins, and the mean length of one in frames.
    begin: f64,
    length: f64,
    /// The largest number of refreshes that a frame misses.
    most: u32,
}

impl Misses {
    const NONE: Self = Self {
        alone: 0.0,
        within: 0.0,
        begin: 0.0,
        length: 1.0,
        most: 1,
    };

    pub(super) fn random(random: &mut Rng, is_possible: bool) -> Self {
        let most = if random.bool() { 1 } else { 3 };
        match random.u8(0..10) {
            _ if !is_possible => Self::NONE,
            0..4 => Self::NONE,
            4..8 => Self {
                alone: between_ratios(random, 0.0005, 0.03),
                most,
                ..Self::NONE
            },
            _ => Self {
                begin: between_ratios(random, 0.0002, 0.002),
                within: between(random, 0.2, 0.9),
                length: between(random, 3.0, 20.0),
                most,
                ..Self::NONE
            },
        }
    }

    pub(super) fn plan(self) -> Plan {
        Plan {
            misses: self,
            is_burst: false,
        }
    }
}

impl fmt::Display for Misses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.alone > 0.0 {
            write!(f, ", misses refreshes in {:.2} % of frames", 100.0 * self.alone)?;
        }
        if self.begin > 0.0 {
            write!(
                f,
                ", misses refreshes in bursts of {:.0} frames, {:.2} in a thousand",
                self.length,
                1e3 * self.begin
            )?;
        }
        Ok(())
    }
}

/// The misses still to come.
pub(super) struct Plan {
    misses: Misses,
    is_burst: bool,
}

impl Plan {
    /// How many refreshes the next frame misses.
    pub(super) fn next(&mut self, random: &mut Rng) -> u32 {
        let Misses {
            alone,
            within,
            begin,
            length,
            most,
        } = self.misses;
        let turns = random.f64() < if self.is_burst { 1.0 / length } else { begin };
        self.is_burst ^= turns;
        let is_missed = random.f64() < if self.is_burst { within } else { alone };
        let count = random.u32(1..=most);
        if is_missed { count } else { 0 }
    }
}

/// Pauses: a window that is dragged, a level that is loaded, a computer that sleeps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pauses {
    /// The place of each pause as a share of the run, and its length in milliseconds.
    all: Vec<(f64, f64)>,
}

impl Pauses {
    pub(super) fn random(random: &mut Rng) -> Self {
        let count = if random.f64() < 0.7 { 0 } else { random.usize(1..=4) };
        let all = (0..count).map(|_| (random.f64(), between_ratios(random, 100.0, 60_000.0)));
        Self { all: all.collect() }
    }

    /// The pauses of a run of `count` frames.
    pub(super) fn frames(&self, count: usize) -> PausedFrames {
        let frames = self
            .all
            .iter()
            .map(|(share, ms)| ((share * count as f64) as usize, *ms));
        PausedFrames(frames.collect())
    }
}

impl fmt::Display for Pauses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.all.len() {
            0 => Ok(()),
            count => write!(f, ", {count} pauses"),
        }
    }
}

pub(super) struct PausedFrames(Vec<(usize, f64)>);

impl PausedFrames {
    /// The length of the pause before a frame, in milliseconds.
    pub(super) fn at(&self, frame: usize) -> f64 {
        let pauses = self.0.iter().filter(|(at, _)| *at == frame);
        pauses.map(|(_, ms)| ms).sum()
    }
}

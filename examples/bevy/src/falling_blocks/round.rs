//! A round: the loop that runs the fixed updates, and the scores of the last rounds.

use bevy::prelude::*;

/// Steps per second, under both loops.
pub(super) const HERTZ: u32 = 60;
/// How long a round lasts, in seconds.
pub(super) const SECONDS: u64 = 10;
/// The speed of the crane, in units per second.
pub(super) const SPEED: f32 = 300.0;
/// The largest distance of the crane from the middle, in units.
pub(super) const REACH: f32 = 120.0;
/// A marker for each loop.
pub(super) const COLOURS: [Color; 2] = [Color::srgb(0.96, 0.58, 0.26), Color::srgb(0.30, 0.78, 0.86)];

/// The loop that runs the fixed updates. Changing it begins a round.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// Bevy's own loop.
    Bevy,
    /// The loop of `EvenstepPlugin`.
    Evenstep,
}

/// The score of the last round under each [`Loop`].
#[derive(Resource, Clone, Debug, Default)]
pub struct Scores(pub [Score; 2]);

/// The score of a round.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Score {
    pub display: u64,
    pub frames: u64,
    pub steps: u32,
    pub presses: u32,
    pub blocks: u32,
    pub height: usize,
    /// The mean error of the crane's drawn motion per frame, in units.
    pub shaking: f32,
    /// A hash of the bits of all positions since the round began.
    pub history: u32,
    /// The last drawn position of the crane, the sum of its errors, and the number of frames that count.
    pub(super) seen: (f32, f32, u32),
}

impl Scores {
    pub(super) fn of(&mut self, which: Loop) -> &mut Score {
        &mut self.0[which as usize]
    }
}

impl Score {
    pub(super) fn remember(&mut self, number: f32) {
        self.history = (self.history.rotate_left(5) ^ number.to_bits()).wrapping_mul(0x9e37_79b9);
    }

    /// Records that the crane has not been drawn yet, so that its motion until then does not count.
    pub(super) fn not_drawn_yet(&mut self) {
        self.seen.0 = f32::INFINITY;
    }

    /// Records the drawn position of the crane and the distance that it should have moved since the last frame.
    pub(super) fn see(&mut self, x: f32, should: f32) {
        let (last, sum, count) = self.seen;
        let edge = REACH - should.max(SPEED / HERTZ as f32);
        let counts = self.steps > 1 && x.abs().max(last.abs()) < edge;
        let error = if counts { ((x - last).abs() - should).abs() } else { 0.0 };
        self.seen = (x, sum + error, count + u32::from(counts));
        self.shaking = self.seen.1 / self.seen.2.max(1) as f32;
    }
}

//! A round: which loop runs the fixed updates, and how the last rounds went.

use bevy::prelude::*;

/// Steps per second, under both loops.
pub(super) const HERTZ: u32 = 60;
/// How long a round lasts, in seconds.
pub(super) const SECONDS: u64 = 10;
/// How fast the crane goes, in units per second.
pub(super) const SPEED: f32 = 300.0;
/// How far it goes to the left and to the right.
pub(super) const REACH: f32 = 120.0;
/// One for each loop.
pub(super) const COLOURS: [Color; 2] = [Color::srgb(0.96, 0.58, 0.26), Color::srgb(0.30, 0.78, 0.86)];

/// Which loop runs the fixed updates. Put one in its place, and a round begins.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// The one that Bevy comes with.
    Bevy,
    /// That of `EvenstepPlugin`.
    Evenstep,
}

/// How the last rounds went, by [`Loop`].
#[derive(Resource, Clone, Debug, Default)]
pub struct Scores(pub [Score; 2]);

/// How a round went.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Score {
    pub display: u64,
    pub frames: u64,
    pub steps: u32,
    pub presses: u32,
    pub blocks: u32,
    pub height: usize,
    /// By how much the crane is drawn too far or too near in a frame, on average.
    pub shaking: f32,
    /// A hash of the bits of all that ever moved.
    pub history: u32,
    /// Where the crane was drawn, the sum of what it was off, and in how many frames.
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

    /// Takes in that the crane has not been drawn: how far it goes until it is counts for nothing.
    pub(super) fn not_drawn_yet(&mut self) {
        self.seen.0 = f32::INFINITY;
    }

    /// Takes in where the crane is drawn, and how far it should have gone since the last frame.
    pub(super) fn see(&mut self, x: f32, should: f32) {
        let (last, sum, count) = self.seen;
        let edge = REACH - should.max(SPEED / HERTZ as f32);
        let counts = self.steps > 1 && x.abs().max(last.abs()) < edge;
        let error = if counts { ((x - last).abs() - should).abs() } else { 0.0 };
        self.seen = (x, sum + error, count + u32::from(counts));
        self.shaking = self.seen.1 / self.seen.2.max(1) as f32;
    }
}

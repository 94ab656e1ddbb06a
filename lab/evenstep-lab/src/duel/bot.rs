//! A computer player.

use evenstep::Tick;
use evenstep_scenes::duel::{DOWN, Duel, LEFT, RIGHT, UP};
use fastrand::Rng;

/// The interval between its decisions in ticks, which models a person's reaction time.
const REACTION: Tick = 7;

/// How exactly it reaches its target position, in m.
const CLOSE: f64 = 0.3;

/// The state of a bot.
pub(crate) struct Bot {
    side: usize,
    random: Rng,
    held: u8,
}

impl Bot {
    /// A bot whose play depends on its seed.
    pub(crate) fn new(seed: u64, side: usize) -> Self {
        Self {
            side,
            random: Rng::with_seed(seed.wrapping_mul(2).wrapping_add(side as u64)),
            held: 0,
        }
    }

    /// The keys that the bot holds in a tick, given the drawn state of the game.
    pub(crate) fn keys(&mut self, tick: Tick, duel: &Duel) -> u8 {
        if tick.is_multiple_of(REACTION) {
            self.held = self.decide(duel);
        }
        self.held
    }

    /// Chooses the keys. Behind the puck the bot pushes it, with imprecise aim. In front of the puck it moves around it.
    fn decide(&mut self, duel: &Duel) -> u8 {
        let at = *duel.players()[self.side].current();
        let [x, y] = *duel.puck().current();
        let back = if self.side == 0 { -1.0 } else { 1.0 };
        let off = 1.5 * self.random.f64() - 0.75;
        let wanted = if (at[0] - x) * back > CLOSE {
            [x + 0.5 * back, y + off]
        } else {
            [x + 3.0 * back, y + if at[1] > y { 2.0 } else { -2.0 }]
        };
        let mut keys = 0;
        for (axis, less, more) in [(0, LEFT, RIGHT), (1, DOWN, UP)] {
            let offset = wanted[axis] - at[axis];
            if offset.abs() > CLOSE {
                keys |= if offset < 0.0 { less } else { more };
            }
        }
        keys
    }
}

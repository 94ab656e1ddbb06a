//! Hockey for two: each player moves a charge, which repels the puck, and drives it into the other's goal.
//!
//! It is made for network games, so it is not a [`Scene`](crate::Scene): it has two players and implements [`Rewind`] for rollback.
//! The force law is that of [hockey](crate::hockey).

use crate::Integrator;
use evenstep::history::Rewind;
use evenstep::{PositionVelocity, Smoothed, Snapshot, Step};

use crate::StateHash;
use crate::hockey::{COULOMB, SOFTENING};

/// The input bit of the key "left".
pub const LEFT: u8 = 1;
/// The input bit of the key "right".
pub const RIGHT: u8 = 2;
/// The input bit of the key "up".
pub const UP: u8 = 4;
/// The input bit of the key "down".
pub const DOWN: u8 = 8;

/// Width and height of the field in m.
pub const FIELD: [f64; 2] = [20.0, 10.0];

/// The goals are the middle of the left and the right side, between these heights in m.
pub const GOAL: [f64; 2] = [3.0, 7.0];

/// The puck's radius in m.
pub const PUCK_RADIUS: f64 = 0.4;

/// The puck's charge and that of a player in µC, and the puck's mass in kg.
const PUCK: f64 = 10.0;
const PLAYER: f64 = 30.0;
const MASS: f64 = 0.1;

/// How fast a player moves, in m/s.
const SPEED: f64 = 8.0;

/// The smallest distance between a player and a wall, in m.
const MARGIN: f64 = 0.5;

/// The coefficient of restitution of the puck at a wall.
const RESTITUTION: f64 = 0.8;

/// The drag of the puck per second, and the velocity with which it is served, in m/s.
const DRAG: f64 = 0.3;
const SERVE: [f64; 2] = [2.0, 4.0];

/// A game in progress. The input of each player, left and right, is a combination of [`LEFT`], [`RIGHT`], [`UP`] and [`DOWN`]; other
/// bits are ignored.
///
/// ```
/// use evenstep::history::Rewind;
/// use evenstep::{Rate, Step};
/// use evenstep_scenes::duel::{Duel, RIGHT, UP};
///
/// let mut game = Duel::new();
/// for tick in 0..60 {
///     game.step(&Step::new(tick, Rate::hz(60)), &[RIGHT | UP, 0]); // against the upper wall
/// }
/// let [left, _] = game.players();
/// assert!(left.current()[0] > 11.9 && left.current()[1] == 9.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Snapshot)]
pub struct Duel {
    puck: Smoothed<[f64; 2]>,
    velocity: [f64; 2],
    players: [Smoothed<[f64; 2]>; 2],
    score: [u32; 2],
}

impl Default for Duel {
    fn default() -> Self {
        Self::new()
    }
}

impl Duel {
    /// A new game.
    #[must_use]
    pub fn new() -> Self {
        let [width, height] = FIELD;
        let at = |x| Smoothed::new([x, height / 2.0]);
        Self {
            puck: at(width / 2.0),
            velocity: [0.0, SERVE[1]],
            players: [at(width / 5.0), at(width * 0.8)],
            score: [0; 2],
        }
    }

    /// The position of the puck before and after the last step, in m from the lower left corner.
    #[must_use]
    pub const fn puck(&self) -> &Smoothed<[f64; 2]> {
        &self.puck
    }

    /// The positions of the left and the right player.
    #[must_use]
    pub const fn players(&self) -> &[Smoothed<[f64; 2]>; 2] {
        &self.players
    }

    /// The goals of each player.
    #[must_use]
    pub const fn score(&self) -> [u32; 2] {
        self.score
    }

    /// A hash of the bits of the whole state.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let [left, right] = &self.players;
        let smoothed = [&self.puck, left, right].into_iter();
        let numbers = smoothed.flat_map(|state| [*state.previous(), *state.current()]);
        let hash = numbers
            .chain([self.velocity])
            .flatten()
            .fold(StateHash::new(), StateHash::f64);
        self.score
            .iter()
            .fold(hash, |hash, goals| hash.u64(u64::from(*goals)))
            .finish()
    }

    fn move_player(&mut self, side: usize, keys: u8, dt: f64) {
        let axis = |less, more| f64::from(u8::from(keys & more != 0)) - f64::from(u8::from(keys & less != 0));
        let by = [axis(LEFT, RIGHT), axis(DOWN, UP)];
        let player = &mut self.players[side];
        player.begin_step();
        let at = *player.current();
        let moved = |axis: usize| (at[axis] + by[axis] * SPEED * dt).clamp(MARGIN, FIELD[axis] - MARGIN);
        *player.current_mut() = [moved(0), moved(1)];
    }

    fn move_puck(&mut self, dt: f64) {
        let players = self.players.map(|player| *player.current());
        self.puck.begin_step();
        let state = PositionVelocity {
            position: *self.puck.current(),
            velocity: self.velocity,
        };
        let push = |state: &PositionVelocity<[f64; 2]>| acceleration(&players, state.position);
        let PositionVelocity { position, velocity } = Integrator::VelocityVerlet.step(state, dt, push);
        let kept = 1.0 - DRAG * dt;
        self.velocity = [velocity[0] * kept, velocity[1] * kept];
        *self.puck.current_mut() = position;
        self.bounce(1);
        let [x, y] = *self.puck.current();
        if !(GOAL[0]..=GOAL[1]).contains(&y) {
            self.bounce(0);
        } else if x < 0.0 {
            self.goal_of(1);
        } else if x > FIELD[0] {
            self.goal_of(0);
        }
    }

    /// Keeps the puck between the walls of an axis.
    fn bounce(&mut self, axis: usize) {
        let (place, speed) = (&mut self.puck.current_mut()[axis], &mut self.velocity[axis]);
        let (least, most) = (PUCK_RADIUS, FIELD[axis] - PUCK_RADIUS);
        if (*place < least && *speed < 0.0) || (*place > most && *speed > 0.0) {
            *speed *= -RESTITUTION;
        }
        *place = place.clamp(least, most);
    }

    /// A player has scored: the puck is served to the other.
    fn goal_of(&mut self, side: usize) {
        self.score[side] = self.score[side].saturating_add(1);
        self.puck.set([FIELD[0] / 2.0, FIELD[1] / 2.0]);
        self.puck.teleport();
        self.velocity = [if side == 0 { SERVE[0] } else { -SERVE[0] }, SERVE[1]];
    }
}

/// The acceleration of the puck by the charges of the players, in m/s².
fn acceleration(players: &[[f64; 2]; 2], puck: [f64; 2]) -> [f64; 2] {
    players.iter().fold([0.0; 2], |[x, y], player| {
        let away = [puck[0] - player[0], puck[1] - player[1]];
        let squared = away[0] * away[0] + away[1] * away[1] + SOFTENING * SOFTENING;
        let strength = COULOMB * PUCK * PLAYER / (MASS * squared * squared.sqrt());
        [x + strength * away[0], y + strength * away[1]]
    })
}

impl Rewind for Duel {
    type Saved = Self;
    type Input = [u8; 2];

    fn save(&self) -> Self {
        *self
    }

    fn restore(&mut self, saved: &Self) {
        *self = *saved;
    }

    fn step(&mut self, step: &Step, keys: &[u8; 2]) {
        self.move_player(0, keys[0], step.dt);
        self.move_player(1, keys[1], step.dt);
        self.move_puck(step.dt);
    }
}

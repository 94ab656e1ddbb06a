//! The game of the two machines: two pucks on a field with walls.

use std::f64::consts::FRAC_1_SQRT_2;
use std::time::Duration;

use evenstep::history::{Correction, Rewind};
use evenstep::{Inspect, Smoothed, Step, Tick, Vector as _, inspect};
use evenstep_ggrs::{InputStatus, RollbackGame};

/// Width and height of the field, and the radius of a puck, in metres.
pub(crate) const FIELD: [f64; 2] = [4.0, 3.0];
pub(crate) const RADIUS: f64 = 0.25;

/// The acceleration of a puck by a player, in m/s², and the drag of a puck per second.
const PUSH: f64 = 10.0;
const DRAG: f64 = 2.5;

/// The share of its speed that a puck keeps when it hits a wall or the other puck.
const BOUNCE: f64 = 0.9;

/// The time in which a correction is blended out.
const GLIDE: Duration = Duration::from_millis(150);

/// The seed of the network and of the scripted players.
pub(crate) const SEED: u64 = 1;

/// The number of hashes that are kept.
const HASHES: usize = 256;

/// A game of two pucks on a field with walls.
pub(crate) struct Arena {
    pucks: [Puck; 2],
    /// The hash of the state before each of the last ticks, from its last simulation. The index is the tick modulo the length.
    hashes: [(Tick, u64); HASHES],
    /// The corrections of the drawn pucks, and their drawn positions before a rollback.
    glides: [Correction<[f64; 2]>; 2],
    drawn: [[f64; 2]; 2],
}

#[derive(Clone, Copy, Inspect)]
pub(crate) struct Puck {
    /// In metres, from the lower left corner.
    position: Smoothed<[f64; 2]>,
    velocity: [f64; 2],
}

/// The direction that a player's keys give: a sum of 1, 2, 4 and 8 for left, right, down and up.
fn direction(keys: u8) -> [f64; 2] {
    let along = |less: u8, more: u8| f64::from(keys / more % 2) - f64::from(keys / less % 2);
    let [x, y] = [along(1, 2), along(4, 8)];
    let size = if x != 0.0 && y != 0.0 { FRAC_1_SQRT_2 } else { 1.0 };
    [x * size, y * size]
}

/// The keys of a scripted player in a tick: each is held for a while.
pub(crate) fn script(player: usize, tick: Tick) -> u8 {
    let held = tick / (18 + 5 * player as u64);
    let mut random = fastrand::Rng::with_seed(SEED ^ held << 8 ^ (player as u64) << 40);
    [1, 2, 4, 8, 5, 6, 9, 10][random.usize(..8)]
}

impl Arena {
    pub(crate) fn new() -> Self {
        let puck = |x| Puck {
            position: Smoothed::new([x, FIELD[1] / 2.0]),
            velocity: [0.0; 2],
        };
        Self {
            pucks: [puck(1.0), puck(3.0)],
            hashes: [(Tick::MAX, 0); HASHES],
            glides: [Correction::new(GLIDE, FIELD[0]); 2],
            drawn: [[0.0; 2]; 2],
        }
    }

    /// The simulated positions of the pucks.
    pub(crate) fn truth(&self, alpha: f64) -> [[f64; 2]; 2] {
        self.pucks.map(|puck| puck.position.at(alpha))
    }

    /// The drawn positions of the pucks.
    pub(crate) fn picture(&self, alpha: f64) -> [[f64; 2]; 2] {
        let truth = self.truth(alpha);
        [0, 1].map(|puck| self.glides[puck].apply(truth[puck]))
    }

    /// Advances the blending by a time.
    pub(crate) fn glide(&mut self, time: Duration) {
        self.glides.iter_mut().for_each(|glide| glide.advance(time));
    }

    /// The hash of the bits of the state.
    pub(crate) fn hash(&self) -> u64 {
        inspect::hash(&self.pucks)
    }

    /// The hash of the state before a tick, if it is kept.
    pub(crate) fn hash_before(&self, tick: Tick) -> Option<u64> {
        let (of, hash) = self.hashes[tick as usize % HASHES];
        (of == tick).then_some(hash)
    }

    /// Pushes pucks that touch away from each other.
    fn meet(&mut self) {
        let [one, other] = &self.pucks;
        let apart = other.position.current().plus(*one.position.current(), -1.0);
        let distance = dot(apart, apart).sqrt();
        if distance >= 2.0 * RADIUS || distance == 0.0 {
            return;
        }
        let normal = apart.map(|along| along / distance);
        let closing = dot(one.velocity.plus(other.velocity, -1.0), normal);
        let impulse = (closing * (1.0 + BOUNCE) / 2.0).max(0.0);
        let overlap = RADIUS - distance / 2.0;
        for (puck, side) in self.pucks.iter_mut().zip([-1.0, 1.0]) {
            puck.velocity = puck.velocity.plus(normal, side * impulse);
            let at = puck.position.current_mut();
            *at = at.plus(normal, side * overlap);
        }
    }
}

impl Puck {
    fn step(&mut self, keys: u8, dt: f64) {
        self.position.begin_step();
        let pushed = self.velocity.plus(direction(keys), PUSH * dt);
        self.velocity = pushed.plus(self.velocity, -DRAG * dt);
        let at = self.position.current_mut();
        *at = at.plus(self.velocity, dt);
    }

    /// Bounces off the walls.
    fn stay(&mut self) {
        let at = self.position.current_mut().iter_mut();
        for ((at, velocity), side) in at.zip(&mut self.velocity).zip(FIELD) {
            let within = at.clamp(RADIUS, side - RADIUS);
            if (*at - within) * *velocity > 0.0 {
                *velocity *= -BOUNCE;
            }
            *at = within;
        }
    }
}

fn dot(one: [f64; 2], other: [f64; 2]) -> f64 {
    one[0] * other[0] + one[1] * other[1]
}

impl Rewind for Arena {
    type Saved = [Puck; 2];
    type Input = [u8; 2];

    fn save(&self) -> [Puck; 2] {
        self.pucks
    }

    fn restore(&mut self, saved: &[Puck; 2]) {
        self.pucks = *saved;
    }

    fn step(&mut self, step: &Step, keys: &[u8; 2]) {
        self.hashes[step.tick as usize % HASHES] = (step.tick, self.hash());
        for (puck, keys) in self.pucks.iter_mut().zip(keys) {
            puck.step(*keys, step.dt);
        }
        self.meet();
        self.pucks.iter_mut().for_each(Puck::stay);
    }
}

impl RollbackGame for Arena {
    type PlayerInput = u8;
    type Event = ();

    fn input(players: &[(u8, InputStatus)]) -> [u8; 2] {
        [0, 1].map(|player| players.get(player).map_or(0, |(keys, _)| *keys))
    }

    fn checksum(&self) -> u64 {
        self.hash()
    }

    fn before_rollback(&mut self, alpha: f64) {
        self.drawn = self.picture(alpha);
    }

    fn after_rollback(&mut self, alpha: f64) {
        let truth = self.truth(alpha);
        for (glide, (drawn, truth)) in self.glides.iter_mut().zip(self.drawn.into_iter().zip(truth)) {
            glide.correct(drawn, truth);
        }
    }
}

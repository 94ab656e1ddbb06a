//! Electric Field Hockey: a charged puck among fixed charges, walls and a goal.
//!
//! Place charges, shoot, and the puck follows the field. Close passes make the path sensitive to the last bit, so it
//! shows that fixed steps always give the same path and variable steps do not.
//!
//! The force on the puck is Coulomb's, softened as by H. C. Plummer (1911) so that it stays finite:
//! `F = k·q₁·q₂·r / (r² + ε²)^(3/2)`, with charges in µC, lengths in m, `k = 8.99·10⁻³ N·m²/µC²` and `ε` = 0.5 m.

use evenstep::{Inspect, PositionVelocity, Rate, Step};

use crate::{Integrator, Outcome, Scene, SceneInfo};

mod level;

pub use level::{Charge, ChargesError, FIELD, GOAL, LEVELS, Level, RADIUS, Wall};

/// Coulomb's constant in N·m²/µC².
const COULOMB: f64 = 8.99e-3;

/// The length in m below which the force of a charge is softened.
const SOFTENING: f64 = 0.5;

/// The puck's charge in µC. Its mass is 1 kg.
const PUCK: f64 = 100.0;

/// The time limit of a shot in s.
const MAX_SECONDS: f64 = 20.0;

/// The description of the scene.
pub const INFO: SceneInfo = SceneInfo {
    name: "hockey",
    rate: Rate::hz(60),
    engines: &[],
    build: |_| Ok(Box::new(Hockey::new(&LEVELS[2], LEVELS[2].solution)?)),
};

/// A game in progress.
///
/// ```
/// use evenstep::{Rate, Step};
/// use evenstep_scenes::{Outcome, Scene, hockey::{Hockey, LEVELS}};
///
/// let mut game = Hockey::new(&LEVELS[0], LEVELS[0].solution)?;
/// let mut ticks = 0..;
/// while game.outcome() == Outcome::Running {
///     game.step(&Step::new(ticks.next().unwrap_or(0), Rate::hz(60)));
/// }
/// assert_eq!(game.outcome(), Outcome::Ended("goal"));
/// # Ok::<(), evenstep_scenes::hockey::ChargesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Inspect)]
pub struct Hockey {
    #[inspect(skip)] // set once
    level: &'static Level,
    /// The level's charges, then the player's.
    #[inspect(skip)] // set once
    charges: Vec<Charge>,
    puck: PositionVelocity<[f64; 2]>,
    seconds: f64,
    #[inspect(skip)] // follows from the puck and the time
    outcome: Outcome,
}

impl Hockey {
    /// A game on a level with the charges that the player has placed.
    ///
    /// # Errors
    ///
    /// If there are more charges than the level allows, or one of them is outside the field, too large, or on the puck.
    pub fn new(level: &'static Level, placed: &[Charge]) -> Result<Self, ChargesError> {
        level.check(placed)?;
        Ok(Self {
            charges: level.charges.iter().chain(placed).copied().collect(),
            level,
            puck: PositionVelocity {
                position: level.puck,
                velocity: level.velocity,
            },
            seconds: 0.0,
            outcome: Outcome::Running,
        })
    }

    /// The position of the puck in m.
    #[must_use]
    pub const fn puck(&self) -> [f64; 2] {
        self.puck.position
    }

    /// The force in N on a puck at `position` in m.
    #[must_use]
    pub fn force_at(&self, position: [f64; 2]) -> [f64; 2] {
        force(&self.charges, position)
    }

    fn outcome_at(&self, from: [f64; 2], to: [f64; 2]) -> Outcome {
        if self.level.is_won(from, to) {
            Outcome::Ended("goal")
        } else if self.level.blocks(to) {
            Outcome::Ended("wall")
        } else if self.seconds >= MAX_SECONDS {
            Outcome::Ended("out of time")
        } else {
            Outcome::Running
        }
    }
}

/// The force on a puck at `position` in N, which is its acceleration in m/s².
fn force(charges: &[Charge], position: [f64; 2]) -> [f64; 2] {
    let mut force = [0.0; 2];
    for charge in charges {
        let away = [position[0] - charge.position[0], position[1] - charge.position[1]];
        let squared = away[0] * away[0] + away[1] * away[1] + SOFTENING * SOFTENING;
        let strength = COULOMB * PUCK * charge.charge / (squared * squared.sqrt());
        force = [force[0] + strength * away[0], force[1] + strength * away[1]];
    }
    force
}

impl Scene for Hockey {
    fn step(&mut self, step: &Step) {
        if self.outcome != Outcome::Running {
            return;
        }
        let (charges, from) = (&self.charges, self.puck.position);
        self.puck = Integrator::VelocityVerlet.step(self.puck, step.dt, |puck| force(charges, puck.position));
        self.seconds += step.dt;
        self.outcome = self.outcome_at(from, self.puck.position);
    }

    fn outcome(&self) -> Outcome {
        self.outcome
    }

    fn nudge(&mut self, by: [f64; 2]) {
        let [vx, vy] = self.puck.velocity;
        self.puck.velocity = [vx + by[0], vy + by[1]];
    }

    fn read(&self) -> Vec<PositionVelocity<f64>> {
        let axis = |axis: usize| PositionVelocity {
            position: self.puck.position[axis],
            velocity: self.puck.velocity[axis],
        };
        vec![axis(0), axis(1)]
    }
}

//! A damped spring: the problem in one dimension.
//!
//! `x″ + b·x′ + k·x = 0`, for a mass of 1 kg. Stiff springs are the first to become unstable when the step is too long.

use evenstep::{Inspect, PositionVelocity, Rate, Step};

use crate::{Integrator, Outcome, Scene, SceneInfo};

/// Beyond this, in metres or metres per second, the state counts as exploded.
const EXPLODED: f64 = 1e6;

/// The description of the scene.
pub const INFO: SceneInfo = SceneInfo {
    name: "spring",
    rate: Rate::hz(60),
    engines: &[],
    build: |_| Ok(Box::new(Spring::default())),
};

/// A damped spring.
///
/// ```
/// use evenstep::{Rate, Step};
/// use evenstep_scenes::Integrator;
/// use evenstep_scenes::{Scene, spring::Spring};
///
/// let mut spring = Spring { b: 0.0, integrator: Integrator::RungeKutta4, ..Spring::default() };
/// for tick in 0..100 {
///     spring.step(&Step::new(tick, Rate::hz(100)));
/// }
/// let exact = 100.0 * spring.k.sqrt().cos();
/// assert!((spring.state.position - exact).abs() < 1e-4);
/// ```
#[derive(Clone, Debug, PartialEq, Inspect)]
pub struct Spring {
    /// Stiffness in N/m.
    #[inspect(skip)] // set once
    pub k: f64,
    /// Damping in N·s/m.
    #[inspect(skip)] // set once
    pub b: f64,
    /// The integrator.
    #[inspect(skip)] // set once
    pub integrator: Integrator,
    /// Position in m and velocity in m/s now.
    pub state: PositionVelocity<f64>,
}

impl Default for Spring {
    /// The article's: 10 N/m, 1 N·s/m, 1 kg, released at 100 m.
    fn default() -> Self {
        Self {
            k: 10.0,
            b: 1.0,
            integrator: Integrator::default(),
            state: PositionVelocity {
                position: 100.0,
                velocity: 0.0,
            },
        }
    }
}

impl Spring {
    /// Whether its state grew beyond 10⁶.
    #[must_use]
    pub const fn has_exploded(&self) -> bool {
        self.state.position.abs() > EXPLODED || self.state.velocity.abs() > EXPLODED
    }

    /// The total energy in J.
    pub(crate) fn energy(&self) -> f64 {
        let PositionVelocity { position, velocity } = self.state;
        0.5 * (self.k * position * position + velocity * velocity)
    }
}

impl Scene for Spring {
    fn step(&mut self, step: &Step) {
        if self.has_exploded() {
            return;
        }
        let next = self.integrator.step(self.state, step.dt, |state| {
            -(self.k * state.position + self.b * state.velocity)
        });
        let finite = |value: f64| if value.is_finite() { value } else { f64::MAX };
        self.state = PositionVelocity {
            position: finite(next.position),
            velocity: finite(next.velocity),
        };
    }

    fn outcome(&self) -> Outcome {
        if self.has_exploded() {
            Outcome::Exploded
        } else {
            Outcome::Running
        }
    }

    fn read(&self) -> Vec<PositionVelocity<f64>> {
        vec![self.state]
    }

    fn nudge(&mut self, by: [f64; 2]) {
        self.state.velocity += by[0];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exploded_spring_stays_finite() {
        let mut spring = Spring {
            k: 1e9,
            ..Spring::default()
        };
        let ten_seconds = Rate::new(1, 10).unwrap();
        for tick in 0..10_000 {
            spring.step(&Step::new(tick, ten_seconds));
            assert!(spring.state.position.is_finite() && spring.state.velocity.is_finite());
        }
        assert!(spring.has_exploded());
    }
}

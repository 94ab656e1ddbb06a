//! A damped spring: the problem in one dimension.
//!
//! `m·x″ + b·x′ + k·x = 0`. Stiff springs are the first to become unstable when the step is too long. The closed form gives the
//! error of each integrator.

use evenstep::{Inspect, PositionVelocity, Rate, Step};

use crate::{Integrator, Outcome, Scene, SceneInfo, Setting, SettingKind, Settings};

/// Beyond this, in metres or metres per second, the state counts as exploded.
const EXPLODED: f64 = 1e6;

/// The setting that chooses the integrator.
pub(crate) const INTEGRATOR: Setting = Setting {
    key: "integrator",
    default: "semi-implicit-euler",
    kind: SettingKind::Choice(&Integrator::NAMES),
};

/// The description of the scene.
pub const INFO: SceneInfo = SceneInfo {
    name: "spring",
    rate: Rate::hz(60),
    settings: &[
        Setting::number("k", "10", 0.0, 1e9),
        Setting::number("b", "1", 0.0, 1e6),
        Setting::number("m", "1", 1e-6, 1e6),
        Setting::number("x0", "100", -1e5, 1e5),
        Setting::number("v0", "0", -1e5, 1e5),
        INTEGRATOR,
    ],
    channels: &["position"],
    build: |settings| Ok(Box::new(Spring::from_settings(settings)) as Box<dyn Scene>),
};

/// A damped spring.
///
/// ```
/// use evenstep::{Rate, Step};
/// use evenstep_scenes::Integrator;
/// use evenstep_scenes::{Scene, spring::Spring};
///
/// let mut spring = Spring { integrator: Integrator::RungeKutta4, ..Spring::default() };
/// for tick in 0..100 {
///     spring.step(&Step::new(tick, Rate::hz(100)));
/// }
/// let exact = spring.exact(1.0).expect("a spring has a closed form");
/// assert!((spring.state.position - exact).abs() < 1e-5);
/// ```
#[derive(Clone, Debug, PartialEq, Inspect)]
pub struct Spring {
    /// Stiffness in N/m.
    #[inspect(skip)] // set once
    pub k: f64,
    /// Damping in N·s/m.
    #[inspect(skip)] // set once
    pub b: f64,
    /// Mass in kg, above zero.
    #[inspect(skip)] // set once
    pub m: f64,
    /// The integrator.
    #[inspect(skip)] // set once
    pub integrator: Integrator,
    /// Position in m and velocity in m/s at the start.
    #[inspect(skip)] // set once
    pub start: PositionVelocity<f64>,
    /// Position in m and velocity in m/s now.
    pub state: PositionVelocity<f64>,
}

impl Default for Spring {
    /// The article's: 10 N/m, 1 N·s/m, 1 kg, released at 100 m.
    fn default() -> Self {
        Self::from_settings(&INFO.settings())
    }
}

impl Spring {
    fn from_settings(settings: &Settings) -> Self {
        let start = PositionVelocity {
            position: settings.number("x0"),
            velocity: settings.number("v0"),
        };
        Self {
            k: settings.number("k"),
            b: settings.number("b"),
            m: settings.number("m"),
            integrator: Integrator::by_name(settings.text("integrator")).unwrap_or_default(),
            start,
            state: start,
        }
    }

    /// Whether its state grew beyond 10⁶.
    #[must_use]
    pub const fn has_exploded(&self) -> bool {
        self.state.position.abs() > EXPLODED || self.state.velocity.abs() > EXPLODED
    }

    /// The closed form: position in m, `seconds` after the start. See any text on the damped harmonic oscillator.
    #[must_use]
    pub fn position_at(&self, seconds: f64) -> f64 {
        let PositionVelocity { position, velocity } = self.start;
        let decay = self.b / (2.0 * self.m);
        let discriminant = decay * decay - self.k / self.m;
        let envelope = libm::exp(-decay * seconds);
        // This near to critical damping, the general forms divide rounding errors by a tiny number.
        if discriminant.abs() <= 1e-12 * decay * decay {
            return envelope * (position + (velocity + decay * position) * seconds);
        }
        if discriminant < 0.0 {
            let omega = (-discriminant).sqrt();
            let (sin, cos) = libm::sincos(omega * seconds);
            return envelope * (position * cos + (velocity + decay * position) / omega * sin);
        }
        let spread = discriminant.sqrt();
        // Written with decaying exponentials only, so that neither overflows.
        let slow = libm::exp((spread - decay) * seconds);
        let fast = libm::exp(-(spread + decay) * seconds);
        let weight = (velocity + decay * position) / spread;
        0.5 * (slow * (position + weight) + fast * (position - weight))
    }
}

impl Scene for Spring {
    fn step(&mut self, step: &Step) {
        if self.has_exploded() {
            return;
        }
        let next = self.integrator.step(self.state, step.dt, |state| {
            -(self.k * state.position + self.b * state.velocity) / self.m
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

    fn exact(&self, seconds: f64) -> Option<f64> {
        Some(self.position_at(seconds))
    }

    fn energy(&self) -> Option<f64> {
        let PositionVelocity { position, velocity } = self.state;
        Some(0.5 * (self.k * position * position + self.m * velocity * velocity))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_solves_the_equation_for_every_damping() {
        for b in [0.0, 1.0, 40.0_f64.sqrt(), 20.0] {
            let spring = Spring { b, ..Spring::default() };
            for time in [0.1, 1.0, 3.0] {
                let h = 1e-4;
                let [before, at, after] = [time - h, time, time + h].map(|time| spring.position_at(time));
                let acceleration = (after - 2.0 * at + before) / (h * h);
                let velocity = (after - before) / (2.0 * h);
                assert!(
                    (acceleration + b * velocity + 10.0 * at).abs() < 1e-2,
                    "b = {b}, t = {time}"
                );
            }
            assert_eq!(spring.position_at(0.0), 100.0);
        }
    }

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

//! How a step moves a body: integrators from Euler to Runge and Kutta.
//!
//! ```
//! use evenstep_scenes::Integrator;
//! use evenstep::{FixedTimestep, PositionVelocity, Rate};
//! use std::time::Duration;
//!
//! let mut timestep = FixedTimestep::new(Rate::hz(60));
//! let mut spring = PositionVelocity { position: 1.0, velocity: 0.0 };
//! for step in timestep.advance(Duration::from_millis(100)).steps() {
//!     spring = Integrator::SemiImplicitEuler.step(spring, step.dt, |at| -40.0 * at.position);
//! }
//! assert!(spring.position < 0.9 && spring.velocity < 0.0);
//! ```

use evenstep::{PositionVelocity, Vector};

/// A way to carry a position and a velocity over one step, given the acceleration.
///
/// | | order | evaluations | undamped spring of angular frequency ω stays bounded for |
/// |---|---|---|---|
/// | `ExplicitEuler` | 1 | 1 | no step at all |
/// | `SemiImplicitEuler` | 1 | 1 | ω·dt < 2 |
/// | `VelocityVerlet` | 2 | 2 | ω·dt < 2 |
/// | `RungeKutta4` | 4 | 4 | ω·dt < 2√2, losing a little energy |
///
/// Orders and bounds: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical Integration* (2006), chapter I.
///
/// ```
/// use evenstep::PositionVelocity;
/// use evenstep_scenes::Integrator;
///
/// // A stone falls for one second.
/// let mut stone = PositionVelocity { position: 0.0, velocity: 0.0 };
/// for _ in 0..100 {
///     stone = Integrator::VelocityVerlet.step(stone, 0.01, |_| -9.81);
/// }
/// assert!((stone.position - -4.905_f64).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Integrator {
    /// Position by the old velocity, velocity by the old acceleration. Gains energy: the method that explodes.
    ExplicitEuler,
    /// Velocity by the old acceleration, then position by the new velocity. What most physics engines do.
    #[default]
    SemiImplicitEuler,
    /// Position to second order, velocity by the mean of the accelerations before and after. An acceleration that
    /// depends on the velocity is evaluated after the step at `v + a·dt`.
    VelocityVerlet,
    /// The classical method of Runge and Kutta.
    RungeKutta4,
}

impl Integrator {
    /// All of them, from simple to accurate.
    pub const ALL: [Self; 4] = [
        Self::ExplicitEuler,
        Self::SemiImplicitEuler,
        Self::VelocityVerlet,
        Self::RungeKutta4,
    ];

    /// Their names, in the same order.
    pub const NAMES: [&'static str; 4] = ["explicit-euler", "semi-implicit-euler", "velocity-verlet", "rk4"];

    /// The integrator with a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let index = Self::NAMES.iter().position(|known| *known == name)?;
        Some(Self::ALL[index])
    }

    /// The state after `dt` seconds. `acceleration` answers in units per second squared.
    #[inline]
    pub fn step<V: Vector>(
        self,
        state: PositionVelocity<V>,
        dt: f64,
        acceleration: impl Fn(&PositionVelocity<V>) -> V,
    ) -> PositionVelocity<V> {
        let PositionVelocity { position, velocity } = state;
        match self {
            Self::ExplicitEuler => PositionVelocity {
                position: position.plus(velocity, dt),
                velocity: velocity.plus(acceleration(&state), dt),
            },
            Self::SemiImplicitEuler => {
                let velocity = velocity.plus(acceleration(&state), dt);
                let position = position.plus(velocity, dt);
                PositionVelocity { position, velocity }
            }
            Self::VelocityVerlet => {
                let before = acceleration(&state);
                let position = position.plus(velocity, dt).plus(before, 0.5 * dt * dt);
                let ahead = velocity.plus(before, dt);
                let after = acceleration(&PositionVelocity {
                    position,
                    velocity: ahead,
                });
                let velocity = velocity.plus(before, 0.5 * dt).plus(after, 0.5 * dt);
                PositionVelocity { position, velocity }
            }
            Self::RungeKutta4 => runge_kutta_4(state, dt, acceleration),
        }
    }
}

fn runge_kutta_4<V: Vector>(
    state: PositionVelocity<V>,
    dt: f64,
    acceleration: impl Fn(&PositionVelocity<V>) -> V,
) -> PositionVelocity<V> {
    let slope = |at: PositionVelocity<V>| PositionVelocity {
        position: at.velocity,
        velocity: acceleration(&at),
    };
    let along = |slope: PositionVelocity<V>, time: f64| PositionVelocity {
        position: state.position.plus(slope.position, time),
        velocity: state.velocity.plus(slope.velocity, time),
    };
    let first = slope(state);
    let second = slope(along(first, 0.5 * dt));
    let third = slope(along(second, 0.5 * dt));
    let fourth = slope(along(third, dt));
    let weighted = |state: V, parts: [V; 4]| {
        let [a, b, c, d] = parts;
        state
            .plus(a, dt / 6.0)
            .plus(b, dt / 3.0)
            .plus(c, dt / 3.0)
            .plus(d, dt / 6.0)
    };
    let slopes = [first, second, third, fourth];
    PositionVelocity {
        position: weighted(state.position, slopes.map(|slope| slope.position)),
        velocity: weighted(state.velocity, slopes.map(|slope| slope.velocity)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An undamped spring with ω = 1, after `time` seconds in `steps` steps.
    fn spring(integrator: Integrator, time: f64, steps: u32) -> PositionVelocity<f64> {
        let dt = time / f64::from(steps);
        let start = PositionVelocity {
            position: 1.0,
            velocity: 0.0,
        };
        (0..steps).fold(start, |state, _| integrator.step(state, dt, |at| -at.position))
    }

    fn energy(state: PositionVelocity<f64>) -> f64 {
        0.5 * (state.position * state.position + state.velocity * state.velocity)
    }

    #[test]
    fn halving_the_step_divides_the_error_by_two_to_the_order() {
        const COS_2: f64 = -0.416_146_836_547_142_4;
        let error = |integrator, steps| (spring(integrator, 2.0, steps).position - COS_2).abs();
        for (name, order) in [
            ("explicit-euler", 1),
            ("semi-implicit-euler", 1),
            ("velocity-verlet", 2),
            ("rk4", 4),
        ] {
            let integrator = Integrator::by_name(name).unwrap();
            let gain = error(integrator, 400) / error(integrator, 800);
            let expected = f64::from(1 << order);
            assert!((gain / expected - 1.0).abs() < 0.1, "{name} gains {gain}");
        }
        // The other one of order 1 cannot be told from it by its order.
        assert_eq!(Integrator::by_name("explicit-euler"), Some(Integrator::ExplicitEuler));
    }

    #[test]
    fn only_explicit_euler_gains_energy() {
        for integrator in Integrator::ALL {
            let gained = energy(spring(integrator, 100.0, 1_000)) / 0.5;
            match integrator {
                Integrator::ExplicitEuler => assert!(gained > 100.0),
                _ => assert!((0.9..1.06).contains(&gained), "{integrator:?} has {gained}"),
            }
        }
    }

    #[test]
    fn the_stability_bounds_are_where_the_table_says() {
        for (integrator, bound) in [
            (Integrator::SemiImplicitEuler, 2.0),
            (Integrator::VelocityVerlet, 2.0),
            (Integrator::RungeKutta4, 8.0_f64.sqrt()),
        ] {
            let largest = |dt: f64| spring(integrator, dt * 10_000.0, 10_000).position.abs();
            assert!(largest(bound * 0.99) < 10.0, "{integrator:?} below its bound");
            let above = largest(bound * 1.01);
            assert!(above > 1e6 || above.is_nan(), "{integrator:?} above its bound");
        }
    }

    #[test]
    fn arrays_step_as_their_elements_do() {
        let state = PositionVelocity {
            position: [1.0_f32, 2.0],
            velocity: [0.5, -0.5],
        };
        for integrator in Integrator::ALL {
            let both = integrator.step(state, 0.1, |at| at.position.map(|x| -x));
            for axis in 0..2 {
                let one = PositionVelocity {
                    position: state.position[axis],
                    velocity: state.velocity[axis],
                };
                let one = integrator.step(one, 0.1, |at| -at.position);
                assert_eq!((both.position[axis], both.velocity[axis]), (one.position, one.velocity));
            }
        }
    }
}

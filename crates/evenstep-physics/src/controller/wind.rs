use evenstep::Step;
use evenstep::integrate::Vector as _;

use super::attachment::Controller;
use crate::arena::BodyKey;
use crate::drag::Drag;
use crate::engine::{BodyMotion, Engine, PhysicsVector, VectorOf};
use crate::world::World;

/// Wind that pushes bodies along by quadratic drag.
///
/// `F = ½·ρ·c·A·|w|·w` with `w` the wind's velocity against the body's: air density `ρ` in kg/m³ (1.2 at sea level), drag
/// coefficient `c` (about 1 for boxes, 0.5 for balls), and the area `A` that faces the wind in m² (in the plane: its
/// width in m, taken one metre deep). Lord Rayleigh's drag equation, as a [`Drag`]: a body never becomes faster than the wind
/// by it, however light. Bodies asleep in a wind stay asleep until it exceeds
/// `wakes_at`.
///
/// ```
/// use evenstep_physics::controller::Wind;
///
/// let breeze = Wind { velocity: [10.0, 0.0], drag: 0.6, wakes_at: 1.0 };
/// assert_eq!(breeze.force_on([0.0, 0.0]), [60.0, 0.0]);
/// assert_eq!(breeze.force_on([10.0, 0.0]), [0.0, 0.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Wind<V> {
    /// The wind's velocity in m/s.
    pub velocity: V,
    /// `½·ρ·c·A` in kg/m.
    pub drag: f32,
    /// The force in N below which bodies are left alone.
    pub wakes_at: f32,
}

impl<V: PhysicsVector> Wind<V> {
    /// The force in N on a body of a velocity in m/s.
    #[must_use]
    pub fn force_on(&self, velocity: V) -> V {
        let against = self.velocity.plus(velocity, -1.0);
        against.times(f64::from(self.drag) * f64::from(against.length()))
    }
}

impl<E: Engine, U> Controller<E, U> for Wind<VectorOf<E>> {
    fn control(&mut self, world: &mut World<E, U>, body: BodyKey, _: &Step) {
        if let Ok(motion) = world.motion(body) {
            let against = self.velocity.plus(motion.velocity(), -1.0).length();
            // That of a speed which decays by it from now on: alone, it ends the step where the equation does.
            let linear = self.drag * against;
            if linear * against >= self.wakes_at {
                let (medium, angular) = (self.velocity, 0.0);
                // A drag that is negative or not finite is refused and does nothing.
                let _ = world.apply_drag(
                    body,
                    Drag {
                        medium,
                        linear,
                        angular,
                    },
                );
            }
        }
    }
}

//! Wind, by quadratic drag.

use evenstep::Step;
use evenstep::Vector as _;

use super::attachment::Controller;
use crate::arena::BodyKey;
use crate::drag::Drag;
use crate::engine::{BodyMotion, Engine, PhysicsVector, VectorOf};
use crate::world::World;

/// Wind, which accelerates bodies by quadratic drag.
///
/// `F = ½·ρ·c·A·|w|·w` with `w` the wind's velocity relative to the body: air density `ρ` in kg/m³ (1.2 at sea level), drag
/// coefficient `c` (about 1 for boxes, 0.5 for balls), and the area `A` that faces the wind in m² (in the plane: its
/// width in m, taken one metre deep). Lord Rayleigh's drag equation, as a [`Drag`]: it never makes a body faster than the wind,
/// at any mass. Sleeping bodies stay asleep until the force exceeds `wakes_at`.
///
/// ```
/// use evenstep_physics::controller::Wind;
///
/// // ½·1.2·1·1 for a box of 1 m: 60 N on one at rest
/// let breeze = Wind::new([10.0, 0.0], 0.6).with_wakes_at(1.0);
/// assert_eq!(breeze.drag * breeze.velocity[0] * breeze.velocity[0], 60.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Wind<V> {
    /// The wind's velocity in m/s.
    pub velocity: V,
    /// `½·ρ·c·A` in kg/m.
    pub drag: f32,
    /// The force in N below which the wind does not act.
    pub wakes_at: f32,
}

impl<V: PhysicsVector> Wind<V> {
    /// Wind of a velocity in m/s, with `½·ρ·c·A` in kg/m. It wakes every body that it touches.
    #[must_use]
    pub const fn new(velocity: V, drag: f32) -> Self {
        Self {
            velocity,
            drag,
            wakes_at: 0.0,
        }
    }

    /// The same wind with the force in N below which it does not act.
    #[must_use]
    pub const fn with_wakes_at(mut self, newtons: f32) -> Self {
        self.wakes_at = newtons;
        self
    }
}

impl<E: Engine, U> Controller<E, U> for Wind<VectorOf<E>> {
    fn control(&mut self, world: &mut World<E, U>, body: BodyKey, _: &Step) {
        if let Ok(motion) = world.motion(body) {
            let relative = self.velocity.plus(motion.velocity(), -1.0).length();
            // The coefficient of a speed that decays from now on: acting alone, it ends the step at the solution of the equation.
            let linear = self.drag * relative;
            if linear * relative >= self.wakes_at {
                let (medium, angular) = (self.velocity, 0.0);
                // The world rejects a negative or non-finite drag, and nothing acts.
                let _ = world.apply_drag(body, Drag::new(medium, linear, angular));
            }
        }
    }
}

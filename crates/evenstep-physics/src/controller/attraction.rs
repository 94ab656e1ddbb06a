//! Attraction to a point by the inverse square law.

use evenstep::Step;

use super::attachment::Controller;
use crate::arena::BodyKey;
use crate::engine::{Engine, PhysicsVector, VectorOf};
use crate::world::World;
use crate::wrench::Wrench;

/// Attraction to a point by the inverse square of the distance.
///
/// `F = strength / max(r, softening)²` towards the point: `strength` in N·m² (`G·M·m` for gravity), `r` in m. Within
/// the softening length the force is constant, so that it stays finite.
///
/// ```
/// use evenstep_physics::controller::Attraction;
///
/// let star = Attraction::new([0.0, 0.0], 100.0, 0.1);
/// assert_eq!(star.force_at([10.0, 0.0]), [-1.0, 0.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attraction<V> {
    /// The position of the attractor.
    pub point: V,
    /// The strength in N·m²; a negative strength repels.
    pub strength: f32,
    /// The softening length in m; if it is not above zero, the force has no bound near the point.
    pub softening: f32,
}

impl<V: PhysicsVector> Attraction<V> {
    /// Attraction to a point, of a strength in N·m² and with a softening length in m.
    #[must_use]
    pub const fn new(point: V, strength: f32, softening: f32) -> Self {
        Self {
            point,
            strength,
            softening,
        }
    }

    /// The force in N on a body whose centre of mass is at `position`; none at the point itself.
    #[must_use]
    pub fn force_at(&self, position: V) -> V {
        let towards = self.point.plus(position, -1.0);
        let distance = towards.length();
        if distance == 0.0 {
            return V::ZERO;
        }
        let reach = distance.max(self.softening);
        towards.times(f64::from(self.strength) / f64::from(reach * reach) / f64::from(distance))
    }
}

impl<E: Engine, U> Controller<E, U> for Attraction<VectorOf<E>> {
    fn control(&mut self, world: &mut World<E, U>, body: BodyKey, _: &Step) {
        if let Ok(center) = world.center_of_mass(body) {
            // If `strength` is not finite, the world rejects the force and nothing acts.
            let _ = world.apply_force(body, Wrench::linear(self.force_at(center)));
        }
    }
}

//! Missile guidance: pure pursuit and proportional navigation.

use std::collections::BTreeMap;

use evenstep::Step;
use evenstep::Vector as _;

use super::attachment::Controller;
use crate::arena::BodyKey;
use crate::engine::{BodyMotion, Engine, PhysicsVector, VectorOf};
use crate::world::World;

/// How a missile chooses its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Guidance {
    /// *Pure pursuit*: steers at the target's present position.
    Pursuit,
    /// *Proportional navigation*: turns `gain` times as fast as the line of sight, which leads a moving target. A
    /// gain of 3 to 5 is usual (P. Zarchan, *Tactical and Strategic Missile Guidance*).
    ProportionalNavigation {
        /// The navigation constant.
        gain: f32,
    },
}

/// Steers bodies towards another body at constant speed and a limited turn rate. Both positions are centres of mass.
///
/// With `s` the line of sight, the direction from the missile to the target, pure pursuit turns the velocity to `s`; proportional
/// navigation turns it by `gain` times the rotation of `s` since the last step. The velocity is turned by at most
/// `turn_rate × dt` and keeps its magnitude.
#[derive(Clone, Debug, PartialEq)]
pub struct Missile<V> {
    target: BodyKey,
    guidance: Guidance,
    turn_rate: f32,
    /// The line of sight of each missile in the last step.
    lines_of_sight: BTreeMap<BodyKey, V>,
}

impl<V: PhysicsVector> Missile<V> {
    /// Steers at `target`, turning at most `turn_rate` radians per second. A rate or a gain that is negative or NaN counts as zero:
    /// the missile flies straight on.
    #[must_use]
    pub const fn new(target: BodyKey, guidance: Guidance, turn_rate: f32) -> Self {
        Self {
            target,
            guidance,
            turn_rate,
            lines_of_sight: BTreeMap::new(),
        }
    }

    /// Stores the missile's line of sight, and returns that of the last step, or the present one in the missile's first step.
    fn last_line_of_sight<E: Engine, U>(&mut self, world: &World<E, U>, missile: BodyKey, sight: V) -> V {
        if let Some(last) = self.lines_of_sight.get_mut(&missile) {
            return std::mem::replace(last, sight);
        }
        // Removes missiles that no longer exist, at an amortised constant cost.
        if self.lines_of_sight.len().is_power_of_two() {
            self.lines_of_sight.retain(|key, _| world.contains(*key));
        }
        self.lines_of_sight.insert(missile, sight);
        sight
    }
}

impl<E: Engine, U> Controller<E, U> for Missile<VectorOf<E>> {
    fn control(&mut self, world: &mut World<E, U>, body: BodyKey, step: &Step) {
        let (Ok(own), Ok(from), Ok(to)) = (
            world.motion(body),
            world.center_of_mass(body),
            world.center_of_mass(self.target),
        ) else {
            return;
        };
        let (velocity, limit) = (own.velocity(), (self.turn_rate * step.dt as f32).max(0.0));
        let Some(sight) = direction(to.plus(from, -1.0)) else {
            return;
        };
        let Some(heading) = direction(velocity) else { return };
        let turned = match self.guidance {
            Guidance::Pursuit => turned_towards(heading, sight, limit),
            Guidance::ProportionalNavigation { gain } => {
                let last = self.last_line_of_sight(world, body, sight);
                let turn = sight.plus(last, -1.0);
                // The rotation of the line of sight, perpendicular to the heading.
                let across = turn.plus(heading, -f64::from(turn.dot(&heading)));
                let wanted = (across.length() * gain).max(0.0);
                match direction(across) {
                    Some(side) => turned_aside(heading, side, wanted.min(limit)),
                    None => heading,
                }
            }
        };
        let _ = world.set_velocity(body, turned.times(f64::from(velocity.length())));
    }
}

fn direction<V: PhysicsVector>(vector: V) -> Option<V> {
    let length = vector.length();
    (length > 0.0).then(|| vector.times(1.0 / f64::from(length)))
}

/// A unit vector rotated towards another by at most `limit` radians.
fn turned_towards<V: PhysicsVector>(from: V, to: V, limit: f32) -> V {
    let cos = from.dot(&to).clamp(-1.0, 1.0);
    let angle = libm::acosf(cos);
    if angle <= limit {
        return to;
    }
    let aside = to.plus(from, -f64::from(cos));
    // For a target straight behind, the perpendicular component is a rounding error; choose a side instead.
    let behind = cos < 0.0 && aside.length() < 1e-3;
    match direction(if behind { from.perpendicular() } else { aside }) {
        Some(side) => turned_aside(from, side, limit),
        None => from,
    }
}

/// A unit vector rotated by an angle towards a perpendicular unit vector.
fn turned_aside<V: PhysicsVector>(from: V, side: V, angle: f32) -> V {
    let (sin, cos) = libm::sincosf(angle);
    from.times(f64::from(cos)).plus(side, f64::from(sin))
}

#[cfg(test)]
mod tests {
    use evenstep::poses::Rot2;

    use super::*;

    #[test]
    fn a_turn_is_never_faster_than_the_limit_and_keeps_the_length() {
        let from = [1.0, 0.0];
        for (to, expected) in [
            ([0.0, 1.0], 0.1),
            ([0.0, -1.0], -0.1),
            ([1.0, 0.0], 0.0),
            ([0.9988, 0.04998], 0.05),
        ] {
            let turned: [f32; 2] = turned_towards(from, to, 0.1);
            assert!((libm::atan2f(turned[1], turned[0]) - expected).abs() < 1e-3, "{to:?}");
            assert!((turned.length() - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn a_missile_that_flies_straight_away_turns_to_one_side() {
        for degrees in 0..360 {
            let from = Rot2::from_radians((degrees as f32).to_radians());
            let from = [from.cos, from.sin];
            let turned = turned_towards(from, from.times(-1.0), 0.1);
            assert!((turned.dot(&from) - 0.995).abs() < 1e-4, "{degrees}: {turned:?}");
            assert!((turned.length() - 1.0).abs() < 1e-6, "{degrees}: {turned:?}");
            assert!(turned.dot(&from.perpendicular()) > 0.09, "to the left");
            let deep = [from[0], 0.3, from[1]];
            let deep = deep.times(1.0 / f64::from(deep.length()));
            let turned = turned_towards(deep, deep.times(-1.0), 0.1);
            assert!((turned.dot(&deep) - 0.995).abs() < 1e-4 && (turned.length() - 1.0).abs() < 1e-6);
        }
    }
}

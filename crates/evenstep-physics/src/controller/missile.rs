use std::collections::BTreeMap;

use evenstep::Step;
use evenstep::integrate::Vector as _;

use super::attachment::Controller;
use crate::arena::BodyKey;
use crate::engine::{BodyMotion, Engine, PhysicsVector, VectorOf};
use crate::world::World;

/// How a missile chooses its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guidance {
    /// *Pure pursuit*: straight at where the target is.
    Pursuit,
    /// *Proportional navigation*: turns `gain` times as fast as the line of sight does, which leads a moving target. A
    /// gain of 3 to 5 is usual (P. Zarchan, *Tactical and Strategic Missile Guidance*).
    ProportionalNavigation {
        /// The navigation constant.
        gain: f32,
    },
}

/// Steers bodies at another body, at their own speed, turning no faster than they can; centre of mass at centre of mass.
///
/// Of a velocity `v` towards a target that is seen in the direction `s`, pure pursuit wants `s`; proportional navigation
/// wants to turn by `gain` times the turn of `s` since the last step. The velocity is turned in the plane of both, by at
/// most `turn_rate × dt`, and keeps its size.
#[derive(Clone, Debug, PartialEq)]
pub struct Missile<V> {
    target: BodyKey,
    guidance: Guidance,
    turn_rate: f32,
    /// In which direction each missile saw the target in the last step.
    sights: BTreeMap<BodyKey, V>,
}

impl<V: PhysicsVector> Missile<V> {
    /// Steers at `target`, turning at most `turn_rate` radians per second.
    #[must_use]
    pub const fn new(target: BodyKey, guidance: Guidance, turn_rate: f32) -> Self {
        Self {
            target,
            guidance,
            turn_rate,
            sights: BTreeMap::new(),
        }
    }

    /// Where the missile saw the target last; now, if it never has.
    fn last_sight<E: Engine, U>(&mut self, world: &World<E, U>, missile: BodyKey, sight: V) -> V {
        if let Some(last) = self.sights.get_mut(&missile) {
            return std::mem::replace(last, sight);
        }
        // Now and then, so that missiles that are gone are forgotten at no cost worth mentioning.
        if self.sights.len().is_power_of_two() {
            self.sights.retain(|key, _| world.contains(*key));
        }
        self.sights.insert(missile, sight);
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
        let (velocity, limit) = (own.velocity(), self.turn_rate * step.dt as f32);
        let Some(sight) = direction(to.plus(from, -1.0)) else {
            return;
        };
        let Some(heading) = direction(velocity) else { return };
        let turned = match self.guidance {
            Guidance::Pursuit => turned_towards(heading, sight, limit),
            Guidance::ProportionalNavigation { gain } => {
                let last = self.last_sight(world, body, sight);
                let turn = sight.plus(last, -1.0);
                // The turn of the line of sight, across the heading.
                let across = turn.plus(heading, -f64::from(turn.dot(&heading)));
                let wanted = across.length() * gain;
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

/// A unit vector turned towards another by at most `limit` radians.
fn turned_towards<V: PhysicsVector>(from: V, to: V, limit: f32) -> V {
    let cos = from.dot(&to).clamp(-1.0, 1.0);
    let angle = libm::acosf(cos);
    if angle <= limit {
        return to;
    }
    let aside = to.plus(from, -f64::from(cos));
    // Of what lies straight behind, what is left aside is rounding: it has no side, so it is given one.
    let behind = cos < 0.0 && aside.length() < 1e-3;
    match direction(if behind { from.perpendicular() } else { aside }) {
        Some(side) => turned_aside(from, side, limit),
        None => from,
    }
}

/// A unit vector turned by an angle towards another that is square to it.
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
    fn what_flies_straight_away_takes_a_side() {
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

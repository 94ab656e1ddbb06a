use evenstep::{Step, Vector as _};

use crate::engine::VectorOf;
use crate::{Amount, BodyKey, BodyMotion, Controller, Engine, World};

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

/// Steers bodies at another body, at their own speed, turning no faster than they can.
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
    sights: Vec<(BodyKey, V)>,
}

impl<V: Amount> Missile<V> {
    /// Steers at `target`, turning at most `turn_rate` radians per second.
    #[must_use]
    pub const fn new(target: BodyKey, guidance: Guidance, turn_rate: f32) -> Self {
        Self {
            target,
            guidance,
            turn_rate,
            sights: Vec::new(),
        }
    }

    fn last_sight(&mut self, missile: BodyKey, sight: V) -> V {
        match self.sights.iter_mut().find(|(key, _)| *key == missile) {
            Some((_, last)) => std::mem::replace(last, sight),
            None => {
                self.sights.push((missile, sight));
                sight
            }
        }
    }
}

impl<E: Engine, U> Controller<E, U> for Missile<VectorOf<E>> {
    fn control(&mut self, world: &mut World<E, U>, body: BodyKey, step: &Step) {
        let (Ok(own), Ok(target)) = (world.motion(body), world.motion(self.target)) else {
            return;
        };
        let (velocity, limit) = (own.velocity(), self.turn_rate * step.dt as f32);
        let Some(sight) = direction(target.position().plus(own.position(), -1.0)) else {
            return;
        };
        let Some(heading) = direction(velocity) else { return };
        let turned = match self.guidance {
            Guidance::Pursuit => turned_towards(heading, sight, limit),
            Guidance::ProportionalNavigation { gain } => {
                let last = self.last_sight(body, sight);
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

fn direction<V: Amount>(vector: V) -> Option<V> {
    let length = vector.length();
    (length > 0.0).then(|| vector.times(1.0 / f64::from(length)))
}

/// A unit vector turned towards another by at most `limit` radians.
fn turned_towards<V: Amount>(from: V, to: V, limit: f32) -> V {
    let cos = from.dot(&to).clamp(-1.0, 1.0);
    let angle = cos.acos();
    if angle <= limit {
        return to;
    }
    match direction(to.plus(from, -f64::from(cos))) {
        Some(side) => turned_aside(from, side, limit),
        None => from,
    }
}

/// A unit vector turned by an angle towards another that is square to it.
fn turned_aside<V: Amount>(from: V, side: V, angle: f32) -> V {
    from.times(f64::from(angle.cos())).plus(side, f64::from(angle.sin()))
}

#[cfg(test)]
mod tests {
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
            assert!((turned[1].atan2(turned[0]) - expected).abs() < 1e-3, "{to:?}");
            assert!((turned.length() - 1.0).abs() < 1e-3);
        }
    }
}

//! Hits of a step, as boxdd takes them.
//!
//! boxdd takes a normal whose length is 1 to a few roundings. Box2D's is less exact where a corner hits a corner: it divides
//! the way from one to the other, a millimetre perhaps, by a distance that was computed in another way.

use boxdd::{BodyMoveEvent, CompletedStep, World};
use boxdd_sys::ffi::{b2ContactHitEvent, b2Vec2, b2WorldId};

use super::native;

/// What is known of a step's hits before boxdd reads them.
#[derive(Default)]
pub(super) struct Hits {
    /// A body, and Box2D's own id of its world.
    world: Option<(boxdd::BodyId, b2WorldId)>,
    /// How hard they were, one after the other; none of one that cannot be read.
    pub(super) impulses: Vec<Option<f32>>,
}

impl Hits {
    /// Forgets the world if it may be another than that which steps.
    pub(super) fn check(&mut self, world: &mut World) {
        self.world.take_if(|(body, _)| world.body(*body).is_err());
    }

    /// Learns which world it is from a body that moved in the step: where there are hits, there is one.
    pub(super) fn learn(&mut self, moved: Option<&BodyMoveEvent>) {
        if self.world.is_none()
            && let Some(moved) = moved
        {
            let world = native::world_of(moved.body_id, &moved.transform);
            self.world = world.map(|world| (moved.body_id, world));
        }
    }

    /// Makes all hits of a step readable.
    pub(super) fn mend(&mut self, step: &CompletedStep<'_>) {
        let impulses = &mut self.impulses;
        impulses.clear();
        if let Some((_, world)) = self.world {
            native::each_hit(world, step, |hit, impulse| {
                impulses.push(mend(hit).then_some(impulse));
            });
        }
    }

    /// Whether one was left out.
    pub(super) fn are_incomplete(&self) -> bool {
        self.impulses.contains(&None)
    }
}

/// Gives a hit a normal of length 1. If it has none, or its place or speed is no number, answers false; what boxdd then reads
/// means nothing.
fn mend(hit: &mut b2ContactHitEvent) -> bool {
    let b2Vec2 { x, y } = hit.normal;
    let length = (f64::from(x) * f64::from(x) + f64::from(y) * f64::from(y)).sqrt();
    let speed = hit.approachSpeed;
    let is_readable = length.is_finite()
        && length > 0.0
        && hit.point.x.is_finite()
        && hit.point.y.is_finite()
        && speed.is_finite()
        && speed > 0.0;
    if !is_readable {
        hit.point.x = Default::default();
        hit.point.y = Default::default();
        hit.normal = b2Vec2 { x: 1.0, y: 0.0 };
        hit.approachSpeed = 1.0;
    } else if (1.0 - (x * x + y * y)).abs() >= 100.0 * f32::EPSILON {
        hit.normal = b2Vec2 {
            x: (f64::from(x) / length) as f32,
            y: (f64::from(y) / length) as f32,
        };
    }
    is_readable
}

#[cfg(test)]
mod tests {
    use boxdd_sys::ffi::{b2ContactId, b2Pos, b2ShapeId};

    use super::*;

    fn hit(normal: [f32; 2]) -> b2ContactHitEvent {
        let shape = b2ShapeId {
            index1: 1,
            world0: 0,
            generation: 0,
        };
        b2ContactHitEvent {
            shapeIdA: shape,
            shapeIdB: shape,
            contactId: b2ContactId {
                index1: 1,
                world0: 0,
                padding: 0,
                generation: 0,
            },
            point: b2Pos { x: 3.0, y: 4.0 },
            normal: b2Vec2 {
                x: normal[0],
                y: normal[1],
            },
            approachSpeed: 2.0,
        }
    }

    #[test]
    fn a_normal_that_is_too_long_or_too_short_points_where_it_did_and_has_length_1() {
        for (normal, expected) in [
            ([0.75, 1.0], [0.6, 0.8]),
            ([-0.0, -0.99], [-0.0, -1.0]),
            ([1e-30, 0.0], [1.0, 0.0]),
            ([0.0, 3e38], [0.0, 1.0]),
        ] {
            let mut hit = hit(normal);
            assert!(mend(&mut hit));
            assert_eq!([hit.normal.x, hit.normal.y], expected);
        }
    }

    #[test]
    fn a_normal_of_length_1_keeps_its_bits() {
        let normal = [0.600_000_1, 0.8];
        let mut hit = hit(normal);
        assert!(mend(&mut hit));
        assert_eq!([hit.normal.x, hit.normal.y].map(f32::to_bits), normal.map(f32::to_bits));
    }

    #[test]
    fn a_hit_from_nowhere_is_left_out() {
        for normal in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 0.0]] {
            assert!(!mend(&mut hit(normal)));
        }
        let mut hit = hit([0.0, 1.0]);
        hit.point.x = f32::INFINITY;
        assert!(!mend(&mut hit));
        assert!(hit.point.x.is_finite());
    }
}

//! Normalises hit events before boxdd validates them.
//!
//! boxdd rejects normals whose length differs from 1 by more than some rounding errors. Box2D's normals are less exact where a
//! corner hits a corner: it divides the offset between them, perhaps a millimetre, by a distance that was computed differently.

use boxdd::{BodyMoveEvent, CompletedStep};
use boxdd_sys::ffi::{b2ContactHitEvent, b2Vec2, b2WorldId};

use super::ffi;
use crate::error::PhysicsError;

/// The impulses of a step's hits, and Box2D's own id of the world in which to read them.
#[derive(Default)]
pub(super) struct Hits {
    /// Box2D's own id of the world, which is learnt from a body.
    world: Option<b2WorldId>,
    /// The impulse of each hit in N·s; `None` for a hit that cannot be read.
    pub(super) impulses: Vec<Option<f32>>,
}

impl Hits {
    /// Forgets the world's id, because the world may be another one from now on.
    pub(super) const fn forget_world(&mut self) {
        self.world = None;
    }

    /// Normalises all hits of a step and reads their impulses. `moved` is a body that moved in the step; a step with hits has one.
    pub(super) fn repair(
        &mut self,
        step: &CompletedStep<'_>,
        moved: Option<&BodyMoveEvent>,
    ) -> Result<(), PhysicsError> {
        self.impulses.clear();
        if self.world.is_none()
            && let Some(moved) = moved
        {
            let world = ffi::world_of(moved.body_id, &moved.transform);
            self.world = Some(world.ok_or_else(|| ffi::unknown_id("report the hits of a step"))?);
        }
        let Some(world) = self.world else { return Ok(()) };
        let impulses = &mut self.impulses;
        ffi::each_hit(world, step, |hit, impulse| {
            impulses.push(normalise(hit).then_some(impulse));
        });
        if impulses.contains(&None) {
            return Err(PhysicsError::Engine {
                action: "report all hits of a step",
                reason: "a hit has no finite point or no normal".to_owned(),
            });
        }
        Ok(())
    }
}

/// Scales the normal of a hit to length 1. Returns false if the normal is zero, or if the point or the speed is not finite; the hit
/// then gets placeholder values that boxdd accepts.
fn normalise(hit: &mut b2ContactHitEvent) -> bool {
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
    fn a_normal_of_another_length_is_scaled_to_length_1() {
        for (normal, expected) in [
            ([0.75, 1.0], [0.6, 0.8]),
            ([-0.0, -0.99], [-0.0, -1.0]),
            ([1e-30, 0.0], [1.0, 0.0]),
            ([0.0, 3e38], [0.0, 1.0]),
        ] {
            let mut hit = hit(normal);
            assert!(normalise(&mut hit));
            assert_eq!([hit.normal.x, hit.normal.y], expected);
        }
    }

    #[test]
    fn a_normal_of_length_1_keeps_its_bits() {
        let normal = [0.600_000_1, 0.8];
        let mut hit = hit(normal);
        assert!(normalise(&mut hit));
        assert_eq!([hit.normal.x, hit.normal.y].map(f32::to_bits), normal.map(f32::to_bits));
    }

    #[test]
    fn a_non_finite_hit_is_rejected() {
        for normal in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 0.0]] {
            assert!(!normalise(&mut hit(normal)));
        }
        let mut hit = hit([0.0, 1.0]);
        hit.point.x = f32::INFINITY;
        assert!(!normalise(&mut hit));
        assert!(hit.point.x.is_finite());
    }
}

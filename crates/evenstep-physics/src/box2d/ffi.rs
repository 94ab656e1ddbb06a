//! Direct calls of Box2D's C API for operations that boxdd does not offer. boxdd does not expose Box2D's own ids, so they are parsed from
//! `Debug` output and checked against the body before use. If boxdd prints them in another form, these operations return errors.
//!
//! **Rotations are set bit for bit.** boxdd takes a rotation as an angle and computes its cosine and sine with the platform's own
//! functions, whose last bits differ between systems, so that simulations with rotated bodies would diverge. Box2D itself takes the
//! cosine and sine.
//!
//! **Hits are normalised before boxdd reads them.** If boxdd rejects one hit, it returns no contact of the step at all.
#![allow(
    unsafe_code,
    reason = "boxdd has no safe API to set a cosine and a sine, or to read hits one by one"
)]

use std::slice;

use boxdd::{BodyId, CompletedStep, WorldTransform};
use boxdd_sys::ffi;

use super::convert::{failed, pose_of};
use crate::error::PhysicsError;

/// The error of an operation for which Box2D's own id is missing.
pub(super) fn unknown_id(action: &'static str) -> PhysicsError {
    PhysicsError::Engine {
        action,
        reason: "boxdd prints the ids of bodies in a form that evenstep does not know; use boxdd 0.6.0".to_owned(),
    }
}

/// Sets a body's transform bit for bit. Returns false if the body's present one is not finite, so that it cannot be checked against its id; then
/// nothing has changed.
pub(super) fn set_transform(
    world: &mut boxdd::World,
    body: BodyId,
    transform: WorldTransform,
) -> Result<bool, PhysicsError> {
    const ACTION: &str = "move a body";
    let Ok(known) = world.body(body).map_err(failed(ACTION))?.transform() else {
        return Ok(false);
    };
    let id = find(body, &known).ok_or_else(|| unknown_id(ACTION))?;
    let raw = transform.into_raw();
    // SAFETY: the id is valid, nothing steps a world that is borrowed for writing, and boxdd has checked the transform.
    unsafe { ffi::b2Body_SetTransform(id, raw.p, raw.q) };
    Ok(true)
}

/// Box2D's own id of the world of a body, whose transform is `transform`.
pub(super) fn world_of(body: BodyId, transform: &WorldTransform) -> Option<ffi::b2WorldId> {
    let id = find(body, transform)?;
    // SAFETY: the id is valid.
    Some(unsafe { ffi::b2Body_GetWorld(id) })
}

/// Visits all hits of a step, to be changed before boxdd reads them, with the impulse of each in N·s. `world` is the world that was
/// stepped.
pub(super) fn each_hit(
    world: ffi::b2WorldId,
    step: &CompletedStep<'_>,
    mut visit: impl FnMut(&mut ffi::b2ContactHitEvent, f32),
) {
    // The step borrows the world, so nothing else accesses it.
    let _ = step;
    // SAFETY: the world exists, since its step is borrowed.
    let events = unsafe { ffi::b2World_GetContactEvents(world) };
    let count = usize::try_from(events.hitCount).unwrap_or(0);
    if count == 0 || events.hitEvents.is_null() {
        return;
    }
    // SAFETY: the array has `count` hits. Box2D does not write it before the next step and does not read it again. boxdd keeps
    // no reference into it and copies from it later.
    for hit in unsafe { slice::from_raw_parts_mut(events.hitEvents, count) } {
        visit(hit, impulse(hit.contactId));
    }
}

/// The total normal impulse of a contact in the last step, in N·s.
fn impulse(contact: ffi::b2ContactId) -> f32 {
    // SAFETY: Box2D looks up an id of any value in its own tables and returns whether it is that of a contact.
    if !unsafe { ffi::b2Contact_IsValid(contact) } {
        return 0.0;
    }
    // SAFETY: the id is valid.
    let manifold = unsafe { ffi::b2Contact_GetData(contact) }.manifold;
    let count = usize::try_from(manifold.pointCount).unwrap_or(0);
    let points = manifold.points.iter().take(count);
    points.map(|point| point.totalNormalImpulse).sum()
}

/// Box2D's own id of a body, checked against its transform. The caller borrows the world, so nothing steps it meanwhile.
fn find(body: BodyId, transform: &WorldTransform) -> Option<ffi::b2BodyId> {
    let id = raw_id(body)?;
    // SAFETY: Box2D looks up an id of any value in its own tables and returns whether it is that of a body.
    if !unsafe { ffi::b2Body_IsValid(id) } {
        return None;
    }
    // SAFETY: the id is valid.
    let found = WorldTransform::from_raw(unsafe { ffi::b2Body_GetTransform(id) }).ok()?;
    (pose_of(&found) == pose_of(transform)).then_some(id)
}

/// Box2D's own id of a body, parsed from boxdd's `Debug` output.
fn raw_id(body: BodyId) -> Option<ffi::b2BodyId> {
    let printed = format!("{body:?}");
    let field = |name: &str| {
        let (_, rest) = printed.split_once(name)?;
        let digits: String = rest
            .trim_start_matches([':', ' '])
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        digits.parse::<u32>().ok()
    };
    Some(ffi::b2BodyId {
        index1: i32::try_from(field("index1")?).ok()?,
        world0: u16::try_from(field("world0")?).ok()?,
        generation: u16::try_from(field(" generation")?).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use boxdd::{BodyType, Foundation};
    use evenstep::poses::{Pose2, Rot2};

    use super::*;
    use crate::box2d::convert::transform_of;

    fn body(world: &mut boxdd::World) -> BodyId {
        let body = world.body_builder().body_type(BodyType::Dynamic).build().unwrap();
        world.create_body(body).unwrap()
    }

    #[test]
    fn the_id_of_a_body_is_parsed_from_its_debug_output() {
        let foundation = Foundation::initialize_default().unwrap();
        let mut world = foundation
            .create_world(foundation.world_builder().build().unwrap())
            .unwrap();
        let bodies: Vec<BodyId> = (0..5).map(|_| body(&mut world)).collect();
        world.body(bodies[2]).unwrap().destroy().unwrap();
        let reused = body(&mut world);
        let alive = [bodies[0], bodies[1], bodies[3], bodies[4], reused];
        for (place, body) in alive.into_iter().enumerate() {
            let pose = Pose2::new([place as f32, 2.0], Rot2::from_radians(0.1 * place as f32));
            assert_eq!(set_transform(&mut world, body, transform_of(&pose).unwrap()), Ok(true));
            let found = world.body(body).unwrap().transform().unwrap();
            assert_eq!(pose_of(&found), pose);
        }
        assert!(set_transform(&mut world, bodies[2], WorldTransform::IDENTITY).is_err());
    }
}

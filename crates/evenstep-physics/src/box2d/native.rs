//! Box2D itself, for what boxdd has no safe way to do. An id that boxdd does not hand out is read from its `Debug` output, and
//! held against the body before it is used.
//!
//! **Rotations reach Box2D as they are.** boxdd takes a rotation as an angle and makes cosine and sine of it by the
//! platform's own functions, whose last bits differ from system to system: bodies that start turned would start
//! differently, and all that follows would differ. Box2D itself takes cosine and sine.
//!
//! **Hits are mended before boxdd reads them.** With one that it does not like boxdd hands out no contact of the step at all.
#![allow(
    unsafe_code,
    reason = "boxdd has no safe way to set a cosine and a sine, or to read hits one by one"
)]

use std::slice;

use boxdd::{BodyId, CompletedStep};
use boxdd_sys::ffi;
use evenstep::poses::Pose2;

use super::convert::pose_of;

/// Puts a body at a pose, of which every bit is kept. Answers whether it did; otherwise nothing has happened.
pub(super) fn set_pose(world: &mut boxdd::World, body: BodyId, pose: &Pose2) -> boxdd::Result<bool> {
    // One that is nowhere cannot be told from others.
    let Ok(known) = world.body(body)?.transform() else {
        return Ok(false);
    };
    let Some(id) = find(body, &known) else { return Ok(false) };
    let [x, y] = pose.position;
    let rotation = ffi::b2Rot {
        c: pose.rotation.cos,
        s: pose.rotation.sin,
    };
    // SAFETY: the id is valid, nothing steps a world that is borrowed for writing, and boxdd has checked the position and the
    // rotation.
    unsafe { ffi::b2Body_SetTransform(id, boxdd::Position::from([x, y]).into_raw(), rotation) };
    Ok(pose_of(&world.body(body)?.transform()?) == *pose)
}

/// Box2D's own id of a world, of which a body is somewhere.
pub(super) fn world_of(body: BodyId, place: &boxdd::WorldTransform) -> Option<ffi::b2WorldId> {
    let id = find(body, place)?;
    // SAFETY: the id is valid.
    Some(unsafe { ffi::b2Body_GetWorld(id) })
}

/// Shows all hits of a step, to be changed before boxdd reads them, and how hard each was, in N·s. `world` is that which
/// stepped.
pub(super) fn each_hit(
    world: ffi::b2WorldId,
    step: &CompletedStep<'_>,
    mut visit: impl FnMut(&mut ffi::b2ContactHitEvent, f32),
) {
    // What is held keeps everybody else from the world.
    let _ = step;
    // SAFETY: the world exists, since its step is held.
    let events = unsafe { ffi::b2World_GetContactEvents(world) };
    let count = usize::try_from(events.hitCount).unwrap_or(0);
    if count == 0 || events.hitEvents.is_null() {
        return;
    }
    // SAFETY: so many hits are in an array of Box2D's, which it does not touch before the next step and does not read again.
    // boxdd keeps no reference into it: it copies from it, later.
    for hit in unsafe { slice::from_raw_parts_mut(events.hitEvents, count) } {
        visit(hit, impulse(hit.contactId));
    }
}

/// What pushed the sides of a contact apart in the step that is held.
fn impulse(contact: ffi::b2ContactId) -> f32 {
    // SAFETY: Box2D looks an id of any value up in its own tables and answers whether it is that of a contact.
    if !unsafe { ffi::b2Contact_IsValid(contact) } {
        return 0.0;
    }
    // SAFETY: the id is valid.
    let manifold = unsafe { ffi::b2Contact_GetData(contact) }.manifold;
    let count = usize::try_from(manifold.pointCount).unwrap_or(0);
    let points = manifold.points.iter().take(count);
    points.map(|point| point.totalNormalImpulse).sum()
}

/// Box2D's own id of a body that is where boxdd says. The world is borrowed by who asks, so nothing steps it.
fn find(body: BodyId, place: &boxdd::WorldTransform) -> Option<ffi::b2BodyId> {
    let id = raw_id(body)?;
    // SAFETY: Box2D looks an id of any value up in its own tables and answers whether it is that of a body.
    if !unsafe { ffi::b2Body_IsValid(id) } {
        return None;
    }
    // SAFETY: the id is valid.
    let found = boxdd::WorldTransform::from_raw(unsafe { ffi::b2Body_GetTransform(id) }).ok()?;
    (pose_of(&found) == pose_of(place)).then_some(id)
}

/// Box2D's own id of a body, as boxdd prints it.
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
    use evenstep::poses::Rot2;

    use super::*;

    fn body(world: &mut boxdd::World) -> BodyId {
        let body = world.body_builder().body_type(BodyType::Dynamic).build().unwrap();
        world.create_body(body).unwrap()
    }

    #[test]
    fn the_id_of_a_body_is_read_from_what_is_printed_of_it() {
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
            assert_eq!(set_pose(&mut world, body, &pose), Ok(true));
            let found = world.body(body).unwrap().transform().unwrap();
            assert_eq!(pose_of(&found), pose);
        }
        assert!(set_pose(&mut world, bodies[2], &Pose2::default()).is_err());
    }
}

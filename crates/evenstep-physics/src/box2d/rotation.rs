//! Rotations reach Box2D as they are.
//!
//! boxdd takes a rotation as an angle and makes cosine and sine of it by the platform's own functions, whose last bits
//! differ from system to system: bodies that start turned would start differently, and all that follows would differ.
//! Box2D itself takes cosine and sine. boxdd does not hand out the id by which Box2D knows a body, but for its `Debug`
//! output; an id that is read from there is held against the body before it is used.
#![allow(unsafe_code, reason = "boxdd has no safe way to set a cosine and a sine")]

use boxdd::BodyId;
use boxdd_sys::ffi;
use evenstep::poses::Pose2;

use super::convert::pose_of;

/// Puts a body at a pose, of which every bit is kept. Answers whether it did; otherwise nothing has happened.
pub(super) fn set_pose(world: &mut boxdd::World, body: BodyId, pose: &Pose2) -> boxdd::Result<bool> {
    let known = world.body(body)?.transform()?;
    let Some(id) = raw_id(body) else { return Ok(false) };
    // SAFETY: Box2D looks an id of any value up in its own tables and answers whether it is that of a body.
    if !unsafe { ffi::b2Body_IsValid(id) } {
        return Ok(false);
    }
    // SAFETY: the id is valid, and nothing steps a world that is borrowed for writing.
    let found = boxdd::WorldTransform::from_raw(unsafe { ffi::b2Body_GetTransform(id) })?;
    if pose_of(&found) != pose_of(&known) {
        return Ok(false);
    }
    let [x, y] = pose.position;
    let rotation = ffi::b2Rot {
        c: pose.rotation.cos,
        s: pose.rotation.sin,
    };
    // SAFETY: as above, and boxdd has checked a position and a rotation as near as the angle's.
    unsafe { ffi::b2Body_SetTransform(id, boxdd::Position::from([x, y]).into_raw(), rotation) };
    Ok(pose_of(&world.body(body)?.transform()?) == *pose)
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

//! Converts boxdd's types into ours.

use evenstep::poses::{Pose2, Rot2};

use crate::error::PhysicsError;

pub(super) fn position(position: boxdd::Position) -> [f32; 2] {
    [position.x, position.y]
}

pub(super) fn pose_of(transform: &boxdd::WorldTransform) -> Pose2 {
    let rotation = transform.rotation();
    let turn = Rot2 {
        cos: rotation.cosine(),
        sin: rotation.sine(),
    };
    Pose2::new(position(transform.position()), turn)
}

/// Fails if boxdd rejects the position or the rotation.
pub(super) fn transform_of(pose: &Pose2) -> boxdd::Result<boxdd::WorldTransform> {
    let Rot2 { cos, sin } = pose.rotation;
    let rotation = boxdd::Rot::from_raw(boxdd_sys::ffi::b2Rot { c: cos, s: sin })?;
    boxdd::WorldTransform::new(pose.position.into(), rotation)
}

/// The error of an action that Box2D refused.
pub(super) fn failed(action: &'static str) -> impl Fn(boxdd::Error) -> PhysicsError {
    move |error| PhysicsError::Engine {
        action,
        reason: error.to_string(),
    }
}

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

pub(super) fn engine_error(action: &'static str, error: &boxdd::Error) -> PhysicsError {
    PhysicsError::Engine {
        action,
        reason: error.to_string(),
    }
}

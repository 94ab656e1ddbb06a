//! The dimension-dependent part for rapier2d: conversions, shapes and rotational drag.

use evenstep::poses::{Motion2, Pose2, Rot2};
pub(super) use rapier2d as rapier;
use rapier2d::prelude::{AngVector, ColliderBuilder, Pose, RigidBody, Rotation, Vector};

use crate::body::Shape;
use crate::drag::{Drag, MAX_ROTATION, clamp_length};

pub(super) type Motion = Motion2;

pub(super) fn vector([x, y]: [f32; 2]) -> Vector {
    Vector::new(x, y)
}

pub(super) fn from_vector(vector: Vector) -> [f32; 2] {
    [vector.x, vector.y]
}

pub(super) fn spin(spin: f32) -> AngVector {
    spin
}

/// The angular velocity that turns one rotation into another within `seconds`.
pub(super) fn angular_velocity_between(from: &Rotation, to: &Rotation, seconds: f32) -> AngVector {
    rotation(from).turn_to(rotation(to)) / seconds
}

fn rotation(rotation: &Rotation) -> Rot2 {
    Rot2 {
        cos: rotation.cos(),
        sin: rotation.sin(),
    }
}

pub(super) fn pose(pose: &Pose2) -> Pose {
    let rotation = Rotation::from_cos_sin_unchecked(pose.rotation.cos, pose.rotation.sin);
    Pose::from_parts(vector(pose.position), rotation)
}

pub(super) fn from_pose(pose: &Pose) -> Pose2 {
    Pose2::new(from_vector(pose.translation), rotation(&pose.rotation))
}

pub(super) fn motion(body: &RigidBody) -> Motion {
    Motion {
        pose: from_pose(body.position()),
        velocity: from_vector(body.linvel()),
        angular_velocity: body.angvel(),
    }
}

pub(super) fn collider(shape: &Shape<[f32; 2]>) -> ColliderBuilder {
    match *shape {
        Shape::Ball(radius) => ColliderBuilder::ball(radius),
        Shape::Box([x, y]) => ColliderBuilder::cuboid(x, y),
    }
}

/// Whether a body that is free to rotate has no moment of inertia.
pub(super) fn is_missing_inertia(body: &RigidBody) -> bool {
    !body.is_rotation_locked() && body.mass_properties().local_mprops.inv_principal_inertia == 0.0
}

/// The torque of a drag over a step, in addition to the torques that already act on the body.
pub(super) fn drag_torque(body: &RigidBody, dt: f32, drag: &Drag<[f32; 2]>) -> AngVector {
    let gain = dt * body.mass_properties().effective_world_inv_inertia;
    let damping = 1.0 / (1.0 + dt * body.angular_damping());
    let spin = if body.is_fast_rotation_allowed() {
        body.angvel()
    } else {
        clamp_length(body.angvel(), MAX_ROTATION / dt)
    };
    drag.torque((spin + gain * body.user_torque()) * damping, gain * damping)
}

//! The dimension-dependent part for rapier3d: conversions, shapes and rotational drag.

use evenstep::poses::{Motion3, Pose3, Quat};
pub(super) use rapier3d as rapier;
use rapier3d::parry::utils::SdpMatrix3;
use rapier3d::prelude::{AngVector, ColliderBuilder, Pose, RigidBody, Rotation, Vector};

use crate::body::Shape;
use crate::drag::{Drag, MAX_ROTATION, clamp_length};

pub(super) type Motion = Motion3;

pub(super) fn vector([x, y, z]: [f32; 3]) -> Vector {
    Vector::new(x, y, z)
}

pub(super) fn from_vector(vector: Vector) -> [f32; 3] {
    [vector.x, vector.y, vector.z]
}

pub(super) fn spin(spin: [f32; 3]) -> AngVector {
    vector(spin)
}

/// The angular velocity that turns one rotation into another within `seconds`.
pub(super) fn angular_velocity_between(from: &Rotation, to: &Rotation, seconds: f32) -> AngVector {
    let rotation = rotation(to).after(rotation(from).inverse());
    vector(rotation.to_scaled_axis().map(|part| part / seconds))
}

fn rotation(rotation: &Rotation) -> Quat {
    Quat::new(rotation.x, rotation.y, rotation.z, rotation.w)
}

pub(super) fn pose(pose: &Pose3) -> Pose {
    let Quat { x, y, z, w } = pose.rotation;
    Pose::from_parts(vector(pose.position), Rotation::from_xyzw(x, y, z, w))
}

pub(super) fn from_pose(pose: &Pose) -> Pose3 {
    Pose3::new(from_vector(pose.translation), rotation(&pose.rotation))
}

pub(super) fn motion(body: &RigidBody) -> Motion {
    Motion {
        pose: from_pose(body.position()),
        velocity: from_vector(body.linvel()),
        angular_velocity: from_vector(body.angvel()),
    }
}

pub(super) fn collider(shape: &Shape<[f32; 3]>) -> ColliderBuilder {
    match *shape {
        Shape::Ball(radius) => ColliderBuilder::ball(radius),
        Shape::Box([x, y, z]) => ColliderBuilder::cuboid(x, y, z),
    }
}

/// Whether a body that is free to rotate has no moment of inertia about an axis.
pub(super) fn is_missing_inertia(body: &RigidBody) -> bool {
    let inverse = body.mass_properties().local_mprops.inv_principal_inertia;
    body.is_rotation_locked() != [true; 3] && from_vector(inverse).contains(&0.0)
}

/// The torque of a drag over a step, in addition to the torques that already act on the body. Like [`Drag::torque`], with a
/// moment of inertia for each axis.
pub(super) fn drag_torque(body: &RigidBody, dt: f32, drag: &Drag<[f32; 3]>) -> AngVector {
    let inverse = body.mass_properties().effective_world_inv_inertia;
    let damping = 1.0 / (1.0 + dt * body.angular_damping());
    let spin = if body.is_fast_rotation_allowed() {
        body.angvel()
    } else {
        vector(clamp_length(from_vector(body.angvel()), MAX_ROTATION / dt))
    };
    let free = (spin + inverse * body.user_torque() * dt) * damping;
    let by = drag.angular * dt * damping;
    let slowed = SdpMatrix3::new(
        1.0 + by * inverse.m11,
        by * inverse.m12,
        by * inverse.m13,
        1.0 + by * inverse.m22,
        by * inverse.m23,
        1.0 + by * inverse.m33,
    );
    let torque = slowed.inverse_unchecked() * free * -drag.angular;
    // The torque overflows only for a body that nothing can rotate.
    if torque.is_finite() { torque } else { AngVector::ZERO }
}

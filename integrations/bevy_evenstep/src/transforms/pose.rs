//! Conversions between `Transform`, `GlobalTransform` and `Pose3`.

use bevy_math::{Quat, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};
use evenstep::poses::{self, Pose3};

pub(super) fn pose(transform: &Transform) -> Pose3 {
    let rotation = transform.rotation;
    let rotation = poses::Quat::new(rotation.x, rotation.y, rotation.z, rotation.w);
    Pose3::new(transform.translation.to_array(), rotation)
}

pub(super) fn transform(pose: &Pose3, scale: Vec3) -> Transform {
    Transform {
        translation: Vec3::from_array(pose.position),
        rotation: quat(pose),
        scale,
    }
}

/// Where an entity without a parent is: as Bevy's `From`, which is not inlined.
#[inline]
pub(super) fn global(transform: &Transform) -> GlobalTransform {
    transform.compute_affine().into()
}

fn quat(pose: &Pose3) -> Quat {
    let poses::Quat { x, y, z, w } = pose.rotation;
    Quat::from_xyzw(x, y, z, w)
}

/// The new pose of an object at `pose` that is rigidly attached to another one which went from `from` to `to`: it is moved by as much, and
/// turned about itself by as much. If that is not finite, `to`.
pub(super) fn shifted(pose: &Pose3, from: &Pose3, to: &Pose3) -> Pose3 {
    // The difference between two states of one body is small, so it is rounded least.
    let position = core::array::from_fn(|axis| to.position[axis] - (from.position[axis] - pose.position[axis]));
    let rotation = if from.rotation == to.rotation {
        pose.rotation
    } else if from.rotation == pose.rotation {
        to.rotation
    } else {
        let rotation = (quat(to) * quat(from).inverse() * quat(pose)).normalize();
        poses::Quat::new(rotation.x, rotation.y, rotation.z, rotation.w)
    };
    let poses::Quat { x, y, z, w } = rotation;
    let is_finite = position.iter().chain(&[x, y, z, w]).all(|number| number.is_finite());
    if is_finite { Pose3::new(position, rotation) } else { *to }
}
